// How the native parts refuse what comes from outside: in a sentence, which Python raises as a
// ValueError. What only we can do wrong is an assert.
#pragma once

#include <stdexcept>
#include <string>

namespace tegel {

inline void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}
inline void require(bool holds, const std::string& otherwise) { require(holds, otherwise.c_str()); }

}  // namespace tegel
