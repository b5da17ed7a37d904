// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of ops that do the same to every element, in whatever one format their operands have.

#include "backends/cuda/per_element.h"
#include "backends/cuda/request.h"

namespace weft::cuda {

/// y[k] = f(x[k])
void addUnary(KernelList& list, const std::string& op, Unary function);
/// The same where f takes a number from an attribute.
void addUnary(KernelList& list, const std::string& op, Unary function,
              const std::string& attribute);
/// y[k] = f(a[k], b[k])
void addBinary(KernelList& list, const std::string& op, Binary function);
/// y[k] = f(x[k], s[row of k])
void addPerRow(KernelList& list, const std::string& op, Binary function);

/// y[k] = f(x[k], b[...]), the choice with x and y in that format.
[[nodiscard]] ChoiceOrRefusal spreadOf(const KernelRequest& request, Binary function,
                                       const Spread& spread, const Format& format);
/// y[k] = x[0] / divisor
[[nodiscard]] ChoiceOrRefusal spreadOutOf(const KernelRequest& request, std::int64_t divisor);

} // namespace weft::cuda
