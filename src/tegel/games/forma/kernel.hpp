// Forma for the engine: the law (rules.hpp), and what looks good (taste.hpp).
#pragma once

#include "tegel/games/forma/rules.hpp"
#include "tegel/games/forma/taste.hpp"
