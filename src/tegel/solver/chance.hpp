// Random numbers from a seed: SplitMix64, small, and the same on every machine.
#pragma once

#include <cstdint>

namespace tegel::solver {

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : state(seed * 0x2545f4914f6cdd1d) {}

    std::uint64_t operator()() {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    std::uint32_t below(std::uint32_t n) { return std::uint32_t(((*this)() >> 32) * n >> 32); }
    double unit() { return double((*this)() >> 11) * 0x1p-53; }

  private:
    std::uint64_t state;
};

}  // namespace tegel::solver
