// SPDX-License-Identifier: Apache-2.0
#include "run/calibrate.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;
using List = std::vector<std::int64_t>;

/// An op on shapes that are typical of it and large enough to show its rate.
struct Trial {
    std::string op;
    std::vector<Shape> inputs;
    Attributes attributes = {};
};

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
    return {{"linear", {{256, 1024}, {1024, 1024}}},
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

struct Measured {
    double seconds = 0; ///< 0: the device has no kernel for it
    Flops flops = {};
    Bytes traffic = {};
};

/// Operands in the device's memory; numbers do not matter, zeros would be slower in no kernel.
class Operands {
public:
    Operands(const KernelRequest& request, Bytes scratch, Device& device) : device_(device) {
        for (const TensorPart& part : request.inputs) {
            inputs_.push_back(allocate(bytesOf(part)));
        }
        for (const TensorPart& part : request.outputs) {
            outputs_.push_back(allocate(bytesOf(part)));
        }
        scratch_ = allocate(scratch);
    }
    [[nodiscard]] KernelArguments arguments(const Lane& lane) const {
        return {inputs_, outputs_, scratch_, lane.stream()};
    }
    [[nodiscard]] static Bytes bytesOf(const TensorPart& part) {
        return {part.elements() * static_cast<std::int64_t>(byteSize(part.dtype))};
    }

private:
    void* allocate(Bytes size) {
        arenas_.push_back(device_.allocate(size));
        return arenas_.back()->address();
    }

    Device& device_;
    std::vector<std::unique_ptr<Arena>> arenas_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    void* scratch_ = nullptr;
};

TensorPart wholeOf(const TensorType& type) {
    return {type.dtype, type.shape, Shape(type.shape.size(), 0), type.shape};
}

/// Maps are offered channels-last, as they lie between convolutions.
KernelRequest requestOf(const Trial& trial, const Op& op, Signature& signature, int cores) {
    KernelRequest request;
    request.op = trial.op;
    request.attributes = signature.attributes;
    request.cores = cores;
    for (std::size_t k = 0; k < trial.inputs.size(); ++k) {
        // A variadic op declares its last input once.
        const OpInput& declared = op.inputs[std::min(k, op.inputs.size() - 1)];
        const bool isInteger = declared.type == Operand::integer;
        signature.inputs.push_back({isInteger ? DType::i64 : DType::f32, trial.inputs[k]});
        request.inputs.push_back(wholeOf(signature.inputs.back()));
        if (trial.inputs[k].size() == 4 && trial.inputs[k] == trial.inputs[0]) {
            request.inputs.back().format = {"acdb"};
        }
    }
    signature.outputs.assign(op.outputs.size(), {DType::f32, {}});
    Inference inference(signature);
    op.shape(inference);
    for (const TensorType& type : signature.outputs) {
        request.outputs.push_back(wholeOf(type));
    }
    return request;
}

/// The fastest of some calls: what disturbs makes slower, never faster.
double fastestCall(Kernel& kernel, const KernelArguments& at, Lane& lane) {
    constexpr int fewest = 5;
    constexpr double enough = 0.05;
    double fastest = 0;
    double spent = 0;
    for (int call = 0; call < fewest || spent < enough; ++call) {
        const auto from = Clock::now();
        kernel.run(at);
        lane.finish();
        const double seconds = std::chrono::duration<double>(Clock::now() - from).count();
        spent += seconds;
        fastest = call <= 1 ? seconds : std::min(fastest, seconds); // the first warms up
    }
    return fastest;
}

Measured measure(const Trial& trial, const OpList& ops, Device& device, Lane& lane) {
    const Op& op = ops.at(trial.op);
    Signature signature{completed(trial.attributes, op.attributes), {}, {}};
    const auto cores = static_cast<int>(device.sheet().cores);
    const KernelRequest request = requestOf(trial, op, signature, cores);
    for (const KernelMaker& maker : device.kernels().of(trial.op)) {
        auto prepared = maker.prepare(request);
        if (!prepared) {
            continue;
        }
        const Operands operands(request, prepared->scratch, device);
        Measured found{
            fastestCall(*prepared->kernel, operands.arguments(lane), lane), op.cost(signature), {}};
        for (const auto* parts : {&request.inputs, &request.outputs}) {
            for (const TensorPart& part : *parts) {
                found.traffic += Operands::bytesOf(part);
            }
        }
        return found;
    }
    return {};
}

} // namespace

DeviceSheet measureRates(Device& device, const OpList& ops) {
    DeviceSheet sheet = device.sheet();
    const auto lane = device.makeLane(0, static_cast<int>(sheet.cores));
    const Shape beyondCaches{std::int64_t{1} << 24};
    const Measured stream = measure({"add", {beyondCaches, beyondCaches}}, ops, device, *lane);
    const Measured nothing = measure({"scale", {{1}}}, ops, device, *lane);
    const Measured dense = measure(trials().front(), ops, device, *lane);
    if (stream.seconds > 0) {
        sheet.bytesPerSecond = static_cast<double>(stream.traffic.count) / stream.seconds;
    }
    if (nothing.seconds > 0) {
        sheet.overhead = {
            std::max<std::int64_t>(1, static_cast<std::int64_t>(nothing.seconds * 1e9))};
    }
    if (dense.seconds <= 0) {
        return sheet;
    }
    sheet.flopsPerSecond = static_cast<double>(dense.flops.count) / dense.seconds;
    sheet.isMeasured = true;
    sheet.efficiency.clear();
    for (const Trial& trial : trials()) {
        if (const Measured found = measure(trial, ops, device, *lane); found.seconds > 0) {
            sheet.efficiency[trial.op] =
                static_cast<double>(found.flops.count) / found.seconds / sheet.flopsPerSecond;
        }
    }
    return sheet;
}

} // namespace weft
