// Forma's bridges on boards with many squares; tests/test_kernel.py compares with the law.
#include "tegel/games/forma/bridges.hpp"
#include "expect.hpp"

using namespace tegel::forma;

Land board(int size, auto own) {
    Land land{size, {}};
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) land.own[y][x] = own(x, y);
    return land;
}

void sets_of_labels_are_shifted_over_words() {
    Labels<8> labels;
    labels.add(60), labels.add(300);
    Labels<8> moved = labels << 23;
    EXPECT(moved.count() == 2 && (moved >> 23).within(labels) && labels.within(moved >> 23));
    Labels<8> one;
    one.add(83);
    EXPECT(one.within(moved) && !one.within(labels));
}

int main() {
    for (int size = 1; size <= WIDEST; ++size)
        EXPECT(most_bridges(board(size, [](int, int) { return true; })) == 2 * size);
    EXPECT(most_bridges(board(20, [](int, int) { return false; })) == 0);
    // Every other row and column: ten each way, and all of them cross.
    EXPECT(most_bridges(board(20, [](int x, int y) { return x % 2 == 0 || y % 2 == 0; })) == 20);
    EXPECT(most_bridges(board(20, [](int x, int) { return x != 7; })) == 19);
    sets_of_labels_are_shifted_over_words();
}
