// Imago for the engine: the law (rules.hpp), what looks good (taste.hpp), what nets see
// (planes.hpp).
#pragma once

#include "tegel/games/imago/planes.hpp"
#include "tegel/games/imago/rules.hpp"
#include "tegel/games/imago/taste.hpp"
