// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/runtime/device.h"

#include "backends/cuda/runtime/pinned_ring.h"
#include "backends/cuda/runtime/seam.h"
#include <weft/error.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace weft::cuda {

namespace {

class OwnEvent {
public:
    OwnEvent() : OwnEvent(seam::makeEvent()) {}
    explicit OwnEvent(Event event) : event_(event) {}
    ~OwnEvent() { seam::release(event_); }
    OwnEvent(const OwnEvent&) = delete;
    OwnEvent& operator=(const OwnEvent&) = delete;
    [[nodiscard]] Event get() const { return event_; }

private:
    Event event_;
};

class OwnStream {
public:
    OwnStream() : stream_(seam::makeStream()) {}
    ~OwnStream() { seam::release(stream_); }
    OwnStream(const OwnStream&) = delete;
    OwnStream& operator=(const OwnStream&) = delete;
    [[nodiscard]] StreamHandle get() const { return stream_; }

private:
    StreamHandle stream_;
};

/// The origin of a GPU's time: an event that ended just before the host's clock was read.
struct Origin {
    OwnEvent event;
    std::int64_t host = 0;
};

/// GPUs measure time between two events, with limited precision and drift from the host's clock, so
/// each run uses a recent origin.
class ChipClock {
public:
    std::shared_ptr<const Origin> origin() {
        const std::scoped_lock lock(mutex_);
        if (now_ == nullptr) {
            auto origin = std::make_shared<Origin>();
            seam::record(origin->event.get(), stream_.get());
            seam::finish(origin->event.get());
            origin->host = nowNanoseconds();
            now_ = std::move(origin);
        }
        return now_;
    }
    /// Call at the end of a run: the next run may use a new origin.
    void end() {
        const std::scoped_lock lock(mutex_);
        if (now_ != nullptr && nowNanoseconds() - now_->host > lasts) {
            now_ = nullptr;
        }
    }

private:
    static constexpr std::int64_t lasts = 100'000'000; ///< nanoseconds for which an origin is used

    std::mutex mutex_;
    OwnStream stream_; ///< holds no other work, so that the event ends at once
    std::shared_ptr<const Origin> now_;
};

class ChipEventOfDevice final : public DeviceEvent {
public:
    ChipEventOfDevice() = default;
    explicit ChipEventOfDevice(Event event) : event_(event) {}
    [[nodiscard]] Event event() const { return event_.get(); }
    [[nodiscard]] bool hasEnded() const override { return seam::hasEnded(event_.get()); }
    [[nodiscard]] std::int64_t time() const override {
        return origin_->host + seam::between(origin_->event.get(), event_.get());
    }
    void leave(StreamHandle stream, std::shared_ptr<const Origin> origin) {
        origin_ = std::move(origin);
        seam::record(event_.get(), stream);
    }
    void letWait(StreamHandle stream) const { seam::wait(stream, event_.get()); }

private:
    OwnEvent event_;
    std::shared_ptr<const Origin> origin_; ///< the clock's origin when it was last recorded
};

/// Waits for the stream and ignores failures.
void settle(StreamHandle stream) noexcept {
    try {
        seam::finish(stream);
    } catch (const Error&) {
        // The next operation reports the failure.
    }
}

/// Copies from the host between runs; streams wait for them.
class Puts {
public:
    void put(void* device, const void* host, std::int64_t bytes) {
        ring_.put(device, host, bytes);
        seam::record(landed_.get(), stream_.get());
        ++count_;
    }
    void fetch(std::span<const Fetch> all) { ring_.fetch(all); }
    /// Copies prefetched data, in stream order.
    void place(void* device, const void* from, std::int64_t bytes, Event placed) {
        const std::int64_t size = bytes % wordBytes == 0 ? wordBytes : 1;
        seam::copyBox(stream_.get(), boxCopy({bytes / size}, {1}, {1}),
                      static_cast<std::size_t>(size), from, device);
        seam::record(placed, stream_.get());
        seam::record(landed_.get(), stream_.get());
        ++count_;
    }
    void settle() noexcept { weft::cuda::settle(stream_.get()); }
    /// Makes the stream wait for the copies after number `seen`, and sets `seen` to their count.
    void letWait(StreamHandle stream, std::uint64_t& seen) const {
        if (seen != count_) {
            seam::wait(stream, landed_.get());
            seen = count_;
        }
    }

private:
    static constexpr std::int64_t wordBytes = 4;

    OwnStream stream_;
    PinnedRing ring_{stream_.get()};
    OwnEvent landed_;
    std::uint64_t count_ = 0;
};

/// Prefetches from the host while streams run, on a thread and a stream of its own. Waits until
/// earlier data is placed before overwriting it.
class Brought {
public:
    void bring(void* ahead, const void* host, std::int64_t bytes) {
        seam::wait(stream_.get(), placed_.get());
        ring_.put(ahead, host, bytes);
        seam::finish(stream_.get());
    }
    void place(Puts& puts, void* device, const void* ahead, std::int64_t bytes) {
        puts.place(device, ahead, bytes, placed_.get());
    }
    void settle() noexcept { weft::cuda::settle(stream_.get()); }

private:
    OwnStream stream_;
    PinnedRing ring_{stream_.get()};
    OwnEvent placed_;
};

/// A device's arenas by address, with the handles under which other processes open shared ones.
class Arenas {
public:
    void add(void* address) {
        const std::scoped_lock lock(mutex_);
        all_[address] = {};
    }
    void remove(void* address) {
        const std::scoped_lock lock(mutex_);
        all_.erase(address);
    }
    [[nodiscard]] ChipSharing::Place give(const void* address) {
        const std::scoped_lock lock(mutex_);
        const auto after = all_.upper_bound(const_cast<void*>(address));
        ensure(after != all_.begin(), "exported device memory lies in an arena");
        auto& [begin, handle] = *std::prev(after);
        handle = handle ? handle : seam::exportMemory(begin);
        return {*handle, static_cast<const std::byte*>(address) - static_cast<std::byte*>(begin)};
    }

private:
    std::mutex mutex_;
    std::map<void*, std::optional<seam::Handle>> all_;
};

class ChipArena final : public Arena {
public:
    ChipArena(Bytes size, std::shared_ptr<Puts> puts, std::shared_ptr<Brought> brought,
              std::shared_ptr<Arenas> arenas)
        : size_{std::max<std::int64_t>(size.count, 1)},
          puts_(std::move(puts)),
          brought_(std::move(brought)),
          arenas_(std::move(arenas)),
          address_(seam::allocate(size_.count)) {
        arenas_->add(address_);
    }
    ~ChipArena() override {
        brought_->settle();
        puts_->settle();
        arenas_->remove(address_);
        seam::release(address_);
    }
    ChipArena(const ChipArena&) = delete;
    ChipArena& operator=(const ChipArena&) = delete;

    [[nodiscard]] void* address() const override { return address_; }
    [[nodiscard]] Bytes size() const override { return size_; }

private:
    Bytes size_;
    std::shared_ptr<Puts> puts_;
    std::shared_ptr<Brought> brought_;
    std::shared_ptr<Arenas> arenas_;
    void* address_;
};

/// Pinned host memory.
class PinnedArena final : public Arena {
public:
    explicit PinnedArena(Bytes size)
        : size_{std::max<std::int64_t>(size.count, 1)},
          address_(seam::allocatePinned(size_.count)) {}
    ~PinnedArena() override { seam::releasePinned(address_); }
    PinnedArena(const PinnedArena&) = delete;
    PinnedArena& operator=(const PinnedArena&) = delete;

    [[nodiscard]] void* address() const override { return address_; }
    [[nodiscard]] Bytes size() const override { return size_; }

private:
    Bytes size_;
    void* address_;
};

/// GPU memory and events shared with other processes, and those opened from them, each once. A
/// process waits for all readers of its memory before it ends (comm/chip).
class Sharing final : public ChipSharing {
public:
    Sharing(int number, std::shared_ptr<Arenas> arenas)
        : number_(number), arenas_(std::move(arenas)) {}
    ~Sharing() override {
        for (const auto& [handle, memory] : taken_) {
            seam::closeMemory(memory);
        }
    }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

    [[nodiscard]] Place give(const void* address) override {
        seam::use(number_);
        return arenas_->give(address);
    }
    [[nodiscard]] void* take(const Place& place) override {
        seam::use(number_);
        auto& memory = taken_[place.memory];
        memory = memory == nullptr ? seam::openMemory(place.memory) : memory;
        return static_cast<std::byte*>(memory) + place.offset;
    }
    [[nodiscard]] std::unique_ptr<DeviceEvent> makeEvent() override {
        seam::use(number_);
        return std::make_unique<ChipEventOfDevice>(seam::makeSharedEvent());
    }
    [[nodiscard]] Handle give(const DeviceEvent& event) override {
        seam::use(number_);
        return seam::exportEvent(static_cast<const ChipEventOfDevice&>(event).event());
    }
    [[nodiscard]] std::unique_ptr<DeviceEvent> take(const Handle& event) override {
        seam::use(number_);
        return std::make_unique<ChipEventOfDevice>(seam::openEvent(event));
    }

private:
    int number_;
    std::shared_ptr<Arenas> arenas_;
    std::map<Handle, void*> taken_;
};

class ChipGraph final : public CapturedGraph {
public:
    explicit ChipGraph(Graph graph) : graph_(graph) {}
    ~ChipGraph() override { seam::release(graph_); }
    ChipGraph(const ChipGraph&) = delete;
    ChipGraph& operator=(const ChipGraph&) = delete;
    void run(Stream& stream) override;

private:
    Graph graph_;
};

class ChipStreamOfDevice final : public Stream {
public:
    ChipStreamOfDevice(int number, std::shared_ptr<ChipClock> clock,
                       std::shared_ptr<const Puts> puts)
        : number_(number), clock_(std::move(clock)), puts_(std::move(puts)) {}

    [[nodiscard]] void* handle() const override { return ready(); }
    [[nodiscard]] bool isSynchronous() const override { return false; }
    void finish() override {
        seam::use(number_);
        seam::finish(stream_.get());
        clock_->end();
    }
    [[nodiscard]] std::unique_ptr<DeviceEvent> makeEvent() override {
        seam::use(number_);
        return std::make_unique<ChipEventOfDevice>();
    }
    /// Launches since the previous event of a step used this device; their errors are reported
    /// here.
    void leave(DeviceEvent& event) override {
        auto* const handle = ready();
        seam::requireLaunched();
        static_cast<ChipEventOfDevice&>(event).leave(handle, clock_->origin());
    }
    void waitFor(const DeviceEvent& event) override {
        static_cast<const ChipEventOfDevice&>(event).letWait(ready());
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        seam::copyIn(ready(), device, host, size.count);
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        seam::copyOut(ready(), host, device, size.count);
    }
    void copyBox(const BoxCopy& box, std::size_t elementSize, const void* from, void* to) override {
        seam::copyBox(ready(), box, elementSize, from, to);
    }
    void call(const std::function<void()>& run) override { seam::call(ready(), run); }
    [[nodiscard]] std::unique_ptr<CapturedGraph>
    capture(const std::function<void()>& enqueue) override {
        auto* const handle = ready();
        (void)clock_->origin(); // made now: a capture must not synchronise
        seam::beginCapture(handle);
        try {
            enqueue();
        } catch (...) {
            seam::dropCapture(handle);
            throw;
        }
        return std::make_unique<ChipGraph>(seam::endCapture(handle));
    }
    void repeat(Graph graph) { seam::launch(graph, ready()); }

private:
    /// Prepares this thread to enqueue work that follows the host's copies.
    StreamHandle ready() const {
        seam::use(number_);
        puts_->letWait(stream_.get(), seen_);
        return stream_.get();
    }

    int number_;
    std::shared_ptr<ChipClock> clock_;
    std::shared_ptr<const Puts> puts_;
    mutable std::uint64_t seen_ = 0; ///< number of copies already waited for
    OwnStream stream_;
};

void ChipGraph::run(Stream& stream) { static_cast<ChipStreamOfDevice&>(stream).repeat(graph_); }

class ChipDevice final : public Device {
public:
    ChipDevice(int number, DeviceSheet sheet) : number_(number), sheet_(std::move(sheet)) {
        seam::use(number_);
        clock_ = std::make_shared<ChipClock>();
        puts_ = std::make_shared<Puts>();
        brought_ = std::make_shared<Brought>();
        arenas_ = std::make_shared<Arenas>();
        sharing_ = std::make_unique<Sharing>(number_, arenas_);
    }

    [[nodiscard]] const DeviceSheet& sheet() const override { return sheet_; }
    [[nodiscard]] Bytes freeMemory() override {
        seam::use(number_);
        return {seam::freeMemory()};
    }
    [[nodiscard]] bool isAsynchronous() const override { return true; }
    [[nodiscard]] ChipSharing* sharing() override { return sharing_.get(); }
    void use() override { seam::use(number_); }
    [[nodiscard]] std::unique_ptr<Arena> allocate(Bytes size) override {
        seam::use(number_);
        return std::make_unique<ChipArena>(size, puts_, brought_, arenas_);
    }
    [[nodiscard]] std::unique_ptr<Arena> allocatePinned(Bytes size) override {
        seam::use(number_);
        return std::make_unique<PinnedArena>(size);
    }
    [[nodiscard]] std::unique_ptr<Stream> makeStream(int, int) override {
        seam::use(number_);
        return std::make_unique<ChipStreamOfDevice>(number_, clock_, puts_);
    }
    [[nodiscard]] std::unique_ptr<Stream> makeUnboundStream(int index) override {
        return makeStream(index, 1);
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        seam::use(number_);
        puts_->put(device, host, size.count);
    }
    void bring(void* ahead, const void* host, Bytes size) override {
        seam::use(number_);
        brought_->bring(ahead, host, size.count);
    }
    void place(void* device, const void* ahead, Bytes size) override {
        seam::use(number_);
        brought_->place(*puts_, device, ahead, size.count);
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        const Fetch one{host, device, size};
        fetch({&one, 1});
    }
    void fetch(std::span<const Fetch> all) override {
        seam::use(number_);
        puts_->fetch(all);
    }

private:
    int number_;
    DeviceSheet sheet_;
    std::shared_ptr<ChipClock> clock_;
    std::shared_ptr<Puts> puts_;
    std::shared_ptr<Brought> brought_;
    std::shared_ptr<Arenas> arenas_;
    std::unique_ptr<Sharing> sharing_;
};

} // namespace

std::unique_ptr<Device> makeDevice(int number, DeviceSheet sheet) {
    return std::make_unique<ChipDevice>(number, std::move(sheet));
}

} // namespace weft::cuda
