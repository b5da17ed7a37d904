// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers of the makers in this folder: choices, refusals and access to operands.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/kernels/stream_handle.h"
#include "device/backend.h"
#include "device/settled_formats.h"

#include <optional>
#include <string>

namespace weft::cuda {

[[nodiscard]] tl::unexpected<Refusal> refuse(std::string reason);

/// Makes a maker that also supports bf16 operands and results.
[[nodiscard]] KernelMaker takingBf16(std::string op,
                                     ChoiceOrRefusal (*choose)(const KernelRequest&));

/// Makes a choice of a callable that launches kernels.
[[nodiscard]] KernelChoice choiceOf(std::function<void(const KernelArguments&)> run,
                                    Bytes scratch = {});

[[nodiscard]] inline StreamHandle streamOf(const KernelArguments& arguments) {
    return arguments.stream == nullptr ? nullptr
                                       : static_cast<StreamHandle>(arguments.stream->handle());
}

template <class T>
[[nodiscard]] const T* input(const KernelArguments& arguments, std::size_t k) {
    return static_cast<const T*>(arguments.inputs[k]);
}
template <class T>
[[nodiscard]] T* output(const KernelArguments& arguments, std::size_t k) {
    return static_cast<T*>(arguments.outputs[k]);
}

template <class With>
decltype(auto) asKept(const Format& format, const With& with) {
    return asKept(format.isHalved(), with);
}

/// Returns nothing for 16-bit numbers.
[[nodiscard]] std::optional<Number> numberOf(DType dtype);
/// The type of an integer operand or result.
[[nodiscard]] inline Number integerOf(const TensorPart& part) {
    return numberOf(part.dtype).value_or(Number::i64);
}

} // namespace weft::cuda
