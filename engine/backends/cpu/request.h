// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the kernels of this folder ask of a request before they serve it, and how they refuse.

#include "device/kernel.h"

#include <optional>
#include <string>

namespace weft::cpu {

[[nodiscard]] tl::unexpected<Refusal> refuse(std::string reason);

/// What moves elements serves them whatever they are.
inline const std::vector<DType> anyType{};

/// True when both formats put the elements of that shape in the same places, padding included:
/// channels-last of one channel is plain.
[[nodiscard]] bool isSameLayout(const Format& a, const Format& b, const Shape& shape);

[[nodiscard]] inline Format channelsLast() { return {"acdb"}; }

/// The format that all operands of an elementwise op take: the first that is not plain among those
/// offered of the given shape. Where formats are fixed and differ: none.
[[nodiscard]] std::optional<Format> formatForAll(const KernelRequest& request, const Shape& shape);

/// Settles the formats of a choice: what the kernel wants of each input and gives as each
/// output. None wanted is plain. Formats that only seem to differ from the one offered are given
/// back as offered. A refusal when they may not be chosen and differ.
[[nodiscard]] ChoiceOrRefusal withFormats(const KernelRequest& request, KernelChoice choice,
                                          std::vector<Format> inputs, std::vector<Format> outputs);

/// As above, everything plain.
[[nodiscard]] ChoiceOrRefusal allPlain(const KernelRequest& request, KernelChoice choice);

/// A kernel that is a callable.
[[nodiscard]] KernelChoice choiceOf(std::function<void(const KernelArguments&)> run,
                                    Bytes scratch = {});

template <class T>
[[nodiscard]] const T* input(const KernelArguments& at, std::size_t k) {
    return static_cast<const T*>(at.inputs[k]);
}
template <class T>
[[nodiscard]] T* output(const KernelArguments& at, std::size_t k) {
    return static_cast<T*>(at.outputs[k]);
}

} // namespace weft::cpu
