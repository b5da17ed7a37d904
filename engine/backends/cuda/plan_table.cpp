// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/plan_table.h"

#include <algorithm>
#include <array>

namespace weft::cuda {

namespace {

using enum ConvolutionPass;
using enum Precision;

constexpr std::array rows{
    PlanRow{forward, exact, 80, "9.19.0", {0, 3, 0}},
    PlanRow{forward, exact, 90, "9.19.0", {0, 0, 0}},
    PlanRow{inputGradient, exact, 80, "9.19.0", {0, 3, 0}},
    PlanRow{inputGradient, exact, 90, "9.19.0", {0, 0, 0}},
    PlanRow{weightGradient, exact, 80, "9.19.0", {0, 0, 0}},
    PlanRow{weightGradient, exact, 90, "9.19.0", {1, 1, 1}},
    PlanRow{forward, tf32, 80, "9.19.0", {1, 4, 0}},
    PlanRow{forward, tf32, 90, "9.19.0", {1, 1, 1}},
    PlanRow{inputGradient, tf32, 80, "9.19.0", {1, 2, 1}},
    PlanRow{inputGradient, tf32, 90, "9.19.0", {1, 1, 1}},
    PlanRow{weightGradient, tf32, 80, "9.19.0", {1, 1, 2}},
    PlanRow{weightGradient, tf32, 90, "9.19.0", {1, 1, 2}},
    PlanRow{forward, bf16, 80, "9.19.0", {0, 1, 0}},
    PlanRow{forward, bf16, 90, "9.19.0", {0, 0, 0}},
    PlanRow{inputGradient, bf16, 80, "9.19.0", {0, 3, 0}},
    PlanRow{inputGradient, bf16, 90, "9.19.0", {0, 1, 0}},
    PlanRow{weightGradient, bf16, 80, "9.19.0", {0, 0, 1}},
    PlanRow{weightGradient, bf16, 90, "9.19.0", {0, 0, 1}},
};

} // namespace

std::span<const PlanRow> planRows() { return rows; }

std::int64_t workspaceBy(const WorkspaceShares& shares, const PlannedConvolution& convolution) {
    const Convolution& c = convolution.of;
    const std::int64_t x = c.batch * c.groups * c.inputs * c.plane();
    const std::int64_t w = c.groups * c.outputs * c.filter();
    const std::int64_t y = c.batch * c.groups * c.outputs * c.positions();
    return leastWorkspace +
           (shares.x * x + shares.w * w + shares.y * y) * static_cast<std::int64_t>(sizeof(float));
}

std::optional<std::int64_t> workspaceFor(const PlannedConvolution& convolution) {
    std::optional<std::int64_t> most;
    for (const PlanRow& row : planRows()) {
        if (row.pass == convolution.pass && row.precision == convolution.precision) {
            most = std::max(most.value_or(0), workspaceBy(row.shares, convolution));
        }
    }
    return most;
}

} // namespace weft::cuda
