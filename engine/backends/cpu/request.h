// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers of the kernels in this folder: refusals, choices and access to operands.

#include "device/settled_formats.h"

#include <string>

namespace weft::cpu {

[[nodiscard]] tl::unexpected<Refusal> refuse(std::string reason);

/// Makes a choice of a kernel from a callable.
[[nodiscard]] KernelChoice choiceOf(std::function<void(const KernelArguments&)> run,
                                    Bytes scratch = {});

template <class T>
[[nodiscard]] const T* input(const KernelArguments& arguments, std::size_t k) {
    return static_cast<const T*>(arguments.inputs[k]);
}
template <class T>
[[nodiscard]] T* output(const KernelArguments& arguments, std::size_t k) {
    return static_cast<T*>(arguments.outputs[k]);
}

} // namespace weft::cpu
