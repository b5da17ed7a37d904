// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/device.h"

#include "backends/cuda/seam.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace weft::cuda {

namespace {

class ChipArena final : public Arena {
public:
    explicit ChipArena(Bytes size)
        : size_{std::max<std::int64_t>(size.count, 1)}, address_(seam::allocate(size_.count)) {}
    ~ChipArena() override { seam::release(address_); }
    ChipArena(const ChipArena&) = delete;
    ChipArena& operator=(const ChipArena&) = delete;

    [[nodiscard]] void* address() const override { return address_; }
    [[nodiscard]] Bytes size() const override { return size_; }

private:
    Bytes size_;
    void* address_;
};

class OwnEvent {
public:
    OwnEvent() : event_(seam::makeEvent()) {}
    ~OwnEvent() { seam::release(event_); }
    OwnEvent(const OwnEvent&) = delete;
    OwnEvent& operator=(const OwnEvent&) = delete;
    [[nodiscard]] Event get() const { return event_; }

private:
    Event event_;
};

/// From where a chip's time is counted: an event that was left in an idle stream, so that it is a
/// moment by the host's clock too.
struct Origin {
    OwnEvent event;
    std::int64_t host = 0;
};

/// A chip tells time from one event to another, in few digits: each run counts from its own.
class ChipClock {
public:
    std::shared_ptr<const Origin> originOn(Stream stream) {
        const std::scoped_lock lock(mutex_);
        if (now_ == nullptr) {
            auto origin = std::make_shared<Origin>();
            seam::record(origin->event.get(), stream);
            origin->host = nowNanoseconds();
            now_ = std::move(origin);
        }
        return now_;
    }
    /// All streams are idle, or will be: what comes next counts anew.
    void end() {
        const std::scoped_lock lock(mutex_);
        now_ = nullptr;
    }

private:
    std::mutex mutex_;
    std::shared_ptr<const Origin> now_;
};

class ChipMark final : public Mark {
public:
    [[nodiscard]] bool hasEnded() const override { return seam::hasEnded(event_.get()); }
    [[nodiscard]] std::int64_t time() const override {
        return origin_->host + seam::between(origin_->event.get(), event_.get());
    }
    void leave(Stream stream, std::shared_ptr<const Origin> origin) {
        origin_ = std::move(origin);
        seam::record(event_.get(), stream);
    }
    void letWait(Stream stream) const { seam::wait(stream, event_.get()); }

private:
    OwnEvent event_;
    std::shared_ptr<const Origin> origin_; ///< of where it was last left
};

class ChipLane final : public Lane {
public:
    ChipLane(int number, std::shared_ptr<ChipClock> clock)
        : number_(number), clock_(std::move(clock)), stream_(seam::makeStream()) {}
    ~ChipLane() override { seam::release(stream_); }
    ChipLane(const ChipLane&) = delete;
    ChipLane& operator=(const ChipLane&) = delete;

    [[nodiscard]] void* stream() const override { return stream_; }
    [[nodiscard]] bool isSynchronous() const override { return false; }
    void finish() override {
        seam::use(number_);
        seam::finish(stream_);
        clock_->end();
    }
    [[nodiscard]] std::unique_ptr<Mark> makeMark() override {
        seam::use(number_);
        return std::make_unique<ChipMark>();
    }
    /// Between the marks of a step stands what it launches, which is this device's then.
    void leave(Mark& mark) override {
        seam::use(number_);
        seam::requireLaunched();
        static_cast<ChipMark&>(mark).leave(stream_, clock_->originOn(stream_));
    }
    void waitFor(const Mark& mark) override {
        seam::use(number_);
        static_cast<const ChipMark&>(mark).letWait(stream_);
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        seam::use(number_);
        seam::copyIn(stream_, device, host, size.count);
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        seam::use(number_);
        seam::copyOut(stream_, host, device, size.count);
    }
    void call(const std::function<void()>& run) override {
        seam::use(number_);
        seam::call(stream_, run);
    }

private:
    int number_;
    std::shared_ptr<ChipClock> clock_;
    Stream stream_;
};

class ChipDevice final : public Device {
public:
    ChipDevice(int number, DeviceSheet sheet) : number_(number), sheet_(std::move(sheet)) {
        seam::use(number_);
        clock_ = std::make_shared<ChipClock>();
        copies_ = std::make_unique<ChipLane>(number_, clock_);
    }

    [[nodiscard]] const DeviceSheet& sheet() const override { return sheet_; }
    [[nodiscard]] bool isAsynchronous() const override { return true; }
    [[nodiscard]] std::unique_ptr<Arena> allocate(Bytes size) override {
        seam::use(number_);
        return std::make_unique<ChipArena>(size);
    }
    [[nodiscard]] std::unique_ptr<Lane> makeLane(int, int) override {
        seam::use(number_);
        return std::make_unique<ChipLane>(number_, clock_);
    }
    [[nodiscard]] std::unique_ptr<Lane> makeUnboundLane(int index) override {
        return makeLane(index, 1);
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        copies_->copyIn(device, host, size);
        copies_->finish();
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        copies_->copyOut(host, device, size);
        copies_->finish();
    }

private:
    int number_;
    DeviceSheet sheet_;
    std::shared_ptr<ChipClock> clock_;
    std::unique_ptr<ChipLane> copies_;
};

} // namespace

std::unique_ptr<Device> makeDevice(int number, DeviceSheet sheet) {
    return std::make_unique<ChipDevice>(number, std::move(sheet));
}

} // namespace weft::cuda
