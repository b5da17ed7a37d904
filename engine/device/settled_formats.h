// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers with which a kernel maker matches the formats it needs to those that a request offers.

#include "device/kernel.h"

#include <optional>

namespace weft {

/// True if both formats put elements of that shape at the same offsets, including padding; for one
/// channel, channels-last equals plain.
[[nodiscard]] bool isSameLayout(const Format& a, const Format& b, const Shape& shape);

[[nodiscard]] inline Format channelsLast() { return {"acdb"}; }

/// Returns the format that all operands of an elementwise op use: the first offered format of that
/// shape that is not plain, as bf16 if all are. Returns nothing if formats are fixed and differ.
[[nodiscard]] std::optional<Format> formatForAll(const KernelRequest& request, const Shape& shape);

/// True if dim 0 is outermost and there is no padding.
[[nodiscard]] bool isBatchOutermost(const Format& format, const Shape& shape); ///< no padding

/// Returns a common format in which each batch element is contiguous, for operands of that shape;
/// plain if others are offered.
[[nodiscard]] std::optional<Format> batchContiguousFormat(const KernelRequest& request,
                                                          const Shape& shape);

/// Completes a choice with the formats that the kernel needs for inputs and outputs; unset formats
/// are plain. Formats with equal layouts are returned as offered. Refuses if formats are fixed and
/// differ.
[[nodiscard]] ChoiceOrRefusal withFormats(const KernelRequest& request, KernelChoice choice,
                                          std::vector<Format> inputs, std::vector<Format> outputs);

/// Completes a choice as withFormats does, with all formats plain.
[[nodiscard]] ChoiceOrRefusal allPlain(const KernelRequest& request, KernelChoice choice);

/// Uses one format for all operands and results of the first result's shape, and plain for the
/// others.
[[nodiscard]] ChoiceOrRefusal inOneFormat(const KernelRequest& request, const Format& format,
                                          KernelChoice choice);

} // namespace weft
