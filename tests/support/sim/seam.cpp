// SPDX-License-Identifier: Apache-2.0
// The seam of CUDA's backend by chips that are not there.
#include "backends/cuda/runtime/seam.h"

#include "device/backend.h"
#include "support/sim/chip.h"
#include "support/sim/given.h"
#include <weft/error.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <utility>

namespace weft {

namespace sim {

void* SimChip::allocate(std::int64_t bytes) {
    return add(std::make_unique<HiddenArena>(Bytes{bytes}));
}

void* SimChip::add(std::unique_ptr<HiddenArena> arena) {
    void* const address = arena->address();
    streams_.own(address, arena->size().count);
    const std::scoped_lock lock(mutex_);
    arenas_[address] = std::move(arena);
    return address;
}

const HiddenArena& SimChip::arenaAt(const void* address) const {
    const std::scoped_lock lock(mutex_);
    return *arenas_.at(address);
}

std::int64_t SimChip::freeMemory() const {
    const char* const others = std::getenv("WEFT_SIM_TAKEN");
    std::int64_t left = chipMemory - (others == nullptr ? 0 : std::strtoll(others, nullptr, 10));
    const std::scoped_lock lock(mutex_);
    for (const auto& [address, arena] : arenas_) {
        left -= arena->size().count;
    }
    return left;
}

bool SimChip::release(void* memory) {
    const std::scoped_lock lock(mutex_);
    const auto found = arenas_.find(memory);
    if (found == arenas_.end()) {
        return false;
    }
    streams_.disown(memory, found->second->size().count);
    arenas_.erase(found);
    return true;
}

std::byte* SimChip::behind(const void* hidden) const {
    if (hidden == nullptr) {
        return nullptr;
    }
    const std::scoped_lock lock(mutex_);
    auto at = arenas_.upper_bound(hidden);
    ensure(at != arenas_.begin(), "an address of the device is in one of its arenas");
    --at;
    return const_cast<std::byte*>(static_cast<const std::byte*>(hidden)) + at->second->delta();
}

ChipStream& streamBehind(void* stream) { return *static_cast<ChipStream*>(stream); }

std::vector<std::string> chipsHere() {
    const char* const given = std::getenv("WEFT_SIM_CHIPS");
    std::istringstream list(given == nullptr ? "0,1" : given);
    std::vector<std::string> numbers;
    for (std::string number; std::getline(list, number, ',');) {
        numbers.push_back(number);
    }
    return numbers;
}

unsigned seed() {
    const char* const given = std::getenv("WEFT_SIM_SEED");
    return given == nullptr ? 1U : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

namespace {

/// As many as are asked for, for as long as the process lives.
class Chips {
public:
    SimChip& at(int number) {
        const std::scoped_lock lock(mutex_);
        std::unique_ptr<SimChip>& chip = chips_[number];
        if (chip == nullptr) {
            chip = std::make_unique<SimChip>(seed() * 1000 + static_cast<unsigned>(number));
        }
        return *chip;
    }
    void release(void* memory) {
        const std::scoped_lock lock(mutex_);
        for (const auto& [number, chip] : chips_) {
            if (chip->release(memory)) {
                return;
            }
        }
    }

private:
    std::mutex mutex_;
    std::map<int, std::unique_ptr<SimChip>> chips_;
};

Chips& chips() {
    static Chips all;
    return all;
}

thread_local int chosen = 0;

/// Simulates a CUDA event.
struct ChipEvent {
    SimChip* chip = nullptr;
    Point point = {};
    std::unique_ptr<SharedEvent> given = {}; ///< set for an event shared with other processes
};

/// Simulates a CUDA graph.
struct ChipGraph {
    std::shared_ptr<const Recording> recording;
};

ChipGraph& of(cuda::Graph graph) { return *reinterpret_cast<ChipGraph*>(graph); }
ChipStream& of(cuda::StreamHandle stream) { return *reinterpret_cast<ChipStream*>(stream); }
ChipEvent& of(cuda::Event event) { return *reinterpret_cast<ChipEvent*>(event); }

/// From the first to the last element of the box, on one of its sides.
std::int64_t reach(const BoxCopy& box, std::int64_t BoxCopy::Loop::*step) {
    std::int64_t last =
        (box.across.size - 1) * box.across.*step + (box.along.size - 1) * box.along.*step;
    for (std::size_t k = 0; k < box.outerCount; ++k) {
        last += (box.outer[k].size - 1) * box.outer[k].*step;
    }
    return last + 1;
}

/// Memory of the host that was allocated pinned. All other memory of the host is pageable.
class PinnedMemory {
public:
    void* allocate(std::int64_t bytes) {
        void* const memory = ::operator new(static_cast<std::size_t>(bytes));
        const std::scoped_lock lock(mutex_);
        blocks_[memory] = bytes;
        return memory;
    }
    void release(void* memory) {
        {
            const std::scoped_lock lock(mutex_);
            blocks_.erase(memory);
        }
        ::operator delete(memory);
    }
    [[nodiscard]] bool holds(const void* memory, std::int64_t bytes) const {
        const std::scoped_lock lock(mutex_);
        const auto after = blocks_.upper_bound(memory);
        if (after == blocks_.begin()) {
            return false;
        }
        const auto& [begin, size] = *std::prev(after);
        return static_cast<const std::byte*>(memory) + bytes <=
               static_cast<const std::byte*>(begin) + size;
    }

private:
    mutable std::mutex mutex_;
    std::map<const void*, std::int64_t> blocks_; ///< by where they begin
};

PinnedMemory& pinnedMemory() {
    static PinnedMemory all;
    return all;
}

} // namespace

int chosenChip() { return chosen; }

} // namespace sim

namespace cuda::seam {

using namespace sim;

Survey survey() { return {.devices = static_cast<int>(chipsHere().size())}; }

Chip chip(int /*number*/) { return {.name = "stands in for a GPU", .major = 9}; }

void use(int number) { chosen = number; }

std::int64_t freeMemory() { return chips().at(chosen).freeMemory(); }
void* allocate(std::int64_t bytes) { return chips().at(chosen).allocate(bytes); }
void release(void* memory) noexcept { chips().release(memory); }

void* allocatePinned(std::int64_t bytes) { return pinnedMemory().allocate(bytes); }
void releasePinned(void* memory) noexcept { pinnedMemory().release(memory); }

StreamHandle makeStream() {
    SimChip& chip = chips().at(chosen);
    return reinterpret_cast<StreamHandle>(new ChipStream{&chip, chip.streams().add()});
}
void release(StreamHandle stream) noexcept { delete &of(stream); }
void finish(StreamHandle stream) { of(stream).chip->streams().finish(of(stream).stream); }
void requireLaunched() {}

/// As the driver does, a pageable source is read when the copy is enqueued, and the caller waits
/// for a copy to a pageable destination.
void copyIn(StreamHandle stream, void* device, const void* host, std::int64_t bytes) {
    const std::string name = "a copy in";
    std::byte* const to = of(stream).chip->behind(device);
    if (!pinnedMemory().holds(host, bytes)) {
        of(stream).chip->streams().readPageable(of(stream).stream, name, {host, bytes, false});
        const auto* const first = static_cast<const std::byte*>(host);
        of(stream).enqueue(
            name, {{device, bytes, true}},
            [to, read = std::vector(first, first + bytes)] { std::ranges::copy(read, to); });
        return;
    }
    of(stream).enqueue(name, {{device, bytes, true}, {host, bytes, false}}, [to, host, bytes] {
        std::memcpy(to, host, static_cast<std::size_t>(bytes));
    });
}
void copyOut(StreamHandle stream, void* host, const void* device, std::int64_t bytes) {
    of(stream).enqueue("a copy out", {{device, bytes, false}, {host, bytes, true}},
                       [from = of(stream).chip->behind(device), host, bytes] {
                           std::memcpy(host, from, static_cast<std::size_t>(bytes));
                       });
    if (!pinnedMemory().holds(host, bytes)) {
        finish(stream);
    }
}
void copyBox(StreamHandle stream, const BoxCopy& box, std::size_t elementSize, const void* from,
             void* to) {
    const auto size = static_cast<std::int64_t>(elementSize);
    of(stream).enqueue(
        "a box is copied",
        {{from, reach(box, &BoxCopy::Loop::from) * size, false},
         {to, reach(box, &BoxCopy::Loop::to) * size, true}},
        [=, source = of(stream).chip->behind(from), target = of(stream).chip->behind(to)] {
            weft::copyBox(box, elementSize, source, target);
        });
}
void call(StreamHandle stream, std::function<void()> run) {
    of(stream).enqueue("a call of the host", {}, std::move(run));
}

Event makeEvent() { return reinterpret_cast<Event>(new ChipEvent{&chips().at(chosen)}); }
void release(Event event) noexcept { delete &of(event); }
void record(Event event, StreamHandle stream) {
    if (of(event).given != nullptr) {
        SharedEventCounts& counts = of(event).given->counts();
        of(stream).enqueue("a mark for other processes", {},
                           [&counts, left = ++counts.left] { counts.come = left; });
    }
    of(event).point = of(event).chip->streams().leave(of(stream).stream);
}
void wait(StreamHandle stream, Event event) {
    if (of(event).given != nullptr && of(event).given->isTaken()) {
        const SharedEventCounts& counts = of(event).given->counts();
        of(stream).enqueue(
            "waits for another process", {}, [] {},
            [&counts, left = counts.left.load()] { return counts.come >= left; });
        return;
    }
    of(event).chip->streams().waitFor(of(stream).stream, of(event).point);
}
bool hasEnded(Event event) { return of(event).chip->streams().hasEnded(of(event).point); }
void finish(Event event) {
    while (!hasEnded(event)) {
    }
}
std::int64_t between(Event first, Event second) {
    return *of(second).point.time - *of(first).point.time;
}

Handle exportMemory(void* memory) { return givenMemory(chips().at(chosen).arenaAt(memory)); }
void* openMemory(const Handle& handle) { return chips().at(chosen).add(takenMemory(handle)); }
void closeMemory(void* taken) noexcept { chips().release(taken); }
Event makeSharedEvent() {
    return reinterpret_cast<Event>(
        new ChipEvent{&chips().at(chosen), {}, std::make_unique<SharedEvent>()});
}
Handle exportEvent(Event event) { return of(event).given->handle(); }
Event openEvent(const Handle& handle) {
    return reinterpret_cast<Event>(
        new ChipEvent{&chips().at(chosen), {}, std::make_unique<SharedEvent>(handle)});
}

void beginCapture(StreamHandle stream) {
    of(stream).chip->streams().beginCapture(of(stream).stream);
}
Graph endCapture(StreamHandle stream) {
    return reinterpret_cast<Graph>(
        new ChipGraph{of(stream).chip->streams().endCapture(of(stream).stream)});
}
void dropCapture(StreamHandle stream) noexcept { of(stream).chip->streams().dropCapture(); }
void launch(Graph graph, StreamHandle stream) {
    of(stream).chip->streams().repeat(of(stream).stream, *of(graph).recording);
}
void release(Graph graph) noexcept { delete &of(graph); }

} // namespace cuda::seam

} // namespace weft
