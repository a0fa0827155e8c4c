// Blokus for the engine: the law (rules.hpp), and what looks good (taste.hpp).
#pragma once

#include "tegel/games/blokus/rules.hpp"
#include "tegel/games/blokus/taste.hpp"
