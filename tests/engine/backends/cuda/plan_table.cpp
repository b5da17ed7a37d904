// SPDX-License-Identifier: Apache-2.0
// Asks the library here for plans for chips that are not there, and writes the rows of
// engine/backends/cuda/plan_table.cpp: of all shares with which it takes nearly always the plan
// that it would take without a limit, those that come to the least memory.

#include "plan_cases.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <limits>
#include <string>

using namespace weft;
using namespace weft::cuda;

namespace {

struct Wanted {
    PlannedConvolution planned;
    std::int64_t workspace;
};

std::vector<Wanted> wantedOf(ConvolutionPass pass, Precision precision, int generation) {
    const std::string properties = weft::test::propertiesOf(generation);
    std::vector<Wanted> wanted;
    for (const PlannedConvolution& one : weft::test::planCases({1, 32, 256}, precision)) {
        if (one.pass != pass) {
            continue;
        }
        const auto plan = plans::make(one, weft::test::anyWorkspace, properties);
        if (plan == nullptr) {
            fmt::print(stderr, "generation {}: no plan for {}\n", generation,
                       weft::test::nameOf(one));
            continue;
        }
        wanted.push_back({one, plan->workspace()});
    }
    return wanted;
}

WorkspaceShares leastSharesFor(const std::vector<Wanted>& wanted, Precision precision) {
    WorkspaceShares best;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const WorkspaceShares& shares) {
        double bytes = 0;
        double fitting = 0;
        for (const Wanted& one : wanted) {
            const std::int64_t bound = workspaceBy(shares, one.planned);
            bytes += static_cast<double>(bound);
            fitting += one.workspace <= bound ? 1 : 0;
        }
        if (fitting >= weft::test::nearlyAlways * static_cast<double>(wanted.size()) &&
            bytes < least) {
            least = bytes;
            best = shares;
        }
    };
    for (int x = 0; x <= 3; ++x) {
        for (int w = 0; w <= 3; ++w) {
            for (int y = 0; y <= 3; ++y) {
                consider({x, w, y});
                for (const int more : {1, 2, 4}) {
                    if (precision != Precision::exact) { // which wants hardly any
                        consider({x, w, y, more});
                    }
                }
            }
        }
    }
    return best;
}

} // namespace

int main() {
    const plans::Library library = plans::library();
    if (!library.why.empty()) {
        fmt::print(stderr, "{}\n", library.why);
        return 1;
    }
    for (const auto& [precision, ofPrecision] :
         {std::pair{Precision::exact, "exact"}, std::pair{Precision::tf32, "tf32"},
          std::pair{Precision::bf16, "bf16"}}) {
        for (const auto& [pass, ofPass] :
             {std::pair{ConvolutionPass::forward, "forward"},
              std::pair{ConvolutionPass::inputGradient, "inputGradient"},
              std::pair{ConvolutionPass::weightGradient, "weightGradient"}}) {
            for (const int generation : weft::test::sheetGenerations()) {
                const WorkspaceShares shares =
                    leastSharesFor(wantedOf(pass, precision, generation), precision);
                const std::string more = shares.more == 0 ? "" : fmt::format(", {}", shares.more);
                fmt::print("    PlanRow{{{}, {}, {}, \"{}\", {{{}, {}, {}{}}}}},\n", ofPass,
                           ofPrecision, generation, library.version, shares.x, shares.w, shares.y,
                           more);
            }
        }
    }
    return 0;
}
