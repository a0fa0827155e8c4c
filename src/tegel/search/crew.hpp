// Threads that share out numbered pieces of work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tegel {

class Crew {
  public:
    // Raises if the system has no room for so many threads.
    explicit Crew(int count) {
        assert(count >= 1);
        try {
            for (int i = 1; i < count; ++i) threads.emplace_back([this] { labour(); });
        } catch (...) {
            leave();
            throw;
        }
    }
    ~Crew() { leave(); }
    // Does the work of every number below `count`. What a piece of work throws is thrown here, when
    // all threads are done; the pieces that were not begun by then are left out.
    void share(int count, const std::function<void(int)>& work) {
        {
            std::lock_guard guard(lock);
            assert(count >= 0 && work && busy == 0 && !failure);
            task = &work, most = count, next = 0;
            busy = int(threads.size());
            ++round;
        }
        begun.notify_all();
        toil();
        std::unique_lock guard(lock);
        ended.wait(guard, [&] { return busy == 0; });
        task = nullptr;
        if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    }

  private:
    static constexpr int BUNCH = 16;

    std::vector<std::thread> threads;
    std::mutex lock;
    std::condition_variable begun, ended;
    const std::function<void(int)>* task = nullptr;
    std::atomic<int> next{0};
    int most = 0, busy = 0;
    std::uint64_t round = 0;
    bool leaving = false;
    std::exception_ptr failure;  // the first that a piece of work threw

    void leave() {
        {
            std::lock_guard guard(lock);
            leaving = true;
        }
        begun.notify_all();
        for (auto& thread : threads) thread.join();
    }
    void toil() {
        try {
            for (int from; (from = next.fetch_add(BUNCH)) < most;)
                for (int i = from; i < std::min(from + BUNCH, most); ++i) (*task)(i);
        } catch (...) {
            next = most;
            std::lock_guard guard(lock);
            if (!failure) failure = std::current_exception();
        }
    }
    void labour() {
        std::uint64_t done = 0;
        std::unique_lock guard(lock);
        for (;;) {
            begun.wait(guard, [&] { return leaving || round != done; });
            if (leaving) return;
            done = round;
            guard.unlock();
            toil();
            guard.lock();
            if (--busy == 0) ended.notify_one();
        }
    }
};

}  // namespace tegel
