// SPDX-License-Identifier: Apache-2.0
// Fibers are made by ucontext and switched by _setjmp and _longjmp, without a system call. A thread
// that never waits costs no fiber of its own: a fiber that ends one thread begins the next on the
// same stack.
#include "simt/threads.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

// The address sanitizer's, where it is there: it wants to know of every switch of stacks.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): its names
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** left, const void* stack,
                                                          std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* entered, const void** stack,
                                                           std::size_t* size);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace simt {

Place* here = nullptr;

// Defined by the race build; empty elsewhere.
__attribute__((weak)) void raceBlockBegins(unsigned) {}
__attribute__((weak)) void raceThreadIs(unsigned, unsigned, unsigned) {}
__attribute__((weak)) void raceLaunch(bool) {}
__attribute__((weak)) void raceCopy(const void*, const void*, std::size_t) {}
__attribute__((weak)) void atomicBegins() {}
__attribute__((weak)) void atomicEnds() {}

namespace {

constexpr std::size_t stackSize = 128 << 10;

void leavesStack(void** left, const void* stack, std::size_t size) {
    if (__sanitizer_start_switch_fiber != nullptr) {
        __sanitizer_start_switch_fiber(left, stack, size);
    }
}
void entersStack(void* entered, const void** stack, std::size_t* size) {
    if (__sanitizer_finish_switch_fiber != nullptr) {
        __sanitizer_finish_switch_fiber(entered, stack, size);
    }
}

class Fiber {
public:
    Fiber()
        : stack(mmap(nullptr, stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                     0)) {
        if (stack == MAP_FAILED) {
            throw std::runtime_error("no memory for the stack of a thread");
        }
    }
    ~Fiber() { munmap(stack, stackSize); }
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    void* stack;
    ucontext_t first = {};
    jmp_buf at = {};
    bool isMade = false;
    void* sanitizers = nullptr; ///< address sanitizer's record of a stack that was left
};

/// Values exchanged by the lanes of one mask. Results are valid until the exchange after the next.
struct Exchange {
    std::array<std::uint64_t, 32> values = {};
    std::array<std::array<std::uint64_t, 32>, 2> done = {};
    unsigned arrived = 0;
    std::uint64_t generation = 0;
};

struct Warp {
    std::unordered_map<unsigned, Exchange> byMask;
    unsigned syncs = 0;
};

enum class State : std::uint8_t { unstarted, ready, atBarrier, inWarp, ended };

/// A copy that was begun and has not landed.
struct Copy {
    void* to;
    const void* from; ///< nullptr: zeros
    std::size_t size;
    bool isCommitted;
};

struct Thread {
    Place place = {};
    State state = State::unstarted;
    Fiber* fiber = nullptr;
    Exchange* exchange = nullptr;
    int line = 0; ///< line of the barrier it waits at
    std::vector<Copy> copies = {};
};

/// The block that runs.
class Block {
public:
    void run(Size grid, Size size, Index index, unsigned number,
             const std::function<void()>& thread);
    void barrier(int line);
    const std::uint64_t* exchange(unsigned mask, std::uint64_t value);
    void copyAsync(const Copy& copy);
    void commitCopies();
    void waitForCopies();
    [[nodiscard]] int lane() const { return static_cast<int>(current_ & 31U); }

    Order order = Order::ascending;
    std::mt19937 random{1};
    std::vector<double> dynamic;

private:
    [[noreturn]] static void start();
    void begin(Size grid, Size size, Index index);
    void resumeOne();
    void giveUp();
    void work();
    void enter(std::size_t thread);
    void wait(State state, int line);
    void pass();
    void resume(Fiber& to);
    void leave(bool isLast);
    void release();
    [[noreturn]] void complain(const std::string& what) const;
    void makeReady(std::size_t thread) {
        threads_[thread].state = State::ready;
        ready_.push_back(thread);
    }
    [[nodiscard]] bool chance(unsigned of) { return order == Order::random && random() % of == 0; }

    const std::function<void()>* body_ = nullptr;
    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    std::vector<std::size_t> unstarted_, ready_; ///< taken from the back
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> free_;
    std::size_t current_ = 0, ended_ = 0, waiting_ = 0;
    unsigned barriers_ = 0;
    Fiber* running_ = nullptr;
    jmp_buf scheduler_ = {};
    std::exception_ptr failed_;
    void* sanitizers_ = nullptr;
    const void* hostStack_ = nullptr;
    std::size_t hostStackSize_ = 0;
};

Block block;

void Block::start() {
    entersStack(nullptr, &block.hostStack_, &block.hostStackSize_);
    for (;;) {
        block.work();
        block.leave(true);
    }
}

/// Begins threads on this stack until one of them waits or none is left.
void Block::work() {
    try {
        while (!unstarted_.empty() && !failed_) {
            const std::size_t thread = unstarted_.back();
            unstarted_.pop_back();
            threads_[thread].fiber = running_;
            enter(thread);
            (*body_)();
            threads_[current_].state = State::ended;
            ++ended_;
            if (!ready_.empty() && chance(4)) {
                return; // one that waits goes on
            }
        }
    } catch (...) {
        failed_ = std::current_exception();
        threads_[current_].state = State::ended; // its stack is unwound
    }
}

void Block::enter(std::size_t thread) {
    current_ = thread;
    here = &threads_[thread].place;
    raceThreadIs(static_cast<unsigned>(thread), barriers_, warps_[thread / 32].syncs);
}

/// From a fiber back to the scheduler.
void Block::leave(bool isLast) {
    if (isLast) {
        free_.push_back(running_);
    }
    Fiber* const from = running_;
    if (_setjmp(from->at) == 0) {
        leavesStack(&from->sanitizers, hostStack_, hostStackSize_);
        _longjmp(scheduler_, 1);
    }
    entersStack(from->sanitizers, &hostStack_, &hostStackSize_);
}

void Block::wait(State state, int line) {
    const std::size_t thread = current_;
    threads_[thread].state = state;
    threads_[thread].line = line;
    leave(false);
    enter(thread);
}

/// Lets others go first.
void Block::pass() {
    const std::size_t thread = current_;
    makeReady(thread);
    leave(false);
    enter(thread);
}

/// From the scheduler into a fiber.
void Block::resume(Fiber& to) {
    running_ = &to;
    if (_setjmp(scheduler_) == 0) {
        leavesStack(&sanitizers_, to.stack, stackSize);
        if (to.isMade) {
            _longjmp(to.at, 1);
        }
        to.isMade = true;
        getcontext(&to.first);
        to.first.uc_stack = {.ss_sp = to.stack, .ss_flags = 0, .ss_size = stackSize};
        to.first.uc_link = nullptr;
        makecontext(&to.first, &Block::start, 0);
        setcontext(&to.first);
    }
    entersStack(sanitizers_, nullptr, nullptr);
}

void Block::complain(const std::string& what) const {
    std::string text = what;
    int listed = 0;
    for (std::size_t k = 0; k < threads_.size(); ++k) {
        const State state = threads_[k].state;
        if ((state == State::atBarrier || state == State::inWarp) && ++listed <= 3) {
            text += " thread " + std::to_string(k) +
                    (state == State::inWarp ? " (warp operation)" : " (barrier)");
        }
    }
    const Index at = threads_[0].place.block;
    throw std::runtime_error(text + "; " + std::to_string(listed) + " wait, " +
                             std::to_string(ended_) + " have ended, block " + std::to_string(at.x) +
                             "," + std::to_string(at.y));
}

void Block::begin(Size grid, Size size, Index index) {
    const std::size_t count = std::size_t{size.x} * size.y * size.z;
    threads_.assign(count, {});
    warps_.assign((count + 31) / 32, {});
    unstarted_.resize(count);
    ready_.clear();
    ended_ = waiting_ = 0;
    barriers_ = 0;
    failed_ = nullptr;
    for (std::size_t k = 0; k < count; ++k) {
        const auto n = static_cast<unsigned>(k);
        threads_[k].place = {
            {n % size.x, n / size.x % size.y, n / size.x / size.y}, index, size, grid};
        unstarted_[order == Order::descending ? k : count - 1 - k] = k;
    }
    if (order == Order::random) {
        std::ranges::shuffle(unstarted_, random);
    }
}

/// A fiber that begins threads, or a thread that waited.
void Block::resumeOne() {
    const bool begins =
        !unstarted_.empty() && (ready_.empty() || order != Order::random || chance(2));
    if (begins) {
        if (free_.empty()) {
            fibers_.push_back(std::make_unique<Fiber>());
            free_.push_back(fibers_.back().get());
        }
        Fiber* const fiber = free_.back();
        free_.pop_back();
        resume(*fiber);
    } else if (!ready_.empty()) {
        if (order == Order::random) {
            std::swap(ready_[random() % ready_.size()], ready_.back());
        }
        const std::size_t thread = ready_.back();
        ready_.pop_back();
        resume(*threads_[thread].fiber);
    } else {
        complain("deadlock:");
    }
}

/// The fibers of threads that still wait begin anew; what stands on their stacks is not unwound.
void Block::giveUp() {
    for (const Thread& thread : threads_) {
        if (thread.state == State::atBarrier || thread.state == State::inWarp ||
            thread.state == State::ready) {
            thread.fiber->isMade = false;
            free_.push_back(thread.fiber);
        }
    }
}

void Block::run(Size grid, Size size, Index index, unsigned number,
                const std::function<void()>& thread) {
    body_ = &thread;
    begin(grid, size, index);
    raceBlockBegins(number);
    try {
        while (ended_ < threads_.size() && !failed_) {
            resumeOne();
        }
    } catch (...) {
        failed_ = std::current_exception();
    }
    if (failed_) {
        giveUp();
        std::rethrow_exception(failed_);
    }
}

void Block::release() {
    waiting_ = 0;
    ++barriers_;
    for (std::size_t k = 0; k < threads_.size(); ++k) {
        const std::size_t thread = order == Order::ascending ? threads_.size() - 1 - k : k;
        if (thread != current_) {
            makeReady(thread);
        }
    }
}

void Block::barrier(int line) {
    ++waiting_;
    if (waiting_ + ended_ < threads_.size()) {
        wait(State::atBarrier, line);
        return;
    }
    if (ended_ > 0) {
        complain("a barrier that threads which have ended do not reach:");
    }
    for (std::size_t k = 0; k < threads_.size(); ++k) {
        if (k != current_ && threads_[k].line != line) {
            complain("threads at different barriers:");
        }
    }
    release();
    enter(current_);
    if (chance(2)) {
        threads_[current_].fiber = running_;
        pass();
    }
}

const std::uint64_t* Block::exchange(unsigned mask, std::uint64_t value) {
    Warp& warp = warps_[current_ / 32];
    const unsigned lane = current_ & 31U;
    const std::size_t first = current_ / 32 * 32;
    const std::size_t size = std::min<std::size_t>(32, threads_.size() - first);
    const unsigned all = size == 32 ? ~0U : (1U << size) - 1;
    mask &= all;
    if ((mask >> lane & 1U) == 0) {
        complain("a lane outside its own mask:");
    }
    Exchange& at = warp.byMask[mask];
    at.values[lane] = value;
    at.arrived |= 1U << lane;
    const std::uint64_t mine = at.generation;
    if (at.arrived != mask) {
        threads_[current_].exchange = &at;
        threads_[current_].fiber = running_;
        wait(State::inWarp, 0);
        return at.done[mine & 1].data();
    }
    at.done[mine & 1] = at.values;
    at.arrived = 0;
    ++at.generation;
    warp.syncs += mask == all ? 1 : 0;
    for (std::size_t k = first; k < first + size; ++k) {
        if (threads_[k].state == State::inWarp && threads_[k].exchange == &at) {
            makeReady(k);
        }
    }
    enter(current_);
    return at.done[mine & 1].data();
}

void land(const Copy& copy) {
    raceCopy(copy.to, copy.from, copy.size);
    if (copy.from == nullptr) {
        std::memset(copy.to, 0, copy.size);
    } else {
        std::memcpy(copy.to, copy.from, copy.size);
    }
}

void Block::copyAsync(const Copy& copy) {
    const auto isAligned = [&](const void* address) {
        return reinterpret_cast<std::uintptr_t>(address) % copy.size == 0;
    };
    if (!isAligned(copy.to) || !isAligned(copy.from)) {
        complain("a copy on an address that is no multiple of its size:");
    }
    if (order == Order::ascending || chance(2)) {
        land(copy);
    } else {
        raceCopy(copy.to, copy.from, copy.size); // it may land from here on
        threads_[current_].copies.push_back(copy);
    }
}

void Block::commitCopies() {
    for (Copy& copy : threads_[current_].copies) {
        copy.isCommitted = true;
    }
}

void Block::waitForCopies() {
    std::erase_if(threads_[current_].copies, [](const Copy& copy) {
        if (copy.isCommitted) {
            land(copy);
        }
        return copy.isCommitted;
    });
}

} // namespace

void copyAsync(void* to, const void* from, std::size_t size) {
    block.copyAsync({to, from, size, false});
}
void commitCopies() { block.commitCopies(); }
void waitForCopies() { block.waitForCopies(); }
void schedule(Order order, unsigned seed) {
    block.order = order;
    block.random.seed(seed);
}
void barrier(int line) { block.barrier(line); }
const std::uint64_t* exchange(unsigned mask, std::uint64_t value) {
    return block.exchange(mask, value);
}
int lane() { return block.lane(); }
void* dynamicShared() { return block.dynamic.data(); }
std::size_t dynamicSharedBytes() { return block.dynamic.size() * sizeof(double); }

void launch(Size grid, Size size, std::size_t sharedBytes, const std::function<void()>& thread) {
    static std::mutex one; // grid after grid: what the threads of a block share is static
    const std::scoped_lock lock(one);
    constexpr unsigned mostAcross = 65535;
    const bool hasPlace = grid.x > 0 && grid.x <= std::numeric_limits<int>::max() && grid.y > 0 &&
                          grid.y <= mostAcross && grid.z > 0 && grid.z <= mostAcross;
    const std::size_t threads = std::size_t{size.x} * size.y * size.z;
    if (!hasPlace || threads == 0 || threads > 1024 || size.z > 64 || sharedBytes > 227 << 10) {
        throw std::runtime_error("a launch over the limits of a GPU");
    }
    block.dynamic.assign((sharedBytes + 7) / 8, std::numeric_limits<double>::quiet_NaN());
    std::vector<Index> places;
    for (unsigned z = 0; z < grid.z; ++z) {
        for (unsigned y = 0; y < grid.y; ++y) {
            for (unsigned x = 0; x < grid.x; ++x) {
                places.push_back({x, y, z});
            }
        }
    }
    if (block.order == Order::descending) {
        std::ranges::reverse(places);
    } else if (block.order == Order::random) {
        std::ranges::shuffle(places, block.random);
    }
    raceLaunch(true);
    unsigned number = 0;
    for (const Index& place : places) {
        block.run(grid, size, place, ++number, thread);
    }
    raceLaunch(false);
}

} // namespace simt
