// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/plan_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

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
    PlanRow{forward, tf32, 80, "9.19.0", {1, 1, 0, 1}},
    PlanRow{forward, tf32, 90, "9.19.0", {0, 0, 0, 2}},
    PlanRow{inputGradient, tf32, 80, "9.19.0", {0, 1, 1, 4}},
    PlanRow{inputGradient, tf32, 90, "9.19.0", {0, 0, 0, 4}},
    PlanRow{weightGradient, tf32, 80, "9.19.0", {1, 0, 2}},
    PlanRow{weightGradient, tf32, 90, "9.19.0", {0, 0, 1, 2}},
    PlanRow{forward, bf16, 80, "9.19.0", {0, 0, 0, 1}},
    PlanRow{forward, bf16, 90, "9.19.0", {0, 0, 0}},
    PlanRow{inputGradient, bf16, 80, "9.19.0", {0, 0, 0, 1}},
    PlanRow{inputGradient, bf16, 90, "9.19.0", {0, 0, 0, 1}},
    PlanRow{weightGradient, bf16, 80, "9.19.0", {0, 0, 1}},
    PlanRow{weightGradient, bf16, 90, "9.19.0", {0, 0, 0, 4}},
};

} // namespace

std::span<const PlanRow> planRows() { return rows; }

std::int64_t workspaceBy(const WorkspaceShares& shares, const PlannedConvolution& convolution) {
    const Convolution& c = convolution.of;
    const std::int64_t x = c.batch * c.groups * c.inputs * c.plane();
    const std::int64_t w = c.groups * c.outputs * c.filter();
    const std::int64_t y = c.batch * c.groups * c.outputs * c.positions();
    return leastWorkspace + (std::int64_t{shares.more} << 20) +
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

std::string nameOfGeneration(int generation) {
    return fmt::format("{}.{}", generation / 10, generation % 10);
}

std::string whatRowsLack(int generation, const std::string& version) {
    std::set<int> generations;
    std::set<std::string> versions;
    for (const PlanRow& row : planRows()) {
        generations.insert(row.generation);
        versions.insert(row.version);
    }
    const bool isNew = !version.empty() && !versions.contains(version);
    if ((generation == 0 || generations.contains(generation)) && !isNew) {
        return {};
    }
    std::vector<std::string> names;
    std::ranges::transform(generations, std::back_inserter(names), nameOfGeneration);
    return fmt::format("cuDNN's convolutions are given the workspace that {} was found to take on "
                       "chips of {}{}",
                       fmt::join(versions, ", "), fmt::join(names, " and "),
                       isNew ? ", and " + version + " is here" : "");
}

} // namespace weft::cuda
