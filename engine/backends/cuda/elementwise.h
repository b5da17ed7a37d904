// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of elementwise ops, in any one format that their operands share.

#include "backends/cuda/kernels/per_element.h"
#include "backends/cuda/request.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace weft::cuda {

/// An op that computes y[k] = f(x[k]) or f(a[k], b[k]).
struct PerElement {
    std::string op; ///< name of the op
    std::variant<Unary, Binary> function;
    std::array<std::string_view, 2> attributes = {}; ///< attributes with numbers for f, if any
    bool isForChains = true; ///< false for long functions, which would cost all chains registers
};
/// Returns nullptr if the op is not elementwise.
[[nodiscard]] const PerElement* perElement(std::string_view op);
[[nodiscard]] FunctionNumbers numbersOf(const PerElement& op, const Attributes& attributes);
[[nodiscard]] std::span<const PerElement> perElementOps();

void addPerElement(KernelList& list, const std::string& op); ///< adds its maker
/// The function and the gradient of a row.
void addFunction(KernelList& list, const functions::Info& info);
/// y[k] = f(x[k], s[row of k])
void addPerRow(KernelList& list, const std::string& op, Binary function);

/// y[k] = f(x[k], b[...]), with x and y in that format.
[[nodiscard]] ChoiceOrRefusal chooseBroadcast(const KernelRequest& request, Binary function,
                                              const Broadcast& broadcast, const Format& format);
/// y[k] = x[0] / divisor
[[nodiscard]] ChoiceOrRefusal chooseBroadcastQuotient(const KernelRequest& request,
                                                      std::int64_t divisor);

} // namespace weft::cuda
