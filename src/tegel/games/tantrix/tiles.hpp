// The tiles of Tantrix for the kernel: in which form, tile and turn together, they show what.
//
// Sets of forms are 336 bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tegel::tantrix {

constexpr int TILES = 56, TURNS = 6, FORMS = TILES * TURNS, COLOURS = 4;

struct FormSet {
    std::array<std::uint64_t, 6> words{};

    FormSet& operator&=(const FormSet& other) {
        for (int i = 0; i < 6; ++i) words[i] &= other.words[i];
        return *this;
    }
    void remove(const FormSet& other) {
        for (int i = 0; i < 6; ++i) words[i] &= ~other.words[i];
    }
    void insert(int form) { words[form >> 6] |= std::uint64_t(1) << (form & 63); }
    bool any() const { return words[0] | words[1] | words[2] | words[3] | words[4] | words[5]; }
    int count() const {
        int forms = 0;
        for (std::uint64_t word : words) forms += std::popcount(word);
        return forms;
    }
    template <class Visit>
    void each(Visit visit) const {
        for (int i = 0; i < 6; ++i)
            for (std::uint64_t rest = words[i]; rest; rest &= rest - 1)
                visit(i * 64 + std::countr_zero(rest));
    }
};

struct Tables {
    std::array<std::array<std::int8_t, TURNS>, FORMS> edges;  // by form and side, the colour
    // By form and side, the other side of the link.
    std::array<std::array<std::int8_t, TURNS>, FORMS> across;
    std::array<std::uint8_t, FORMS> colours;                  // a bit for each colour it has
    std::array<std::array<FormSet, COLOURS>, TURNS> showing;  // by side and colour
    std::array<FormSet, TILES + 1> of_tile;

    Tables() {
        const char* tiles[TILES] = {
            "BRBRYY", "BRRBYY", "BBYYRR", "BRYBYR", "BBRYYR", "BRYRBY", "BBYRYR", "BBRYRY",
            "BRBYRY", "BRBYYR", "BYBYRR", "BRRYBY", "BBYRRY", "BBRRYY", "GGRYYR", "GGYRRY",
            "GRGRYY", "GRGYYR", "GYGYRR", "GRRYGY", "GGRRYY", "GRRGYY", "GGYYRR", "BGGBRR",
            "BBGGRR", "BBGRRG", "BGBGRR", "BBRRGG", "BGBRRG", "BBRGGR", "GGRYRY", "GRYGYR",
            "GGYRYR", "GRGYRY", "GRYRGY", "BGGRBR", "BBGRGR", "BBRGRG", "BGBRGR", "BGRBRG",
            "BRBRGG", "BGRGBR", "BBYYGG", "BGYGBY", "BBGGYY", "BYBYGG", "BBYGGY", "BGGBYY",
            "BBGYYG", "BGYBYG", "BGBYGY", "BGGYBY", "BGBYYG", "BGBGYY", "BBGYGY", "BBYGYG",
        };
        auto colour = [](char letter) {
            return std::int8_t(letter == 'R' ? 0 : letter == 'Y' ? 1 : letter == 'B' ? 2 : 3);
        };
        for (int form = 0; form < FORMS; ++form) {
            const int tile = form / TURNS, turn = form % TURNS;
            colours[form] = 0;
            for (int side = 0; side < TURNS; ++side) {
                edges[form][side] = colour(tiles[tile][(side - turn + TURNS) % TURNS]);
                colours[form] |= 1 << edges[form][side];
                showing[side][edges[form][side]].insert(form);
            }
            for (int side = 0; side < TURNS; ++side)
                for (int other = 0; other < TURNS; ++other)
                    if (other != side && edges[form][other] == edges[form][side])
                        across[form][side] = std::int8_t(other);
            of_tile[tile + 1].insert(form);
        }
    }
};

inline const Tables TABLES;

}  // namespace tegel::tantrix
