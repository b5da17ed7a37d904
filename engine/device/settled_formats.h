// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a maker settles the formats of a choice against those that a request offers.

#include "device/kernel.h"

#include <optional>

namespace weft {

/// True when both formats put the elements of that shape in the same places, padding included:
/// channels-last of one channel is plain.
[[nodiscard]] bool isSameLayout(const Format& a, const Format& b, const Shape& shape);

[[nodiscard]] inline Format channelsLast() { return {"acdb"}; }

/// The format that all operands of an elementwise op take: the first that is not plain among those
/// offered of the given shape, of halves where all are. Where formats are fixed and differ: none.
[[nodiscard]] std::optional<Format> formatForAll(const KernelRequest& request, const Shape& shape);

/// Whether dim 0 is the outermost and nothing is padded.
[[nodiscard]] bool isOneRunEach(const Format& format, const Shape& shape);

/// The format that an op takes whose operands of that shape lie alike and an element of the batch
/// in one run; plain where they are offered otherwise.
[[nodiscard]] std::optional<Format> formatOfRuns(const KernelRequest& request, const Shape& shape);

/// Settles the formats of a choice: what the kernel wants of each input and gives as each
/// output. None wanted is plain. Formats that only seem to differ from the one offered are given
/// back as offered. A refusal when they may not be chosen and differ.
[[nodiscard]] ChoiceOrRefusal withFormats(const KernelRequest& request, KernelChoice choice,
                                          std::vector<Format> inputs, std::vector<Format> outputs);

/// As above, everything plain.
[[nodiscard]] ChoiceOrRefusal allPlain(const KernelRequest& request, KernelChoice choice);

/// One format for all operands and results of the first result's shape, the others plain.
[[nodiscard]] ChoiceOrRefusal inOneFormat(const KernelRequest& request, const Format& format,
                                          KernelChoice choice);

} // namespace weft
