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

/// A chip counts time from event to event, in few digits: each run has an event of its own to count
/// from, which is left in an idle stream, so that it is now by the host's clock too.
class ChipClock {
public:
    void begin(Stream stream) {
        const std::scoped_lock lock(mutex_);
        if (!hasBegun_) {
            seam::record(origin_.get(), stream);
            host_ = nowNanoseconds();
            hasBegun_ = true;
        }
    }
    /// What is left next begins a run.
    void end() {
        const std::scoped_lock lock(mutex_);
        hasBegun_ = false;
    }
    [[nodiscard]] std::int64_t at(Event event) const {
        return host_ + seam::between(origin_.get(), event);
    }

private:
    std::mutex mutex_;
    OwnEvent origin_;
    std::int64_t host_ = 0;
    bool hasBegun_ = false;
};

class ChipMark final : public Mark {
public:
    explicit ChipMark(std::shared_ptr<ChipClock> clock) : clock_(std::move(clock)) {}
    [[nodiscard]] bool hasEnded() const override { return seam::hasEnded(event()); }
    [[nodiscard]] std::int64_t time() const override { return clock_->at(event()); }
    [[nodiscard]] Event event() const { return event_.get(); }

private:
    std::shared_ptr<ChipClock> clock_;
    OwnEvent event_;
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
        clock_->end();
        seam::finish(stream_);
    }
    [[nodiscard]] std::unique_ptr<Mark> makeMark() override {
        seam::use(number_);
        return std::make_unique<ChipMark>(clock_);
    }
    /// Between the marks of a step stands what it launches, which is this device's then.
    void leave(Mark& mark) override {
        seam::use(number_);
        seam::requireLaunched();
        clock_->begin(stream_);
        seam::record(static_cast<ChipMark&>(mark).event(), stream_);
    }
    void waitFor(const Mark& mark) override {
        seam::use(number_);
        seam::wait(stream_, static_cast<const ChipMark&>(mark).event());
    }
    void copyIn(void* device, const void* host, Bytes size) override {
        seam::use(number_);
        seam::copyIn(stream_, device, host, size.count);
    }
    void copyOut(void* host, const void* device, Bytes size) override {
        seam::use(number_);
        seam::copyOut(stream_, host, device, size.count);
    }
    void call(std::function<void()> run) override {
        seam::use(number_);
        seam::call(stream_, std::move(run));
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
