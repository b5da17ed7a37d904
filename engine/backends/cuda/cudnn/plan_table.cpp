// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cudnn/plan_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <set>

namespace weft::cuda {

namespace {

using enum ConvolutionPass;
using enum Precision;

constexpr std::array table{
    PlanRow{forward, exact, 80, "9.19.0", {0, 3, 0}, {0, 0, 0}, {1, 3, 0, 8}},
    PlanRow{forward, exact, 90, "9.19.0", {0, 0, 0}, {0, 0, 0}, {1, 0, 1}},
    PlanRow{inputGradient, exact, 80, "9.19.0", {0, 3, 0}, {0, 0, 0}, {2, 3, 0}},
    PlanRow{inputGradient, exact, 90, "9.19.0", {0, 0, 0}, {0, 0, 0}, {2, 0, 0}},
    PlanRow{weightGradient, exact, 80, "9.19.0", {0, 0, 0}, {0, 0, 0}, {2, 0, 0, 1}},
    PlanRow{weightGradient, exact, 90, "9.19.0", {0, 2, 2, 8}, {0, 0, 0, 8}, {2, 1, 0, 1}},
    PlanRow{forward, tf32, 80, "9.19.0", {1, 1, 0, 1}, {1, 0, 0}, {8, 0, 0, 2}},
    PlanRow{forward, tf32, 90, "9.19.0", {0, 0, 0, 1}, {1, 0, 0, 8}, {8, 2, 0}},
    PlanRow{inputGradient, tf32, 80, "9.19.0", {0, 1, 1, 1}, {1, 0, 1, 2}, {1, 1, 1}},
    PlanRow{inputGradient, tf32, 90, "9.19.0", {0, 0, 0, 1}, {1, 0, 1, 2}, {1, 1, 1}},
    PlanRow{weightGradient, tf32, 80, "9.19.0", {1, 0, 1, 8}, {1, 0, 1, 8}, {8, 1, 0, 4}},
    PlanRow{weightGradient, tf32, 90, "9.19.0", {0, 0, 0, 1}, {1, 0, 1, 8}, {2, 3, 1, 2}},
    PlanRow{forward, bf16, 80, "9.19.0", {0, 0, 0}, {1, 0, 0, 4}, {3, 0, 0, 8}},
    PlanRow{forward, bf16, 90, "9.19.0", {0, 0, 0}, {1, 0, 0, 4}, {2, 0, 0}},
    PlanRow{inputGradient, bf16, 80, "9.19.0", {0, 0, 0, 1}, {1, 0, 0, 4}, {3, 0, 0, 8}},
    PlanRow{inputGradient, bf16, 90, "9.19.0", {0, 0, 0, 1}, {1, 0, 0, 4}, {3, 0, 0, 8}},
    PlanRow{weightGradient, bf16, 80, "9.19.0", {0, 0, 0, 8}, {1, 0, 0, 8}, {3, 0, 1, 1}},
    PlanRow{weightGradient, bf16, 90, "9.19.0", {0, 0, 0, 1}, {1, 0, 0, 16}, {3, 2, 3, 8}},
};

using Version = std::array<int, 3>;

/// An invalid version counts as later than all others.
Version versionOf(const std::string& name) {
    Version version{};
    const char* at = name.data();
    const char* const end = at + name.size();
    for (int& number : version) {
        const auto [behind, fault] = std::from_chars(at, end, number);
        if (fault != std::errc()) {
            return {std::numeric_limits<int>::max()};
        }
        at = behind == end ? end : behind + 1;
    }
    return version;
}

/// Returns the version itself, else the last before it, else the first.
template <class T>
T nearest(const std::set<T>& known, const T& wanted) {
    const auto after = known.upper_bound(wanted);
    return after == known.begin() ? *after : *std::prev(after);
}

} // namespace

std::span<const PlanRow> planRows() { return table; }

std::vector<PlanRow> rowsFor(const ChipKind& chip, std::span<const PlanRow> rows) {
    std::map<int, std::set<Version>> known; // versions by generation
    std::set<int> generations;
    for (const PlanRow& row : rows) {
        known[row.generation].insert(versionOf(row.version));
        generations.insert(row.generation);
    }
    std::vector<PlanRow> taken;
    std::ranges::copy_if(rows, std::back_inserter(taken), [&](const PlanRow& row) {
        return (chip.generation == 0 || row.generation == nearest(generations, chip.generation)) &&
               versionOf(row.version) == nearest(known[row.generation], versionOf(chip.library));
    });
    return taken;
}

std::int64_t workspaceLimit(const Convolution& c) {
    constexpr std::int64_t most = std::int64_t{256} << 20;
    return hasFewChannels(c) ? std::numeric_limits<std::int64_t>::max() : most;
}

std::int64_t workspaceToTry(const PlannedConvolution& convolution, std::int64_t granted) {
    return hasFewChannels(convolution.of) ? granted : workspaceLimit(convolution.of);
}

std::int64_t workspaceBy(const WorkspaceShares& shares, const PlannedConvolution& convolution) {
    const Convolution& c = convolution.of;
    const bool hasFew = hasFewChannels(c);
    const std::int64_t channels = std::int64_t{c.groups} * c.inputs;
    const std::int64_t x = c.batch * (hasFew ? (channels + 3) / 4 * 4 : channels) * c.plane();
    const std::int64_t w = c.groups * c.outputs * c.filter();
    const std::int64_t y = c.batch * c.groups * c.outputs * c.positions();
    const std::int64_t bytes =
        leastWorkspace + (std::int64_t{shares.more} << 20) +
        (shares.x * x + shares.w * w + shares.y * y) * static_cast<std::int64_t>(sizeof(float));
    return std::min(bytes, workspaceLimit(c));
}

std::optional<std::int64_t> workspaceFor(const PlannedConvolution& convolution,
                                         const ChipKind& chip) {
    std::optional<std::int64_t> most;
    for (const PlanRow& row : rowsFor(chip)) {
        if (row.pass == convolution.pass && row.precision == convolution.precision) {
            most =
                std::max(most.value_or(0), workspaceBy(row.sharesFor(convolution.of), convolution));
        }
    }
    return most;
}

std::string nameOfGeneration(int generation) {
    return fmt::format("{}.{}", generation / 10, generation % 10);
}

std::string remarkOnMissingRows(const ChipKind& chip) {
    std::set<int> generations;
    std::set<std::string> versions;
    for (const PlanRow& row : rowsFor(chip)) {
        generations.insert(row.generation);
        versions.insert(row.version);
    }
    const bool isNew = !chip.library.empty() && !versions.contains(chip.library);
    if (generations == std::set{chip.generation} && !isNew) {
        return {};
    }
    std::vector<std::string> names;
    std::ranges::transform(generations, std::back_inserter(names), nameOfGeneration);
    return fmt::format("the workspace of cuDNN convolutions is that measured with {} on GPUs of "
                       "compute capability {}{}",
                       fmt::join(versions, ", "), fmt::join(names, " and "),
                       isNew ? "; " + chip.library + " is installed" : "");
}

} // namespace weft::cuda
