// SPDX-License-Identifier: Apache-2.0
#pragma once
// The workspace that plans need, so that choices can be made without a GPU and the library. The
// rows are in plan_table.cpp; the program `plan_table` (tests/engine/backends/cuda) generates them,
// and tst_plans checks the library against them.

#include "backends/cuda/cudnn/plans.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::cuda {

/// Multiples of the bytes of x, w and y as f32, plus MiB.
struct WorkspaceShares {
    int x = 0, w = 0, y = 0, more = 0; ///< factors of the bytes of x, w and y; more: MiB
};
/// The workspace of one pass on one generation of GPUs (90 is 9.0), with one version of the
/// library.
struct PlanRow {
    ConvolutionPass pass;
    Precision precision;
    int generation;         ///< compute capability times 10
    const char* version;    ///< version of the library
    WorkspaceShares shares; ///< for many channels and one group
    /// For few channels (hasFewChannels): x counts as padded to a multiple of 4 channels.
    WorkspaceShares fewChannelShares = {};
    WorkspaceShares groupShares = {}; ///< for several groups, if channels are not few
    [[nodiscard]] const WorkspaceShares& sharesFor(const Convolution& c) const {
        return hasFewChannels(c) ? fewChannelShares : c.groups > 1 ? groupShares : shares;
    }
};
[[nodiscard]] std::span<const PlanRow> planRows();
/// Selects the rows for a GPU: of its generation, else of the nearest older one, else of the first;
/// among these of its library version, else of the nearest older one, else of the first. An unknown
/// version gives the last rows, an unknown generation all.
[[nodiscard]] std::vector<PlanRow> rowsFor(const ChipKind& chip,
                                           std::span<const PlanRow> rows = planRows());

/// Added to all shares.
constexpr std::int64_t leastWorkspace = std::int64_t{256} << 10;
/// Limit of the workspace. There is none for few channels, because all of x and y may be needed.
[[nodiscard]] std::int64_t workspaceLimit(const Convolution& c);
/// Workspace for timing plans, to find faster ones than the table allows; `granted`: the table's
/// workspace.
[[nodiscard]] std::int64_t workspaceToTry(const PlannedConvolution& convolution,
                                          std::int64_t granted);
[[nodiscard]] std::int64_t workspaceBy(const WorkspaceShares& shares,
                                       const PlannedConvolution& convolution);

/// Returns the bytes with which the library nearly always chooses the same plan as with the largest
/// workspace: the maximum over the GPU's rows. Returns nothing if the library has no plan there.
[[nodiscard]] std::optional<std::int64_t> workspaceFor(const PlannedConvolution& convolution,
                                                       const ChipKind& chip);

/// 90 -> "9.0"
[[nodiscard]] std::string nameOfGeneration(int generation);
/// Returns a remark if there are no rows of this generation or library version, naming the rows
/// that are used instead. Empty: there are, or the library is unknown.
[[nodiscard]] std::string remarkOnMissingRows(const ChipKind& chip);

} // namespace weft::cuda
