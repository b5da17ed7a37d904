// SPDX-License-Identifier: Apache-2.0
#pragma once
// Streams and events as an asynchronous device has them. What is enqueued runs later, in a random
// order that streams and events allow. And every access to memory is compared, by vector clocks,
// with those before it: one that no stream, event or wait of the host puts after them is a fault,
// whatever order it ran in.

#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace weft::sim {

/// A piece of memory that something enqueued reads or writes.
struct Use {
    const void* first = nullptr;
    std::int64_t size = 0;
    bool isWrite = false;
};

/// Per stream of time, how much of it has gone before.
using Clock = std::map<int, std::uint64_t>;

/// A place in a stream.
struct Point {
    Clock clock = {};
    std::uint64_t last = 0; ///< all up to it; 0: nothing stood before
    std::shared_ptr<std::int64_t> time = {};
    std::uint64_t capture = 0; ///< the one it was said in; 0: none
    std::size_t number = 0;    ///< among the events of that
};

/// Operations on the streams during a capture, in order.
struct Recording {
    enum class Kind : std::uint8_t { work, event, wait };
    struct Said {
        Kind kind = Kind::work;
        int stream = 0;
        std::string name = {};
        std::vector<Use> uses = {};
        std::function<void()> run = {};
        std::size_t event = 0; ///< left, or waited for
    };
    int origin = 0;
    std::vector<Said> said;
    std::map<int, int> streams = {}; ///< maps captured streams to those that replay them
};

class Streams {
public:
    explicit Streams(unsigned seed) : random_(seed) {}

    [[nodiscard]] int add();
    /// Memory of the device, and that it is no more.
    void own(const void* first, std::int64_t size);
    void disown(const void* first, std::int64_t size);

    /// `mayRun`: once all before it has ended, whether what it needs of other devices is there;
    /// none: it needs nothing.
    void enqueue(int stream, const std::string& name, std::vector<Use> uses,
                 std::function<void()> run, std::function<bool()> mayRun = {});
    [[nodiscard]] Point leave(int stream);
    void waitFor(int stream, const Point& point);
    /// Runs all that the stream holds, waiting for other devices; throws what failed.
    void finish(int stream);
    /// Moves some things on; then whether the host may rely on all before the point.
    [[nodiscard]] bool hasEnded(const Point& point);
    /// From now on, operations on the stream, and on streams that wait for it, are recorded instead
    /// of executed.
    void beginCapture(int stream);
    [[nodiscard]] std::shared_ptr<const Recording> endCapture(int stream);
    void dropCapture() noexcept;
    void repeat(int stream, const Recording& recording);

    /// The host reads or writes it at once.
    void touch(const std::string& name, const Use& use);
    /// The host reads pageable memory of its own for what the stream is told next; a capture would
    /// not read it again.
    void readPageable(int stream, const std::string& name, const Use& use);

private:
    struct Op {
        std::string name;
        std::function<void()> run;
        std::vector<std::uint64_t> after;
        std::function<bool()> mayRun;
    };
    struct Stream {
        Clock clock;
        std::uint64_t last = 0;
        std::vector<std::uint64_t> waits;
    };
    /// By vector clocks within it, whether all that was said is waited for at last.
    struct Capture {
        std::uint64_t number = 0;
        Recording said = {};
        std::map<int, Clock> clocks = {}; ///< clocks of the streams that have joined
        std::vector<Clock> events = {};
    };
    struct Seen {
        std::string name;
        Use use;
        int stream = 0;
        std::uint64_t at = 0;
    };

    void add(int stream, const std::string& name, std::vector<Use> uses, std::function<void()> run,
             std::function<bool()> mayRun = {});
    [[nodiscard]] Point pointOf(int stream);
    void letWait(int stream, const Point& point);
    [[nodiscard]] bool isCaptured(int stream) const {
        return capture_ && capture_->clocks.contains(stream);
    }
    void waitCaptured(int stream, const Point& point);
    void submit(int stream, std::string name, std::function<void()> run,
                std::function<bool()> mayRun = {});
    void check(const std::string& name, const Use& use, const Clock& clock, int stream) const;
    void requireOwned(const std::string& name, const Use& use) const;
    /// Drops uses that the host has already waited for.
    void hostHasSeen(const Clock& clock);
    [[nodiscard]] bool isDone(std::uint64_t op) const { return !pending_.contains(op); }
    [[nodiscard]] bool isNext(const Op& op) const;
    void runOne();
    void runUntil(std::uint64_t op, std::unique_lock<std::mutex>& lock);
    void rethrow() const;

    std::mutex mutex_;
    std::mt19937 random_;
    std::deque<Stream> streams_;
    std::map<std::uint64_t, Op> pending_;
    std::vector<Seen> seen_;
    std::map<const void*, std::int64_t> owned_;
    Clock host_;
    std::uint64_t ops_ = 0;
    std::optional<Capture> capture_;
    std::uint64_t captures_ = 0;
    std::exception_ptr failure_; ///< as on a real device, all that comes after it fails too
};

} // namespace weft::sim
