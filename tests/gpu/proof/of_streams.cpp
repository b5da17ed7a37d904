// SPDX-License-Identifier: Apache-2.0
// The loop that tests/gpu/tst_streams runs on the stand-in's streams, on streams of the device
// itself: copies, computing and communication side by side, ordered by events alone. What one
// stream hands to another is as large as the device needs to be seen at it half done.
#include "device/staged.h"
#include "one_kernel.h"
#include "stages.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace weft::proof {

namespace {

constexpr int steps = 4;
/// 0.5, 1.25, 2.125, 3.0625: halfway to 1, 2, 3 and 4 in turn.
constexpr float expected = 3.0625F;

class Loop {
public:
    Loop(const Proved& on, std::int64_t elements)
        : device_(on.backend->open(on.device, 1)),
          elements_(static_cast<std::size_t>(elements)),
          bytes_{elements * static_cast<std::int64_t>(sizeof(float))},
          subtract_(*on.backend, *device_,
                    {.op = "subtract", .inputs = {{elements}, {elements}}, .output = {elements}}),
          between_(device_->allocatePinned(bytes_)) {
        for (int k = 0; k < streams; ++k) {
            streams_.push_back(device_->makeUnboundStream(k));
            events_.push_back(streams_.back()->makeEvent());
        }
        for (std::unique_ptr<Arena>& arena : arenas_) {
            arena = device_->allocate(bytes_);
        }
        for (int step = 0; step < steps; ++step) {
            batches_.push_back(device_->allocatePinned(bytes_));
            std::ranges::fill(numbers(*batches_.back()), static_cast<float>(step + 1));
        }
    }
    ~Loop() {
        for (const std::unique_ptr<Stream>& stream : streams_) {
            try {
                stream->finish();
            } catch (const Error&) { // was told to who ran the loop
            }
        }
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Elements that came out wrong; throws what the device finds.
    std::int64_t run(bool waits) {
        const std::vector<float> nothing(elements_);
        device_->copyIn(at(weights), nothing.data(), bytes_);
        for (int step = 0; step < steps; ++step) {
            enqueue(static_cast<std::size_t>(step), waits);
        }
        for (const std::unique_ptr<Stream>& stream : streams_) {
            stream->finish();
        }
        std::vector<float> result(elements_);
        device_->copyOut(result.data(), at(weights), bytes_);
        return std::ranges::count_if(result, [](float x) { return x != expected; });
    }

private:
    enum Buffer : std::uint8_t { batch, gradient, sum, weights, buffers };
    enum Order : std::uint8_t { copying, computing, sending, streams };

    [[nodiscard]] void* at(Buffer buffer) const { return arenas_[buffer]->address(); }

    /// Orders everything that is enqueued in `later` from now on after everything in `first`.
    void order(Order first, Order later, bool waits) {
        if (waits) {
            streams_[later]->waitFor(*events_[first]);
        }
    }

    [[nodiscard]] std::span<float> numbers(const Arena& pinned) const {
        return {static_cast<float*>(pinned.address()), elements_};
    }

    void enqueue(std::size_t step, bool waits) {
        streams_[copying]->copyIn(at(batch), batches_[step]->address(), bytes_);
        streams_[copying]->leave(*events_[copying]);
        order(copying, computing, waits);
        subtract_.run(*streams_[computing], {at(weights), at(batch)}, at(gradient));
        streams_[computing]->leave(*events_[computing]);
        order(computing, copying, waits);
        order(computing, sending, waits);
        streams_[sending]->copyOut(between_->address(), at(gradient), bytes_);
        streams_[sending]->call([this] {
            for (float& x : numbers(*between_)) {
                x /= 2;
            }
        });
        streams_[sending]->copyIn(at(sum), between_->address(), bytes_);
        streams_[sending]->leave(*events_[sending]);
        order(sending, computing, waits);
        subtract_.run(*streams_[computing], {at(weights), at(sum)}, at(weights));
    }

    std::unique_ptr<Device> device_;
    std::size_t elements_;
    Bytes bytes_;
    OneKernel subtract_;
    std::array<std::unique_ptr<Arena>, buffers> arenas_;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::vector<std::unique_ptr<DeviceEvent>> events_;
    std::vector<std::unique_ptr<Arena>> batches_; ///< pinned
    std::unique_ptr<Arena> between_;              ///< pinned: what the host halves
};

/// A device that computes w = w - (b - (w - b)), of which the host computes the outer difference:
/// each step it gives back other numbers than the step before.
class HostFallback {
public:
    HostFallback(const Proved& on, std::int64_t elements)
        : device_(on.backend->open(on.device, 1)),
          stream_(device_->makeUnboundStream(0)),
          elements_(static_cast<std::size_t>(elements)),
          bytes_{elements * static_cast<std::int64_t>(sizeof(float))},
          subtract_(*on.backend, *device_, wanted(elements)) {
        const TensorPart part{.shape = {elements}, .begin = {0}, .whole = {elements}};
        const KernelRequest request{
            .op = "subtract", .inputs = {part, part}, .outputs = {part}, .mayChooseFormats = false};
        for (const KernelMaker& maker : on.host->of(request.op)) {
            if (ChoiceOrRefusal host = maker.choose(request); host && kernel_ == nullptr) {
                const KernelChoice choice = staged(std::move(*host), request);
                staging_ = device_->allocatePinned(choice.staging);
                kernel_ = choice.make();
            }
        }
        if (kernel_ == nullptr) {
            throw Error(ErrorCode::device, Where{.op = request.op},
                        "the reference has no kernel for it", "build the reference");
        }
        for (std::unique_ptr<Arena>* arena : {&weights_, &base_, &between_}) {
            *arena = device_->allocate(bytes_);
        }
    }

    /// Elements that came out wrong.
    std::int64_t run() {
        fill(*weights_, first);
        fill(*base_, 1);
        void* const between = between_->address();
        const std::vector<const void*> inputs{base_->address(), between};
        for (int step = 0; step < fallbackSteps; ++step) {
            subtract_.run(*stream_, {weights_->address(), base_->address()}, between);
            kernel_->run({inputs, {&between, 1}, nullptr, stream_.get(), {}, staging_->address()});
            subtract_.run(*stream_, {weights_->address(), between}, weights_->address());
        }
        stream_->finish();
        std::vector<float> result(elements_);
        device_->copyOut(result.data(), weights_->address(), bytes_);
        return std::ranges::count_if(result, [](float x) { return x != last; });
    }

private:
    static constexpr int fallbackSteps = 16;
    /// 3, 4, 6, 10: two and a power of two.
    static constexpr float first = 3;
    static constexpr float last = 2 + (1 << fallbackSteps);

    static KernelWanted wanted(std::int64_t elements) {
        return {.op = "subtract", .inputs = {{elements}, {elements}}, .output = {elements}};
    }
    void fill(const Arena& arena, float value) {
        const std::vector<float> numbers(elements_, value);
        device_->copyIn(arena.address(), numbers.data(), bytes_);
    }

    std::unique_ptr<Device> device_;
    std::unique_ptr<Arena> staging_;
    std::unique_ptr<Stream> stream_;
    std::size_t elements_;
    Bytes bytes_;
    OneKernel subtract_;
    std::unique_ptr<Kernel> kernel_;
    std::unique_ptr<Arena> weights_;
    std::unique_ptr<Arena> base_;
    std::unique_ptr<Arena> between_;
};

template <class Run>
void repeats(Case& trial, const Proved& on, std::int64_t elements, const Report& report,
             const Run& run) {
    int done = 0;
    while (done < on.repeats && !report.isTimeUp()) {
        const std::int64_t wrong = run();
        trial.require(wrong == 0,
                      fmt::format("repeat {}: {} of {} numbers", done, wrong, elements));
        ++done;
    }
    trial.note("repeats", done);
}

void holds(Case& trial, const Proved& on, std::int64_t elements, const Report& report) {
    Loop loop(on, elements);
    repeats(trial, on, elements, report, [&] { return loop.run(true); });
}

void computesOnHost(Case& trial, const Proved& on, std::int64_t elements, const Report& report) {
    HostFallback loop(on, elements);
    repeats(trial, on, elements, report, [&] { return loop.run(); });
}

/// That waits are there for something: nothing is wrong with a device on which this never shows.
void isMissed(Case& trial, const Proved& on, std::int64_t elements) {
    const int repeats = std::min(on.repeats, 50);
    int found = 0;
    for (int k = 0; k < repeats; ++k) {
        Loop loop(on, elements);
        try {
            found += loop.run(false) > 0 ? 1 : 0;
        } catch (const Error&) {
            ++found;
        }
    }
    trial.note("repeats", repeats);
    trial.note("wrong", found);
}

} // namespace

void proveStreams(const Proved& on, Report& report) {
    for (const std::int64_t elements : {std::int64_t{1} << 10, std::int64_t{1} << 18}) {
        report.run(fmt::format("three streams over {} numbers", elements),
                   [&](Case& trial) { holds(trial, on, elements, report); });
        report.run(fmt::format("an op on the host over {} numbers", elements),
                   [&](Case& trial) { computesOnHost(trial, on, elements, report); });
    }
    report.run("the same without waits",
               [&](Case& trial) { isMissed(trial, on, std::int64_t{1} << 18); });
}

} // namespace weft::proof
