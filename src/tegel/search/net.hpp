// The words between search and nets: what a board must be able to do to be judged by a net.
//
// - a net sees a position as planes, which have a byte for every square, and as scalars, all as
//   who moves sees them: own things first, and the board turned so that it always looks alike;
// - an action is the number of a move in the same sight: one of all moves of the variant, from
//   0 on without gaps, so that it is a place in what a net says;
// - a side is who wins together. Sides are counted from who moves on;
// - a voice is who looks: a seat, or one of several colours of a seat. Where chance decides
//   nobody looks.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "tegel/search/board.hpp"

namespace tegel {

// The sizes of what goes into a net and comes out of it.
struct Shape {
    int channels, height, width;  // the planes
    int scalars;
    int actions;
    int sides;
    int owners;  // whose a square can be at the end, with nobody's
    int moves;   // room for the legal ones of a position, as a mean over many
};

// A position as a net sees it, and its legal moves.
struct View {
    std::vector<std::uint8_t> planes;
    std::vector<float> scalars;
    std::vector<Code> codes;
    std::vector<std::int32_t> actions;  // of these
};

// What a net says of a side: its share of the win, what it plays for, and its score, as means.
constexpr int SAID = 3;

// A way to turn what a net sees that changes nothing.
struct Symmetry {
    std::vector<std::int32_t> squares;  // by square, where it comes from
    std::vector<std::int32_t> actions;  // by action, what it becomes
};

template <class B>
concept Netted = Playable<B> && requires(B b, const B c, View& view, std::uint8_t* owners) {
    { c.shape() } -> std::same_as<Shape>;
    { b.look(view) };
    {
        c.symmetries()
    } -> std::same_as<std::vector<Symmetry>>;  // without the one that turns nothing
    { c.voice() } -> std::convertible_to<int>;                  // who looks
    { c.owned(0, owners) };  // whose the squares are, 0: nobody's, as a voice sees them
    // Optional: `WIDTH`, how many moves of a position are considered below the root, where there
    // may be too many to keep; `idle(code)`, whether a move only undoes another: such moves are
    // legal, but a search that considered them might never come to an end; `Watch` and
    // `show(view, watch, planes, scalars)`, the same as `look`, faster for whoever looks after
    // every move, into arrays.
};

// Of a seat, its side from another seat on.
inline int side_from(int mover, int seat, int sides) {
    return ((seat - mover) % sides + sides) % sides;
}

}  // namespace tegel
