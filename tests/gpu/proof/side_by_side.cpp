// SPDX-License-Identifier: Apache-2.0
#include "one_kernel.h"
#include "stages.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::proof {

namespace {

/// A kernel whose few blocks leave most of a chip to others.
class LongRows {
public:
    LongRows(const Proved& on, Device& device)
        : shape_{8, on.hasTimes ? std::int64_t{1} << 17 : 64},
          bytes_{elementsOf(shape_) * static_cast<std::int64_t>(sizeof(float))},
          kernel_(*on.backend, device, {.op = "softmax", .inputs = {shape_}, .output = shape_}),
          x_(device.allocate(bytes_)),
          y_(device.allocate(bytes_)) {}

    void run(Stream& stream, int times) {
        for (int k = 0; k < times; ++k) {
            kernel_.run(stream, {x_->address()}, y_->address());
        }
    }
    /// Returns true if each row is uniform, as expected for zeros.
    [[nodiscard]] bool isRight(Device& device) const {
        std::vector<float> y(static_cast<std::size_t>(elementsOf(shape_)));
        device.copyOut(y.data(), y_->address(), bytes_);
        const float even = 1.0F / static_cast<float>(shape_[1]);
        return std::ranges::all_of(y,
                                   [even](float x) { return std::abs(x - even) < 1e-3F * even; });
    }

private:
    Shape shape_;
    Bytes bytes_;
    OneKernel kernel_;
    std::unique_ptr<Arena> x_;
    std::unique_ptr<Arena> y_;
};

class TwoStreams {
public:
    explicit TwoStreams(const Proved& on) : device_(on.backend->open(on.device, 1)) {
        for (int k = 0; k < 2; ++k) {
            streams_.push_back(device_->makeUnboundStream(k));
            ends_.push_back(streams_.back()->makeEvent());
            rows_.push_back(std::make_unique<LongRows>(on, *device_));
        }
        begin_ = streams_[0]->makeEvent();
    }

    /// Nanoseconds of so many of each, in one stream or in two.
    std::int64_t take(int times, bool inTwo) {
        streams_[0]->leave(*begin_);
        streams_[1]->waitFor(*begin_);
        for (std::size_t k = 0; k < streams_.size(); ++k) {
            Stream& stream = *streams_[inTwo ? k : 0];
            rows_[k]->run(stream, times);
            stream.leave(*ends_[k]);
        }
        for (const std::unique_ptr<DeviceEvent>& end : ends_) {
            while (!end->hasEnded()) {
            }
        }
        const std::int64_t time = std::max(ends_[0]->time(), ends_[1]->time()) - begin_->time();
        for (const std::unique_ptr<Stream>& stream : streams_) {
            stream->finish();
        }
        return time;
    }
    [[nodiscard]] bool areRight() const {
        return std::ranges::all_of(rows_,
                                   [this](const auto& one) { return one->isRight(*device_); });
    }

private:
    std::unique_ptr<Device> device_;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::vector<std::unique_ptr<DeviceEvent>> ends_;
    std::unique_ptr<DeviceEvent> begin_;
    std::vector<std::unique_ptr<LongRows>> rows_;
};

void overlap(Case& trial, const Proved& on) {
    TwoStreams streams(on);
    const int times = on.hasTimes ? 50 : 2;
    static_cast<void>(streams.take(times, true)); // warm-up
    const std::int64_t one = streams.take(times, false);
    const std::int64_t two = streams.take(times, true);
    trial.require(streams.areRight(), "computes other numbers");
    if (!on.hasTimes) {
        return;
    }
    const double share =
        static_cast<double>(two) / static_cast<double>(std::max<std::int64_t>(1, one));
    trial.note("microseconds_one_lane", static_cast<double>(one) * 1e-3);
    trial.note("microseconds_two_lanes", static_cast<double>(two) * 1e-3);
    trial.require(share < 0.75, fmt::format("two streams take {:.2f} of the time of one", share));
}

/// Measures the cost of one of many empty kernels, on the device and on the host that enqueues
/// them.
void launch(Case& trial, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    const auto stream = device->makeUnboundStream(0);
    OneKernel kernel(
        *on.backend, *device,
        {.op = "scale", .attributes = {{"factor", 2.0}}, .inputs = {{1}}, .output = {1}});
    const auto number = device->allocate({sizeof(float)});
    const auto begin = stream->makeEvent();
    const auto end = stream->makeEvent();
    const int times = on.hasTimes ? 2000 : 5;
    for (int round = 0; round < 2; ++round) { // the first only warms up
        stream->leave(*begin);
        const std::int64_t before = nowNanoseconds();
        for (int k = 0; k < times; ++k) {
            kernel.run(*stream, {number->address()}, number->address());
        }
        const std::int64_t enqueued = nowNanoseconds() - before;
        stream->leave(*end);
        stream->finish();
        if (on.hasTimes && round == 1) {
            trial.note("nanoseconds_each", (end->time() - begin->time()) / times);
            trial.note("nanoseconds_to_enqueue", enqueued / times);
            trial.note("sheet_overhead", device->sheet().overhead.count);
        }
    }
}

} // namespace

void proveSideBySide(const Proved& on, Report& report) {
    report.run("two streams beside each other", [&](Case& trial) { overlap(trial, on); });
    report.run("kernels that do nothing", [&](Case& trial) { launch(trial, on); });
}

} // namespace weft::proof
