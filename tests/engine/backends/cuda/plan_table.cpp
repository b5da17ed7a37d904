// SPDX-License-Identifier: Apache-2.0
// Asks the library here for plans for chips that are not there, and writes the rows of
// engine/backends/cuda/cudnn/plan_table.cpp: of all shares with which it takes nearly always the
// plan that it would take without a limit, and engine 0 only where no other fits, those that come
// to the least memory.

#include "plan_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <string>

using namespace weft;
using namespace weft::cuda;
using namespace weft::test;

namespace {

struct Wanted {
    PlannedConvolution planned;
    std::int64_t workspace; ///< workspace of the plan chosen without a limit
    std::int64_t least;     ///< less must not be granted
};

/// The least workspace with which a plan is as good as the table promises: not by engine 0, and
/// with tensor cores where channels are few.
std::int64_t leastWorkspaceOf(const PlannedConvolution& one,
                              const std::vector<std::unique_ptr<Plan>>& all) {
    const bool wantsTensorCores = hasFewChannels(one.of) && one.precision != Precision::exact;
    std::int64_t least = anyWorkspace;
    for (const auto& plan : all) {
        if (!isOfLastResort(*plan) && (plan->usesTensorCores() || !wantsTensorCores)) {
            least = std::min(least, plan->workspace());
        }
    }
    return least == anyWorkspace ? 0 : least;
}

/// Layers that a row has shares for of their own.
enum class Layers : std::uint8_t { most, ofFew, ofGroups };
Layers layersOf(const Convolution& c) {
    return hasFewChannels(c) ? Layers::ofFew : c.groups > 1 ? Layers::ofGroups : Layers::most;
}

std::vector<Wanted> wantedOf(ConvolutionPass pass, Precision precision, int generation,
                             Layers layers) {
    std::vector<Wanted> wanted;
    for (const ChipSheet& chip : chipSheets()) {
        if (chip.generation != generation) {
            continue;
        }
        const std::string properties = chip.properties();
        for (const PlannedConvolution& one : planCases({1, 32, 256}, precision)) {
            if (one.pass != pass || layersOf(one.of) != layers) {
                continue;
            }
            const auto all = plans::makeAll(one, workspaceLimit(one.of), properties);
            if (all.empty()) {
                fmt::print(stderr, "{}: no plan for {}\n", chip.name, nameOf(one));
                continue;
            }
            wanted.push_back({one, all.front()->workspace(), leastWorkspaceOf(one, all)});
        }
    }
    return wanted;
}

/// `most`: MiB beside what operands take.
WorkspaceShares leastSharesFor(const std::vector<Wanted>& wanted, int most) {
    WorkspaceShares best{.more = -1};
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const WorkspaceShares& shares) {
        double bytes = 0;
        double fitting = 0;
        for (const Wanted& one : wanted) {
            const std::int64_t bound = workspaceBy(shares, one.planned);
            if (bound < one.least) {
                return;
            }
            bytes += static_cast<double>(bound);
            fitting += one.workspace <= bound ? 1 : 0;
        }
        if (fitting >= nearlyAlways * static_cast<double>(wanted.size()) && bytes < least) {
            least = bytes;
            best = shares;
        }
    };
    for (const int x : {0, 1, 2, 3, 4, 8}) {
        for (const int w : {0, 1, 2, 3}) {
            for (const int y : {0, 1, 2, 3, 4, 8}) {
                consider({x, w, y});
                for (int more = 1; more <= most; more *= 2) {
                    consider({x, w, y, more});
                }
            }
        }
    }
    return best;
}

std::string textOf(const WorkspaceShares& shares) {
    const std::string more = shares.more == 0 ? "" : fmt::format(", {}", shares.more);
    return fmt::format("{{{}, {}, {}{}}}", shares.x, shares.w, shares.y, more);
}

} // namespace

int main() {
    const plans::Library library = plans::library();
    if (!library.why.empty()) {
        fmt::print(stderr, "{}\n", library.why);
        return 1;
    }
    std::set<int> generations;
    for (const ChipSheet& chip : chipSheets()) {
        generations.insert(chip.generation);
    }
    for (const auto& [precision, ofPrecision] :
         {std::pair{Precision::exact, "exact"}, std::pair{Precision::tf32, "tf32"},
          std::pair{Precision::bf16, "bf16"}}) {
        for (const auto& [pass, ofPass] :
             {std::pair{ConvolutionPass::forward, "forward"},
              std::pair{ConvolutionPass::inputGradient, "inputGradient"},
              std::pair{ConvolutionPass::weightGradient, "weightGradient"}}) {
            for (const int generation : generations) {
                const auto sharesFor = [&, pass = pass, precision = precision](Layers layers) {
                    return textOf(leastSharesFor(wantedOf(pass, precision, generation, layers),
                                                 layers == Layers::ofFew ? 16 : 8));
                };
                fmt::print("    PlanRow{{{}, {}, {}, \"{}\", {}, {}, {}}},\n", ofPass, ofPrecision,
                           generation, library.version, sharesFor(Layers::most),
                           sharesFor(Layers::ofFew), sharesFor(Layers::ofGroups));
                std::fflush(stdout);
            }
        }
    }
    return 0;
}
