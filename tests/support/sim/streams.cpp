// SPDX-License-Identifier: Apache-2.0
#include "support/sim/streams.h"

#include "device/backend.h"
#include "support/sim/chip_time.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace weft::sim {

namespace {

constexpr int hostStream = -1;

void join(Clock& into, const Clock& from) {
    for (const auto& [stream, time] : from) {
        into[stream] = std::max(into[stream], time);
    }
}

bool isBefore(const Clock& clock, int stream, std::uint64_t at) {
    const auto found = clock.find(stream);
    return found != clock.end() && found->second >= at;
}

const std::byte* endOf(const Use& use) {
    return static_cast<const std::byte*>(use.first) + use.size;
}

bool doMeet(const Use& a, const Use& b) { return a.first < endOf(b) && b.first < endOf(a); }

bool isWithin(const Use& inner, const Use& outer) {
    return inner.first >= outer.first && endOf(inner) <= endOf(outer);
}

[[noreturn]] void throwFault(const std::string& name, const std::string& what) {
    throw Error(ErrorCode::device, Where{.op = name}, what,
                "the program lacks a wait: see `weft explain --stage programs`");
}

} // namespace

int Streams::add() {
    const std::scoped_lock lock(mutex_);
    streams_.emplace_back();
    return static_cast<int>(streams_.size()) - 1;
}

void Streams::own(const void* first, std::int64_t size) {
    const std::scoped_lock lock(mutex_);
    owned_[first] = size;
}

void Streams::disown(const void* first, std::int64_t size) {
    const std::scoped_lock lock(mutex_);
    const Use all{first, size, true};
    try {
        check("the host frees it", all, host_, hostStream);
    } catch (...) {
        failure_ = std::current_exception();
        pending_.clear();
    }
    std::erase_if(seen_, [&](const Seen& seen) { return doMeet(seen.use, all); });
    owned_.erase(first);
    if (owned_.empty()) { // whoever takes the device next finds it as if new
        failure_ = nullptr;
        pending_.clear();
        seen_.clear();
        host_.clear();
        for (std::size_t k = 0; k < streams_.size(); ++k) { // each keeps its own time alone
            std::erase_if(streams_[k].clock,
                          [k](const auto& one) { return one.first != static_cast<int>(k); });
        }
    }
}

void Streams::requireOwned(const std::string& name, const Use& use) const {
    auto at = owned_.upper_bound(use.first);
    if (at == owned_.begin()) {
        throwFault(name, "uses memory that is not the device's, or was freed");
    }
    --at;
    if (!isWithin(use, {at->first, at->second, true})) {
        throwFault(name, "uses memory that is not the device's, or was freed");
    }
}

void Streams::check(const std::string& name, const Use& use, const Clock& clock, int stream) const {
    for (const Seen& seen : seen_) {
        if (doMeet(seen.use, use) && (seen.use.isWrite || use.isWrite) && seen.stream != stream &&
            !isBefore(clock, seen.stream, seen.at)) {
            throwFault(name, fmt::format("{} what {} {}, and nothing orders them",
                                         use.isWrite ? "writes" : "reads", seen.name,
                                         seen.use.isWrite ? "wrote" : "read"));
        }
    }
}

void Streams::enqueue(int stream, const std::string& name, std::vector<Use> uses,
                      std::function<void()> run, std::function<bool()> mayRun) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    if (isCaptured(stream)) {
        ensure(mayRun == nullptr, "what meets other devices is said anew each time");
        ++capture_->clocks[stream][stream];
        capture_->said.said.push_back(
            {Recording::Kind::work, stream, name, std::move(uses), std::move(run)});
        return;
    }
    add(stream, name, std::move(uses), std::move(run), std::move(mayRun));
}

void Streams::add(int stream, const std::string& name, std::vector<Use> uses,
                  std::function<void()> run, std::function<bool()> mayRun) {
    std::erase_if(uses, [](const Use& use) { return use.first == nullptr || use.size == 0; });
    Stream& mine = streams_[static_cast<std::size_t>(stream)];
    join(mine.clock, host_); // work of the host comes after everything that it has waited for
    const std::uint64_t at = mine.clock[stream] + 1;
    for (const Use& use : uses) {
        check(name, use, mine.clock, stream);
    }
    for (const Use& use : uses) {
        if (use.isWrite) { // earlier uses within a later, ordered write no longer matter
            std::erase_if(seen_, [&](const Seen& seen) { return isWithin(seen.use, use); });
        }
        seen_.push_back({name, use, stream, at});
    }
    submit(stream, name, std::move(run), std::move(mayRun));
}

void Streams::submit(int stream, std::string name, std::function<void()> run,
                     std::function<bool()> mayRun) {
    Stream& mine = streams_[static_cast<std::size_t>(stream)];
    ++mine.clock[stream];
    std::vector<std::uint64_t> after = std::exchange(mine.waits, {});
    after.push_back(mine.last);
    mine.last = ++ops_;
    pending_.emplace(ops_,
                     Op{std::move(name), std::move(run), std::move(after), std::move(mayRun)});
    if (random_() % 3 == 0) {
        runOne();
    }
}

Point Streams::leave(int stream) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    if (isCaptured(stream)) {
        const std::size_t number = capture_->events.size();
        capture_->events.push_back(capture_->clocks[stream]);
        capture_->said.said.push_back(
            {.kind = Recording::Kind::event, .stream = stream, .event = number});
        return {.capture = capture_->number, .number = number};
    }
    return pointOf(stream);
}

Point Streams::pointOf(int stream) {
    auto time = std::make_shared<std::int64_t>(0);
    submit(stream, "a mark", [time] { *time = nowNanoseconds() + passedNanoseconds; });
    const Stream& mine = streams_[static_cast<std::size_t>(stream)];
    Point point{mine.clock, mine.last, std::move(time)};
    join(point.clock, host_);
    return point;
}

void Streams::waitFor(int stream, const Point& point) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    if (point.capture != 0 || isCaptured(stream)) {
        waitCaptured(stream, point);
        return;
    }
    letWait(stream, point);
}

void Streams::waitCaptured(int stream, const Point& point) {
    if (!capture_ || point.capture != capture_->number) {
        throwFault("a wait", point.capture == 0 ? "of what is captured for what is not"
                                                : "for a mark that was left in a capture");
    }
    join(capture_->clocks[stream], capture_->events[point.number]);
    capture_->said.said.push_back(
        {.kind = Recording::Kind::wait, .stream = stream, .event = point.number});
}

void Streams::letWait(int stream, const Point& point) {
    Stream& mine = streams_[static_cast<std::size_t>(stream)];
    join(mine.clock, point.clock);
    mine.waits.push_back(point.last);
}

void Streams::finish(int stream) {
    std::unique_lock lock(mutex_);
    if (isCaptured(stream)) {
        throwFault("the host", "waits for a stream that is captured");
    }
    const Stream& mine = streams_[static_cast<std::size_t>(stream)];
    runUntil(mine.last, lock);
    hostHasSeen(mine.clock);
}

bool Streams::hasEnded(const Point& point) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    if (point.capture != 0) {
        throwFault("the host", "asks for a mark that was left in a capture");
    }
    constexpr unsigned most = 8;
    for (unsigned left = random_() % most + 1; left > 0 && !isDone(point.last); --left) {
        runOne();
    }
    rethrow();
    if (!isDone(point.last)) {
        return false;
    }
    hostHasSeen(point.clock);
    return true;
}

void Streams::beginCapture(int stream) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    if (capture_) {
        throwFault("a capture", "begins in another");
    }
    capture_ = Capture{.number = ++captures_, .said = {.origin = stream, .said = {}}};
    capture_->clocks[stream] = {};
}

std::shared_ptr<const Recording> Streams::endCapture(int stream) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    ensure(capture_ && capture_->said.origin == stream, "who captures has begun to");
    const Capture made = *std::exchange(capture_, std::nullopt);
    auto recording = std::make_shared<Recording>(made.said);
    for (const auto& [joined, clock] : made.clocks) {
        const auto own = clock.find(joined);
        if (own != clock.end() && !isBefore(made.clocks.at(stream), joined, own->second)) {
            throwFault("a capture", "ends and does not wait for a stream that it forked");
        }
        streams_.emplace_back();
        recording->streams[joined] = static_cast<int>(streams_.size()) - 1;
    }
    recording->streams[stream] = stream;
    return recording;
}

void Streams::dropCapture() noexcept {
    const std::scoped_lock lock(mutex_);
    capture_.reset();
}

void Streams::repeat(int stream, const Recording& recording) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    ensure(recording.origin == stream && !isCaptured(stream),
           "what was captured is repeated where it was");
    std::map<std::size_t, Point> events;
    for (const Recording::Said& one : recording.said) {
        const int on = recording.streams.at(one.stream);
        switch (one.kind) {
        case Recording::Kind::work: add(on, one.name, one.uses, one.run); break;
        case Recording::Kind::event: events[one.event] = pointOf(on); break;
        case Recording::Kind::wait: letWait(on, events.at(one.event)); break;
        }
    }
}

void Streams::touch(const std::string& name, const Use& use) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    requireOwned(name, use);
    check(name, use, host_, hostStream);
}

void Streams::readPageable(int stream, const std::string& name, const Use& use) {
    const std::scoped_lock lock(mutex_);
    rethrow();
    if (isCaptured(stream)) {
        throwFault(name, "is captured, and its source is not pinned");
    }
    check(name, use, host_, hostStream);
}

void Streams::hostHasSeen(const Clock& clock) {
    join(host_, clock);
    std::erase_if(seen_,
                  [this](const Seen& seen) { return isBefore(host_, seen.stream, seen.at); });
}

bool Streams::isNext(const Op& op) const {
    return std::ranges::all_of(op.after, [this](std::uint64_t one) { return isDone(one); });
}

void Streams::runOne() {
    std::vector<std::uint64_t> ready;
    for (const auto& [number, op] : pending_) {
        if (isNext(op) && (!op.mayRun || op.mayRun())) {
            ready.push_back(number);
        }
    }
    if (ready.empty()) {
        return;
    }
    const std::uint64_t chosen = ready[random_() % ready.size()];
    const Op op = std::move(pending_.at(chosen));
    try {
        op.run();
    } catch (...) {
        failure_ = std::current_exception();
        pending_.clear();
        return;
    }
    pending_.erase(chosen);
}

void Streams::runUntil(std::uint64_t op, std::unique_lock<std::mutex>& lock) {
    while (!isDone(op)) {
        const std::size_t before = pending_.size();
        runOne();
        if (pending_.size() < before) {
            continue;
        }
        if (std::ranges::none_of(pending_, [this](const auto& one) {
                return one.second.mayRun && isNext(one.second);
            })) {
            throwFault("the device", "its streams wait for each other");
        }
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        lock.lock();
    }
    rethrow();
}

void Streams::rethrow() const {
    if (failure_) {
        std::rethrow_exception(failure_);
    }
}

} // namespace weft::sim
