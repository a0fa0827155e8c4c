// Reads a packed position, number by number, and refuses what can't be one: whatever comes in
// from Python is checked here, so that boards need not doubt what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tegel/require.hpp"

namespace tegel {

class Reading {
  public:
    explicit Reading(std::span<const std::int64_t> packed) : packed(packed) {}

    std::size_t left() const { return packed.size() - next; }

    // The next number, whatever it is.
    std::int64_t any() {
        tegel::require(left(), "a packed position is too short");
        return packed[next++];
    }
    // The next number, if it lies within bounds; `what` says what it is.
    int number(const char* what, int least, int most) {
        const std::int64_t found = any();
        if (found < least || found > most)
            require(false, std::string(what) + " is " + std::to_string(found) + ", not " +
                               std::to_string(least) + " to " + std::to_string(most));
        return int(found);
    }
    bool flag(const char* what) { return number(what, 0, 1) != 0; }

    void end() const { tegel::require(!left(), "a packed position is too long"); }
    template <class Text>
    void require(bool holds, const Text& otherwise) const {
        if (!holds) tegel::require(false, "no such position: " + std::string(otherwise));
    }

  private:
    std::span<const std::int64_t> packed;
    std::size_t next = 0;
};

}  // namespace tegel
