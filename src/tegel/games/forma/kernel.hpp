// Forma for the engine: the law (rules.hpp, setup.hpp), what looks good (taste.hpp), and what a net
// sees (planes.hpp).
#pragma once

#include "tegel/games/forma/planes.hpp"
#include "tegel/games/forma/rules.hpp"
#include "tegel/games/forma/setup.hpp"
#include "tegel/games/forma/taste.hpp"
