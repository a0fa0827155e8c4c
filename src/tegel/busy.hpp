// Keeps threads of Python apart: while one works without the interpreter's lock, the others are
// refused in a sentence, which Python raises as a RuntimeError.
#pragma once

#include <atomic>
#include <stdexcept>

namespace tegel {

class Busy {
  public:
    explicit Busy(const char* sentence) : sentence(sentence) {}

    // Refuses whoever comes while a thread works.
    void rest() const {
        if (working) throw std::runtime_error(sentence);
    }

    // Work, as long as it exists.
    class Work {
      public:
        explicit Work(Busy& busy) : busy(busy) {
            if (busy.working.exchange(true)) throw std::runtime_error(busy.sentence);
        }
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;
        ~Work() { busy.working = false; }

      private:
        Busy& busy;
    };

  private:
    const char* sentence;
    std::atomic<bool> working{false};
};

}  // namespace tegel
