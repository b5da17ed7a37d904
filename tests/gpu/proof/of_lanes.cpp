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

    void run(Lane& lane, int times) {
        for (int k = 0; k < times; ++k) {
            kernel_.run(lane, {x_->address()}, y_->address());
        }
    }
    /// Whether each of its rows is as even as what it was made from, which is zeros.
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

class TwoLanes {
public:
    explicit TwoLanes(const Proved& on) : device_(on.backend->open(on.device, 1)) {
        for (int k = 0; k < 2; ++k) {
            lanes_.push_back(device_->makeUnboundLane(k));
            ends_.push_back(lanes_.back()->makeMark());
            rows_.push_back(std::make_unique<LongRows>(on, *device_));
        }
        begin_ = lanes_[0]->makeMark();
    }

    /// Nanoseconds of so many of each, in one lane or in two.
    std::int64_t take(int times, bool inTwo) {
        lanes_[0]->leave(*begin_);
        lanes_[1]->waitFor(*begin_);
        for (std::size_t k = 0; k < lanes_.size(); ++k) {
            Lane& lane = *lanes_[inTwo ? k : 0];
            rows_[k]->run(lane, times);
            lane.leave(*ends_[k]);
        }
        for (const std::unique_ptr<Mark>& end : ends_) {
            while (!end->hasEnded()) {
            }
        }
        const std::int64_t time = std::max(ends_[0]->time(), ends_[1]->time()) - begin_->time();
        for (const std::unique_ptr<Lane>& lane : lanes_) {
            lane->finish();
        }
        return time;
    }
    [[nodiscard]] bool areRight() const {
        return std::ranges::all_of(rows_,
                                   [this](const auto& one) { return one->isRight(*device_); });
    }

private:
    std::unique_ptr<Device> device_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<std::unique_ptr<Mark>> ends_;
    std::unique_ptr<Mark> begin_;
    std::vector<std::unique_ptr<LongRows>> rows_;
};

void overlap(Case& at, const Proved& on) {
    TwoLanes lanes(on);
    const int times = on.hasTimes ? 50 : 2;
    static_cast<void>(lanes.take(times, true)); // what is only done once is done
    const std::int64_t one = lanes.take(times, false);
    const std::int64_t two = lanes.take(times, true);
    at.require(lanes.areRight(), "computes other numbers");
    if (!on.hasTimes) {
        return;
    }
    const double share =
        static_cast<double>(two) / static_cast<double>(std::max<std::int64_t>(1, one));
    at.note("microseconds_one_lane", static_cast<double>(one) * 1e-3);
    at.note("microseconds_two_lanes", static_cast<double>(two) * 1e-3);
    at.require(share < 0.75, fmt::format("two lanes take {:.2f} of the time of one", share));
}

/// What one of many kernels costs that do nothing: on the device, and the host that enqueues them.
void launch(Case& at, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    const auto lane = device->makeUnboundLane(0);
    OneKernel kernel(
        *on.backend, *device,
        {.op = "scale", .attributes = {{"factor", 2.0}}, .inputs = {{1}}, .output = {1}});
    const auto number = device->allocate({sizeof(float)});
    const auto begin = lane->makeMark();
    const auto end = lane->makeMark();
    const int times = on.hasTimes ? 2000 : 5;
    for (int round = 0; round < 2; ++round) { // the first only warms up
        lane->leave(*begin);
        const std::int64_t before = nowNanoseconds();
        for (int k = 0; k < times; ++k) {
            kernel.run(*lane, {number->address()}, number->address());
        }
        const std::int64_t enqueued = nowNanoseconds() - before;
        lane->leave(*end);
        lane->finish();
        if (on.hasTimes && round == 1) {
            at.note("nanoseconds_each", (end->time() - begin->time()) / times);
            at.note("nanoseconds_to_enqueue", enqueued / times);
            at.note("sheet_overhead", device->sheet().overhead.count);
        }
    }
}

} // namespace

void proveLanes(const Proved& on, Report& report) {
    report.run("two lanes beside each other", [&](Case& at) { overlap(at, on); });
    report.run("kernels that do nothing", [&](Case& at) { launch(at, on); });
}

} // namespace weft::proof
