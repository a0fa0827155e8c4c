// Tantrix for the engine: the law (rules.hpp), what looks good (taste.hpp), and what a net
// sees (planes.hpp).
#pragma once

#include "tegel/games/tantrix/planes.hpp"
#include "tegel/games/tantrix/rules.hpp"
#include "tegel/games/tantrix/taste.hpp"
