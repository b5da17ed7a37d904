// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions of networks that one trains, and chips that are not there, for which the library
// plans them.

#include "backends/cuda/plan_table.h"

#include <limits>
#include <string>
#include <vector>

namespace weft::test {

/// AlexNet's, ResNet-50's, GoogLeNet's and those of projects/, as they are for batches of these
/// sizes, all passes, with and without what follows the first; dense layers where f32 may be
/// rounded, as convolutions over one place.
[[nodiscard]] std::vector<cuda::PlannedConvolution>
planCases(const std::vector<std::int64_t>& batches, Precision precision);
[[nodiscard]] std::string nameOf(const cuda::PlannedConvolution& planned);

/// Generations of which sheets/ has a chip, and what the library is to know of it: from public data
/// sheets, in the library's own form.
[[nodiscard]] std::vector<int> sheetGenerations();
[[nodiscard]] std::string propertiesOf(int generation);

/// Why the library cannot be held to the kept table here; empty: it can.
[[nodiscard]] std::string whyNoPlans();
/// What is wrong with what the table says of these on a chip of a generation; empty: nothing.
[[nodiscard]] std::string faultOfTable(const std::vector<cuda::PlannedConvolution>& cases,
                                       int generation);
/// Of plans that would be taken without a limit, how many the table is to leave room for.
constexpr double nearlyAlways = 0.9;
constexpr std::int64_t anyWorkspace = std::numeric_limits<std::int64_t>::max();

} // namespace weft::test
