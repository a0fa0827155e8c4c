// Threads that share out numbered pieces of work.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tegel {

class Crew {
  public:
    explicit Crew(int count) {
        for (int i = 1; i < count; ++i) threads.emplace_back([this] { labour(); });
    }
    ~Crew() {
        {
            std::lock_guard guard(lock);
            leaving = true;
        }
        begun.notify_all();
        for (auto& thread : threads) thread.join();
    }
    // Does the work of every number below `count`.
    void share(int count, const std::function<void(int)>& work) {
        {
            std::lock_guard guard(lock);
            task = &work, most = count, next = 0;
            busy = int(threads.size());
            ++round;
        }
        begun.notify_all();
        toil();
        std::unique_lock guard(lock);
        ended.wait(guard, [&] { return busy == 0; });
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

    void toil() {
        for (int from; (from = next.fetch_add(BUNCH)) < most;)
            for (int i = from; i < std::min(from + BUNCH, most); ++i) (*task)(i);
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
