// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/request.h"

#include <utility>

namespace weft::cuda {

tl::unexpected<Refusal> refuse(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{"cuda", std::move(reason)});
}

KernelMaker takingBf16(std::string op, ChoiceOrRefusal (*choose)(const KernelRequest&)) {
    return {.op = std::move(op), .implementation = "cuda", .choose = choose, .takesBf16 = true};
}

KernelChoice choiceOf(std::function<void(const KernelArguments&)> run, Bytes scratch) {
    return {.implementation = "cuda", .scratch = scratch, .make = [run = std::move(run)] {
                return makeKernel(run);
            }};
}

std::optional<Number> numberOf(DType dtype) {
    switch (dtype) {
    case DType::f32: return Number::f32;
    case DType::f64: return Number::f64;
    case DType::i32: return Number::i32;
    case DType::i64: return Number::i64;
    case DType::u8: return Number::u8;
    default: return std::nullopt;
    }
}

} // namespace weft::cuda
