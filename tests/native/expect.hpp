// What the native tests expect: like assert, but always on, and with the place.
#pragma once

#include <cstdlib>
#include <iostream>
#include <stdexcept>

#define EXPECT(true_of_it)                                                                \
    do {                                                                                  \
        if (!(true_of_it)) {                                                              \
            std::cerr << __FILE__ << ":" << __LINE__ << ": " << #true_of_it << std::endl; \
            std::exit(1);                                                                 \
        }                                                                                 \
    } while (false)

// Whether something is refused in a sentence.
template <class Call>
bool refused(Call call) {
    try {
        call();
    } catch (const std::invalid_argument& refusal) {
        return *refusal.what() != 0;
    }
    return false;
}
