// Plays every game's kernel from the positions given, a line each: the name of the game, then the
// packed position. To the end at random, by rollouts and by searches that keep their tree; and with
// numbers changed at random, from whatever is not refused.
#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "expect.hpp"
#include "tegel/games/blokus/kernel.hpp"
#include "tegel/games/forma/kernel.hpp"
#include "tegel/games/imago/kernel.hpp"
#include "tegel/games/tantrix/kernel.hpp"
#include "tegel/search/engine.hpp"

using namespace tegel;

std::unique_ptr<Engine> engine(const std::string& name, const Packed& packed) {
    if (name == "blokus")
        return std::make_unique<EngineOf<blokus::Board>>(packed, 1, tuned<blokus::Board>({}));
    if (name == "forma")
        return std::make_unique<EngineOf<forma::Board>>(packed, 1, tuned<forma::Board>({}));
    if (name == "imago")
        return std::make_unique<EngineOf<imago::Board>>(packed, 1, tuned<imago::Board>({}));
    return std::make_unique<EngineOf<tantrix::Board>>(packed, 1, tuned<tantrix::Board>({}));
}

// Plays on, for some plies, with every other move the engine's own. Only a made-up position may
// leave nothing to do before the game is over.
void play(Engine& engine, Random& random, int plies, bool made_up) {
    engine.rollouts(0, 1);
    for (int ply = 0; ply < plies && !engine.over(); ++ply) {
        const auto moves = engine.moves(false);
        EXPECT(made_up || !moves.empty());
        if (moves.empty()) return;
        Code code = moves[random.below(std::uint32_t(moves.size()))].first;
        if (ply % 2 && engine.turn() != CHANCE) {
            engine.think({10}, [] { return false; });
            code = engine.opinions()[0].code;
        }
        engine.features({Number(code)});
        engine.play(code);
        for (Number garbage : {Number(-1), Number(random()), Number(code) + (Number(1) << 32)})
            EXPECT(refused([&] { engine.play(garbage); }));
        EXPECT(engine.scores().size() == std::size_t(engine.seats()));
    }
}

int main() {
    Random random(1);
    int positions = 0, accepted = 0;
    for (std::string line; std::getline(std::cin, line); ++positions) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        Packed packed;
        for (std::int64_t number; words >> number;) packed.push_back(number);
        const auto given = engine(name, packed);
        EXPECT(given->packed() == packed);
        given->random_games(0, 1);
        play(*given, random, 200, false);
        for (int change = 0; change < 60; ++change) {
            Packed other = packed;
            const auto place = random.below(std::uint32_t(other.size()));
            if (change % 6 == 0) other.resize(place);
            else
                other[place] = change % 6 == 1 ? std::int64_t(random())
                                               : other[place] + std::int64_t(random.below(9)) - 4;
            try {
                const auto found = engine(name, other);
                ++accepted;
                if (change % 3 == 0) play(*found, random, 6, true);
            } catch (const std::invalid_argument&) {
            }
        }
    }
    EXPECT(positions && accepted);
    std::cout << positions << " positions, " << accepted << " changed ones accepted\n";
}
