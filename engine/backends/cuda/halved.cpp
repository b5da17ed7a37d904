// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/epilogue.h"
#include "backends/cuda/halves.h"
#include "backends/cuda/plan_table.h"
#include "backends/cuda/planned.h"

#include <algorithm>

namespace weft::cuda {

namespace {

constexpr std::int64_t placed = 256; ///< where operands may begin in scratch

std::int64_t roundedUp(std::int64_t bytes) { return (bytes + placed - 1) / placed * placed; }

std::int64_t bytesOf(const Maps& maps) {
    return maps.elements() * static_cast<std::int64_t>(sizeof(Half));
}

/// Operands and the result, as a pass reads and makes them.
struct PassMaps {
    Maps first, second, result;

    [[nodiscard]] std::int64_t bytes() const {
        return roundedUp(bytesOf(first)) + roundedUp(bytesOf(second)) + roundedUp(bytesOf(result));
    }
};

PassMaps mapsOf(const Convolution& c, ConvolutionPass pass) {
    const Maps x{c.batch, std::int64_t{c.groups} * c.inputs, c.plane(), c.isXLast};
    const Maps w{std::int64_t{c.groups} * c.outputs, c.inputs, c.taps(), c.isWLast};
    const Maps y{c.batch, std::int64_t{c.groups} * c.outputs, c.positions(), c.isYLast};
    switch (pass) {
    case ConvolutionPass::inputGradient: return {y, w, x};
    case ConvolutionPass::weightGradient: return {x, y, w};
    case ConvolutionPass::forward: break;
    }
    return {x, w, y};
}

PlannedConvolution plannedOf(const AskedConvolution& asked) {
    return {.of = asked.of.channelsLast(), .pass = asked.pass, .precision = Precision::bf16};
}

/// Operands as they are offered, maps that are made channels-last, a gradient of filters as they
/// are kept.
Convolution laidOf(const KernelRequest& request, const AskedConvolution& asked) {
    const auto isLast = [](const TensorPart& part) { return part.format == channelsLast(); };
    const bool makesMaps = asked.pass != ConvolutionPass::weightGradient;
    const auto [first, second, result] = lyingOf(asked.pass);
    Convolution c = asked.of;
    c.*first = isLast(request.inputs[asked.first]);
    c.*second = isLast(request.inputs[asked.second]);
    c.*result = isLast(request.outputs[0]) || (makesMaps && request.mayChooseFormats);
    return c;
}

class HalvedKernel final : public Kernel {
public:
    HalvedKernel(const AskedConvolution& asked, std::int64_t workspace, std::unique_ptr<Plan> plan)
        : asked_(asked),
          maps_(mapsOf(asked.of, asked.pass)),
          workspace_(workspace),
          plan_(std::move(plan)) {}

    void run(const KernelArguments& at) override {
        const auto* first = input<float>(at, asked_.first);
        const auto* second = input<float>(at, asked_.second);
        auto* result = output<float>(at, 0);
        const Ending ending = endingOf(asked_.epilogue, at);
        Stream stream = streamOf(at);
        if (plan_ == nullptr) {
            launchConvolution(asked_.of, asked_.pass, first, second, ending, result,
                              static_cast<float*>(at.scratch), stream);
            return;
        }
        auto* place = static_cast<std::byte*>(at.scratch) + workspace_;
        const auto next = [&](const Maps& maps) {
            auto* const halves = reinterpret_cast<Half*>(place);
            place += roundedUp(bytesOf(maps));
            return halves;
        };
        Half* const firstHalves = next(maps_.first);
        Half* const secondHalves = next(maps_.second);
        Half* const made = next(maps_.result);
        launchHalves(maps_.first, first, firstHalves, stream);
        launchHalves(maps_.second, second, secondHalves, stream);
        plan_->run(firstHalves, secondHalves, {}, made, at.scratch, stream);
        launchFloats(maps_.result, made, ending, result, stream);
    }

private:
    AskedConvolution asked_;
    PassMaps maps_;
    std::int64_t workspace_; ///< of the plan, at the beginning of the scratch
    std::unique_ptr<Plan> plan_;
};

} // namespace

ChoiceOrRefusal halvedConvolution(const KernelRequest& request, AskedConvolution asked) {
    asked.of = laidOf(request, asked);
    const std::string name = nameOfPlanned(Precision::bf16);
    const auto refused = [&](std::string reason) {
        return tl::unexpected<Refusal>({name, std::move(reason)});
    };
    if (!hasAllWindows(asked.of)) {
        return refused("the part of the map goes on behind the last window");
    }
    const PlannedConvolution planned = plannedOf(asked);
    const auto wanted = workspaceFor(planned, request.chip);
    if (!wanted) {
        return refused("the library plans no such convolution");
    }
    const std::int64_t halves = mapsOf(asked.of, asked.pass).bytes();
    const std::int64_t own =
        productScratch(sizeOf(asked.of, asked.pass)) * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t limit = request.scratchLimit.count;
    if (std::max(own, halves) > limit) {
        return refused("needs more scratch than it may have");
    }
    const std::int64_t room = (limit - halves) / placed * placed;
    const std::int64_t workspace = std::min(roundedUp(*wanted), room);
    std::string known = nameOf(asked, Precision::bf16);
    const MeasuredPlan* const measured = measuredPlan(request, known, room);
    const std::int64_t taken =
        measured == nullptr ? workspace : roundedUp(measured->workspace.count);
    const auto kernelIn = [asked](std::int64_t size) {
        return [asked, size](std::unique_ptr<Plan> plan) {
            return std::make_unique<HalvedKernel>(asked, size, std::move(plan));
        };
    };
    KernelChoice choice{.implementation = nameOfPlanned(Precision::bf16, measured),
                        .scratch = {std::max(own, taken + halves)},
                        .laidAnew = {2 * halves}, // written, and read
                        .launches = 4,            // of both operands, the plan, the result
                        .make =
                            [=, engine = measured == nullptr ? "" : measured->engine] {
                                return kernelIn(taken)(planFor(planned, taken, engine));
                            },
                        .ways = waysOf(request, std::move(known), std::max(own, workspace + halves),
                                       planned, workspace, kernelIn(workspace))};
    if (measured != nullptr) {
        choice.measured = *measured;
    }
    return laidAs(request, asked, true, std::move(choice));
}

} // namespace weft::cuda
