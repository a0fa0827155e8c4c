// Imago for the engine: the law (rules.hpp), and what looks good (taste.hpp).
#pragma once

#include "tegel/games/imago/rules.hpp"
#include "tegel/games/imago/taste.hpp"
