// SPDX-License-Identifier: Apache-2.0
#include "run/measure/calibrate.h"

#include "run/measure/trial_operands.h"
#include <weft/error.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;
using List = std::vector<std::int64_t>;

/// An op with shapes that are typical and large enough to show its rate.
struct Trial {
    std::string op;
    std::vector<Shape> inputs;
    Attributes attributes = {};
    Precision precision = Precision::exact; ///< precision of its kernel
};

/// The ops that represent streaming from memory, an empty kernel, and dense arithmetic.
constexpr const char* streamed = "add";
constexpr const char* nothing = "scale";
constexpr const char* dense = "linear";

std::vector<Trial> trials() {
    const Shape map{16, 64, 28, 28};
    const Shape weights{64, 64, 3, 3};
    const Shape rows{1024, 512};
    const Shape head{8, 4, 128, 64};
    const Shape perQuery{8, 4, 128};
    const Attributes same{{"padding", List{1, 1, 1, 1}}};
    Attributes sized = same;
    sized.set("size", List{28, 28});
    Attributes kernel = same;
    kernel.set("kernel", List{3, 3});
    const Attributes causal{{"causal", true}, {"scale", 0.125}};
    return {{dense, {{256, 1024}, {1024, 1024}}},
            {"linear_dx", {{256, 1024}, {1024, 1024}}},
            {"linear_dw", {{256, 1024}, {256, 1024}}},
            {"conv2d", {map, weights}, same},
            {"conv2d_dx", {map, weights}, sized},
            {"conv2d_dw", {map, map}, kernel},
            {"max_pool2d", {map}, {{"kernel", List{2, 2}}, {"stride", List{2, 2}}}},
            {"average_pool2d", {map}, {{"kernel", List{2, 2}}, {"stride", List{2, 2}}}},
            {"batch_norm", {map, {64}, {64}}},
            {"layer_norm", {rows, {512}, {512}}},
            {"gelu", {rows}},
            {"tanh", {rows}},
            {"softmax", {rows}},
            {"softmax_cross_entropy", {rows, {1024}}},
            {"attention", {head, head, head}, causal},
            {"attention_dv", {head, head, perQuery, head}, causal},
            {"attention_dq", {head, head, head, head, perQuery, head}, causal},
            {"attention_dk", {head, head, head, head, perQuery, head}, causal}};
}

Bytes bytesOf(const TensorPart& part) {
    return {part.elements() * static_cast<std::int64_t>(byteSize(part.dtype))};
}

std::vector<Bytes> sizesOf(const std::vector<TensorPart>& parts) {
    std::vector<Bytes> sizes;
    std::ranges::transform(parts, std::back_inserter(sizes), bytesOf);
    return sizes;
}

TensorPart wholeOf(const TensorType& type) {
    return {type.dtype, type.shape, Shape(type.shape.size(), 0), type.shape};
}

/// Feature maps are offered channels-last, as between convolutions.
KernelRequest requestOf(const Trial& trial, const Op& op, Signature& signature, int cores) {
    KernelRequest request;
    request.op = trial.op;
    request.attributes = signature.attributes;
    request.cores = cores;
    for (std::size_t k = 0; k < trial.inputs.size(); ++k) {
        // A variadic op declares its last input once.
        const OpInput& declared = op.inputs[std::min(k, op.inputs.size() - 1)];
        const bool isInteger = declared.type == OperandType::integer;
        signature.inputs.push_back({isInteger ? DType::i64 : DType::f32, trial.inputs[k]});
        request.inputs.push_back(wholeOf(signature.inputs.back()));
        if (trial.inputs[k].size() == 4 && trial.inputs[k] == trial.inputs[0]) {
            request.inputs.back().format = {"acdb"};
        }
    }
    signature.outputs.assign(op.outputs.size(), {DType::f32, {}});
    ShapeInference inference(signature);
    op.shape(inference);
    for (const TensorType& type : signature.outputs) {
        request.outputs.push_back(wholeOf(type));
    }
    return request;
}

/// A trial with its kernel, its memory and the time of each call.
struct Readied {
    Trial trial;
    Flops flops = {};
    Bytes traffic = {};
    std::unique_ptr<Kernel> kernel;
    std::unique_ptr<TrialOperands> operands;
    std::vector<double> seconds = {};
};

/// Returns none if the device has no kernel for the trial.
std::optional<Readied> ready(const Trial& trial, const OpList& ops, const Backend& backend,
                             Device& device) {
    const Op& op = ops.at(trial.op);
    Signature signature{completed(trial.attributes, op.attributes), {}, {}};
    const auto cores = static_cast<int>(device.sheet().cores);
    KernelRequest request = requestOf(trial, op, signature, cores);
    request.chip = chipKindOf(device.sheet());
    const auto rounding = backend.rounding.find(trial.precision);
    const KernelList& kernels =
        rounding == backend.rounding.end() ? backend.kernels : rounding->second;
    for (const KernelMaker& maker : kernels.of(trial.op)) {
        const ChoiceOrRefusal choice = maker.choose(request);
        if (!choice || (maker.lacks && !maker.lacks().empty())) {
            continue;
        }
        Readied made{.trial = trial,
                     .flops = op.cost(signature),
                     .kernel = choice->make(),
                     .operands = std::make_unique<TrialOperands>(sizesOf(request.inputs),
                                                                 sizesOf(request.outputs),
                                                                 choice->scratch, device)};
        for (const auto* parts : {&request.inputs, &request.outputs}) {
            for (const TensorPart& part : *parts) {
                made.traffic += bytesOf(part);
            }
        }
        return made;
    }
    return std::nullopt;
}

/// Calls the kernel once as a warm-up, then several times, and adds the time of each of these
/// calls.
void call(Readied& at, Stream& stream) {
    constexpr int fewest = 3;
    constexpr double enough = 0.02;
    const KernelArguments arguments = at.operands->arguments(stream);
    at.kernel->run(arguments);
    stream.finish();
    double spent = 0;
    for (int count = 0; count < fewest || spent < enough; ++count) {
        const auto from = Clock::now();
        at.kernel->run(arguments);
        stream.finish();
        at.seconds.push_back(std::chrono::duration<double>(Clock::now() - from).count());
        spent += at.seconds.back();
    }
}

/// Calls all trials in turn, several rounds over: consecutive calls give similar times, and
/// interference from other programs affects only some of the rounds.
void callAll(std::vector<Readied>& trials, Stream& stream, const MeasuringProgress& progress) {
    constexpr int rounds = 4;
    const auto all = static_cast<double>(trials.size() * rounds);
    std::size_t done = 0;
    for (int round = 0; round < rounds; ++round) {
        for (Readied& trial : trials) {
            if (progress && !progress(static_cast<double>(done) / all)) {
                throw Error(ErrorCode::stopped, Where{.op = trial.trial.op},
                            "the measurement was stopped", "start it again");
            }
            call(trial, stream);
            ++done;
        }
    }
}

DeviceSheet withRates(DeviceSheet sheet, const std::vector<Readied>& trials) {
    sheet.efficiency.clear();
    sheet.opSpread.clear();
    for (const Readied& trial : trials) {
        const MeasuredTime time = middleOf(trial.seconds);
        if (trial.trial.op == streamed) {
            sheet.bytesPerSecond = static_cast<double>(trial.traffic.count) / time.seconds;
            sheet.streamSpread = time.spread;
        } else if (trial.trial.op == nothing) {
            const auto nanoseconds = static_cast<std::int64_t>(time.seconds * 1e9);
            sheet.overhead = {std::max<std::int64_t>(1, nanoseconds)};
            sheet.overheadSpread = time.spread;
        } else {
            const double rate = static_cast<double>(trial.flops.count) / time.seconds;
            if (trial.trial.precision != Precision::exact) {
                (trial.trial.precision == Precision::tf32 ? sheet.tf32FlopsPerSecond
                                                          : sheet.bf16FlopsPerSecond) = rate;
                continue;
            }
            if (trial.trial.op == dense) {
                sheet.setDenseRate(rate);
                sheet.isMeasured = true;
            }
            sheet.efficiency[trial.trial.op] = rate; // divided by the dense rate below
            sheet.opSpread[trial.trial.op] = time.spread;
        }
    }
    for (auto& [op, rate] : sheet.efficiency) {
        rate /= sheet.flopsPerSecond;
    }
    return sheet;
}

} // namespace

MeasuredTime middleOf(std::vector<double> seconds) {
    ensure(!seconds.empty(), "nothing was measured");
    std::ranges::sort(seconds);
    const auto at = [&](std::size_t quarter) {
        return seconds[(seconds.size() - 1) * quarter / 4];
    };
    const double middle = std::max(at(2), 1e-9);
    return {middle, {at(1) / middle, at(3) / middle}};
}

LinkSheet measureBus(Device& device, const LinkSheet& published) {
    constexpr int rounds = 12;
    constexpr std::int64_t much = std::int64_t{32} << 20;
    std::vector<std::byte> host(much, std::byte{1});
    const std::unique_ptr<Arena> arena = device.allocate({much});
    const auto halfOfThereAndBack = [&](std::int64_t bytes) {
        std::vector<double> seconds;
        for (int round = 0; round < rounds; ++round) {
            const auto from = Clock::now();
            device.copyIn(arena->address(), host.data(), {bytes});
            device.copyOut(host.data(), arena->address(), {bytes});
            seconds.push_back(std::chrono::duration<double>(Clock::now() - from).count() / 2);
        }
        return middleOf(std::move(seconds));
    };
    const MeasuredTime little = halfOfThereAndBack(sizeof(float));
    const MeasuredTime all = halfOfThereAndBack(much);
    LinkSheet bus = published;
    bus.latency = {static_cast<std::int64_t>(little.seconds * 1e9)};
    bus.latencySpread = little.spread;
    bus.bytesPerSecond = static_cast<double>(much) / std::max(all.seconds - little.seconds, 1e-9);
    bus.bytesSpread = all.spread;
    bus.isMeasured = true;
    return bus;
}

DeviceSheet measureRates(Device& device, const Backend& backend, const OpList& ops,
                         const MeasuringProgress& progress) {
    DeviceSheet sheet = device.sheet();
    const auto stream = device.makeStream(0, static_cast<int>(sheet.cores));
    const Shape beyondCaches{std::int64_t{1} << 24};
    std::vector<Trial> all = trials();
    if (!ready(all.front(), ops, backend, device)) {
        return sheet; // a device without matrix products has no rates
    }
    const std::vector<Shape> multiplied = all.front().inputs;
    for (const auto& [precision, makers] : backend.rounding) {
        all.push_back({.op = dense, .inputs = multiplied, .precision = precision});
    }
    all.push_back({streamed, {beyondCaches, beyondCaches}});
    all.push_back({nothing, {{1}}});
    std::vector<Readied> readied;
    for (const Trial& trial : all) {
        if (auto made = ready(trial, ops, backend, device)) {
            readied.push_back(std::move(*made));
        }
    }
    if (sheet.bus) {
        sheet.bus = measureBus(device, *sheet.bus);
    }
    callAll(readied, *stream, progress);
    return withRates(std::move(sheet), readied);
}

} // namespace weft
