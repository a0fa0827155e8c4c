// Blokus for the engine: the law (rules.hpp), what looks good (taste.hpp), and what a net sees
// (planes.hpp).
#pragma once

#include "tegel/games/blokus/planes.hpp"
#include "tegel/games/blokus/rules.hpp"
#include "tegel/games/blokus/taste.hpp"
