// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the kernels of this folder ask of a request before they serve it, and how they refuse.

#include "device/settled_formats.h"

#include <string>

namespace weft::cpu {

[[nodiscard]] tl::unexpected<Refusal> refuse(std::string reason);

/// A kernel that is a callable.
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
