// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions of networks that one trains, and chips that are not there, for which the library
// plans them.

#include "backends/cuda/cudnn/plan_table.h"

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

/// A chip that is not here: what the library is told of it, from public data sheets.
struct ChipSheet {
    std::string name; ///< sheets/<name>.json holds its properties, in the library's own form
    int generation = 0;

    [[nodiscard]] std::string properties() const;
    /// As which the plan table knows it.
    [[nodiscard]] ChipKind kind() const;
};
[[nodiscard]] std::vector<ChipSheet> chipSheets();
[[nodiscard]] ChipSheet h200();

/// Why the library cannot be held to the kept table here; empty: it can.
[[nodiscard]] std::string whyNoPlans();
/// The first fault that the table has for these convolutions on a chip; empty: none. Within the
/// workspace that it grants there is a plan; the plan is by engine 0 only where no other fits in
/// the most that is granted; it uses tensor cores where channels are few and rounding is allowed;
/// nearly always it is the plan that would be taken with the most that is granted.
[[nodiscard]] std::string faultOfTable(const std::vector<cuda::PlannedConvolution>& cases,
                                       const ChipSheet& chip);
/// True for a plan by the engine that computes every convolution, slowly.
[[nodiscard]] bool isOfLastResort(const cuda::Plan& plan);
/// The share of plans that are to be those which would be taken with the most that is granted.
constexpr double nearlyAlways = 0.9;
constexpr std::int64_t anyWorkspace = std::numeric_limits<std::int64_t>::max();

} // namespace weft::test
