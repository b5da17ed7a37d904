// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cudnn/planned.h"

#include "backends/cuda/cudnn/plan_table.h"
#include "backends/cuda/cudnn/plans.h"
#include "backends/cuda/kernels/per_element.h"
#include "backends/cuda/products/epilogue.h"
#include "device/library_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace weft::cuda {

namespace {

/// The ops that the library fuses: a bias, with everything that may follow it.
PlannedEnding plannedEnding(const Epilogue& epilogue) {
    const bool hasBias = epilogue.bias.has_value();
    return {.hasBias = hasBias,
            .hasAddend = hasBias && epilogue.addend,
            .hasRelu = hasBias && epilogue.hasRelu};
}

class PlannedKernel final : public Kernel, public LibraryKernel {
public:
    PlannedKernel(const RequestedConvolution& asked, const PlannedEnding& ending,
                  std::int64_t results, std::unique_ptr<Plan> plan)
        : asked_(asked), ending_(ending), results_(results), plan_(std::move(plan)) {}

    void addCalls(std::vector<std::string>& calls) const override {
        calls.push_back(planDescription(plan_.get()));
    }

    void run(const KernelArguments& arguments) override {
        const auto* first = input<float>(arguments, asked_.first);
        const auto* second = input<float>(arguments, asked_.second);
        auto* result = output<float>(arguments, 0);
        const Ending ending = endingOf(asked_.epilogue, arguments);
        const std::array<const void*, 5> addresses{first, second, ending.bias, ending.addend,
                                                   result};
        if (plan_ == nullptr || !std::ranges::all_of(addresses, isAlignedForPlan)) {
            launchConvolution(asked_.of, asked_.pass, first, second, ending, result,
                              static_cast<float*>(arguments.scratch), streamOf(arguments));
            return;
        }
        plan_->run(first, second, ending, result, arguments.scratch, streamOf(arguments));
        if (ending.addend != nullptr && !ending_.hasAddend) {
            launchBinary(Binary::add, {}, result, ending.addend, result, results_,
                         streamOf(arguments));
        }
        if (ending.hasRelu && !ending_.hasRelu) {
            launchUnary(unaryOf<functions::Relu>, {}, result, result, results_,
                        streamOf(arguments));
        }
    }

private:
    RequestedConvolution asked_;
    PlannedEnding ending_;
    std::int64_t results_;
    std::unique_ptr<Plan> plan_;
};

} // namespace

bool isAlignedForPlan(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % planAlignment == 0;
}

bool countsSameWindows(const Convolution& c) {
    const auto isAll = [](std::int32_t size, std::int32_t before, std::int32_t kernel,
                          std::int32_t dilation, std::int32_t stride, std::int32_t windows) {
        const std::int32_t last = (windows - 1) * stride + (kernel - 1) * dilation + 1;
        return before + size - last < stride;
    };
    return isAll(c.rows, c.top, c.kernelRows, c.dilationRows, c.strideRows, c.windowRows) &&
           isAll(c.columns, c.left, c.kernelColumns, c.dilationColumns, c.strideColumns,
                 c.windowColumns);
}

std::array<bool Convolution::*, 3> layoutFlagsOf(ConvolutionPass pass) {
    constexpr auto x = &Convolution::isXLast;
    constexpr auto w = &Convolution::isWLast;
    constexpr auto y = &Convolution::isYLast;
    switch (pass) {
    case ConvolutionPass::inputGradient: return {y, w, x};
    case ConvolutionPass::weightGradient: return {x, y, w};
    case ConvolutionPass::forward: break;
    }
    return {x, w, y};
}

ChoiceOrRefusal withLayoutsOf(const KernelRequest& request, const RequestedConvolution& asked,
                              bool prefersChannelsLast, KernelChoice choice) {
    const Convolution& c = asked.of;
    if (c.plane() == 1 && c.positions() == 1 && c.taps() == 1) {
        return allPlain(request,
                        std::move(choice)); // without positions, plain equals channels-last
    }
    const auto formatOf = [](bool isLast) { return isLast ? channelsLast() : Format{}; };
    const auto [first, second, result] = layoutFlagsOf(asked.pass);
    const Format made = formatOf(c.*result);
    std::vector<Format> inputs(request.inputs.size());
    inputs[asked.first] = formatOf(c.*first);
    inputs[asked.second] = formatOf(c.*second);
    if (asked.epilogue.addend) {
        inputs[*asked.epilogue.addend] = made;
    }
    const bool makesFilters = asked.pass == ConvolutionPass::weightGradient;
    const TensorPart& w = makesFilters ? request.outputs[0] : request.inputs[asked.second];
    const bool isPreferred = prefersChannelsLast && !isSameLayout({}, channelsLast(), w.shape);
    if (isPreferred && makesFilters) {
        choice.preferredOutputFormats = {channelsLast()};
    } else if (isPreferred) {
        choice.preferredInputFormats.resize(inputs.size());
        choice.preferredInputFormats[asked.second] = channelsLast();
    }
    return withFormats(request, std::move(choice), std::move(inputs), {made});
}

std::string plannedKernelName(Precision precision) {
    return precision == Precision::exact ? "cudnn" : "cudnn in " + std::string(nameOf(precision));
}

std::string plannedKernelName(Precision precision, const MeasuredPlan* measured) {
    const std::string name = plannedKernelName(precision);
    if (measured == nullptr) {
        return name;
    }
    return measured->engine == ownEngine ? fmt::format("{}, measured", ownEngine)
                                         : fmt::format("{}, {}, measured", name, measured->engine);
}

std::string measurementKeyOf(const RequestedConvolution& asked, Precision precision) {
    constexpr std::array passes{"y", "dx", "dw"};
    const Convolution& c = asked.of;
    const auto lies = [](bool isLast) { return isLast ? "last" : "plain"; };
    const Epilogue& epilogue = asked.epilogue;
    return fmt::format(
        "{} in {}: x {} x {} x {} x {} {}, y {} x {} x {} {}, w {} x {} {}, groups {}, stride {} x "
        "{}, dilation {} x {}, from {} {}{}{}{}",
        passes.at(static_cast<std::size_t>(asked.pass)), weft::nameOf(precision), c.batch,
        c.groups * c.inputs, c.rows, c.columns, lies(c.isXLast), c.groups * c.outputs, c.windowRows,
        c.windowColumns, lies(c.isYLast), c.kernelRows, c.kernelColumns, lies(c.isWLast), c.groups,
        c.strideRows, c.strideColumns, c.dilationRows, c.dilationColumns, c.top, c.left,
        epilogue.bias ? ", bias" : "", epilogue.addend ? ", addend" : "",
        epilogue.hasRelu ? ", relu" : "");
}

const MeasuredPlan* measuredPlan(const KernelRequest& request, const std::string& name,
                                 std::int64_t limit) {
    const PlansByName* const plans = request.chip.plans.get();
    const auto found = plans == nullptr ? PlansByName::const_iterator{} : plans->find(name);
    const bool isOfUse =
        plans != nullptr && found != plans->end() && found->second.workspace.count <= limit;
    return isOfUse ? &found->second : nullptr;
}

std::unique_ptr<Plan> planFor(const PlannedConvolution& planned, std::int64_t workspace,
                              const std::string& engine) {
    if (engine == ownEngine) {
        return nullptr;
    }
    std::unique_ptr<Plan> plan = plans::make(planned, workspace, {}, engine);
    return plan == nullptr && !engine.empty() ? plans::make(planned, workspace) : std::move(plan);
}

KernelAlgorithms
kernelWaysOf(const KernelRequest& request, std::string name, std::int64_t scratch, std::int64_t own,
             const PlannedConvolution& planned, std::int64_t workspace,
             const std::function<std::unique_ptr<Kernel>(std::unique_ptr<Plan>)>& kernelOf) {
    const auto sizesOf = [](const std::vector<TensorPart>& parts) {
        std::vector<Bytes> sizes;
        std::ranges::transform(parts, std::back_inserter(sizes), [](const TensorPart& part) {
            return Bytes{part.elements() * static_cast<std::int64_t>(byteSize(part.dtype))};
        });
        return sizes;
    };
    return {.name = std::move(name),
            .inputs = sizesOf(request.inputs),
            .outputs = sizesOf(request.outputs),
            .scratch = {scratch},
            .make = [=] {
                std::vector<KernelAlgorithm> ways;
                for (std::unique_ptr<Plan>& plan : plans::makeAll(planned, workspace)) {
                    KernelAlgorithm way{plan->engine(), {plan->workspace()}, nullptr};
                    way.kernel = kernelOf(std::move(plan));
                    ways.push_back(std::move(way));
                }
                ways.push_back({ownEngine, {own}, kernelOf(nullptr)});
                return ways;
            }};
}

std::string planDescription(const Plan* plan) {
    return plan == nullptr ? ownEngine
                           : fmt::format("cuDNN {}, {}", plans::library().version, plan->engine());
}

std::string missingForPlans() { return plans::library().why; }

ChoiceOrRefusal choosePlannedConvolution(const KernelRequest& request, RequestedConvolution asked,
                                         Precision precision) {
    const bool rounds = precision != Precision::exact;
    asked.of = rounds ? asked.of.channelsLast() : asked.of;
    const std::string name = plannedKernelName(precision);
    const auto refused = [&](std::string reason) {
        return tl::unexpected<Refusal>({name, std::move(reason)});
    };
    const PlannedConvolution planned{asked.of, asked.pass, plannedEnding(asked.epilogue),
                                     precision};
    if (!countsSameWindows(asked.of)) {
        return refused("the local part of the input continues after the last window");
    }
    const auto wanted = workspaceFor(planned, request.chip);
    if (!wanted) {
        return refused("cuDNN has no plan for this convolution");
    }
    const std::int64_t own =
        productScratch(sizeOf(asked.of, asked.pass)) * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t limit = request.scratchLimit.count;
    if (own > limit) {
        return refused("needs more workspace than the limit allows");
    }
    const std::int64_t scratch = std::max(own, std::min(*wanted, limit));
    const std::int64_t tried = std::max(own, std::min(workspaceToTry(planned, *wanted), limit));
    std::string known = measurementKeyOf(asked, precision);
    const MeasuredPlan* const measured = measuredPlan(request, known, limit);
    const std::int64_t taken =
        measured == nullptr ? scratch : std::max(own, measured->workspace.count);
    const PlannedEnding& ending = planned.ending;
    const auto kernelOf = [asked, ending,
                           results = request.outputs[0].elements()](std::unique_ptr<Plan> plan) {
        return std::make_unique<PlannedKernel>(asked, ending, results, std::move(plan));
    };
    const int behind = int{asked.epilogue.addend && !ending.hasAddend} +
                       int{asked.epilogue.hasRelu && !ending.hasRelu};
    KernelChoice choice{
        .implementation = plannedKernelName(precision, measured),
        .scratch = {taken},
        .launches = 1 + behind,
        .make =
            [=, engine = measured == nullptr ? "" : measured->engine] {
                return kernelOf(planFor(planned, taken, engine));
            },
        .ways = kernelWaysOf(request, std::move(known), tried, own, planned, tried, kernelOf)};
    if (measured != nullptr) {
        choice.measured = *measured;
    }
    return withLayoutsOf(request, asked, rounds, std::move(choice));
}

} // namespace weft::cuda
