// SPDX-License-Identifier: Apache-2.0
#pragma once
// What plans take of workspace, so that a choice can be made where there is neither a chip nor the
// library. The rows are kept in plan_table.cpp; `plan_table` (tests/engine/backends/cuda) writes
// them, tst_plans holds the library to them.

#include "backends/cuda/plans.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::cuda {

/// Times the bytes of x, of w and of y, as f32, and so many MiB.
struct WorkspaceShares {
    int x = 0, w = 0, y = 0, more = 0;
};
/// The workspace of one pass on one generation of chips (90 is 9.0), by one version of the library.
struct PlanRow {
    ConvolutionPass pass;
    Precision precision;
    int generation;
    const char* version;
    WorkspaceShares shares;
    /// Where channels are few (hasFewChannels): x counts as padded to a multiple of 4 of them.
    WorkspaceShares ofFew = {};
    WorkspaceShares ofGroups = {}; ///< where there are several groups, and channels are not few
    [[nodiscard]] const WorkspaceShares& sharesFor(const Convolution& c) const {
        return hasFewChannels(c) ? ofFew : c.groups > 1 ? ofGroups : shares;
    }
};
[[nodiscard]] std::span<const PlanRow> planRows();
/// By which a chip is taken: those of its generation, or of the nearest before it, or of the first
/// there are; among them those of its version of the library, or of the nearest before it, or of
/// the first. Of a version that nobody knows, the last; of a generation that nobody knows, all.
[[nodiscard]] std::vector<PlanRow> rowsFor(const ChipKind& chip,
                                           std::span<const PlanRow> rows = planRows());

/// Beside any shares.
constexpr std::int64_t leastWorkspace = std::int64_t{256} << 10;
/// The most that is granted. Where channels are few there is no such bound: all that x and y take
/// can be needed.
[[nodiscard]] std::int64_t mostWorkspaceFor(const Convolution& c);
/// Within which plans are timed, to see whether another is faster than what the table leaves room
/// for; `granted`: what the table does.
[[nodiscard]] std::int64_t workspaceToTry(const PlannedConvolution& convolution,
                                          std::int64_t granted);
[[nodiscard]] std::int64_t workspaceBy(const WorkspaceShares& shares,
                                       const PlannedConvolution& convolution);

/// In bytes, so much that the library takes nearly always the plan that it would take with the most
/// that is granted to anybody: the most that the chip's rows say. None: it plans no such thing
/// there.
[[nodiscard]] std::optional<std::int64_t> workspaceFor(const PlannedConvolution& convolution,
                                                       const ChipKind& chip);

/// 90 -> "9.0"
[[nodiscard]] std::string nameOfGeneration(int generation);
/// What is said where there are no rows of that very generation, or of that version of the library:
/// by which rows its plans' workspace is bounded. Empty: there are, or the library is not known.
[[nodiscard]] std::string whatRowsLack(const ChipKind& chip);

} // namespace weft::cuda
