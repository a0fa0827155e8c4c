// Tantrix for the engine: the law (rules.hpp), and what looks good (taste.hpp).
#pragma once

#include "tegel/games/tantrix/rules.hpp"
#include "tegel/games/tantrix/taste.hpp"
