// SPDX-License-Identifier: Apache-2.0
#include "support/sim/plans.h"

#include "backends/cuda/plans.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace weft {

namespace sim {

namespace {

std::atomic<int> run = 0;
std::atomic<int> made = 0;

} // namespace

int plansRun() { return run; }
int plansMade() { return made; }

} // namespace sim

namespace cuda::plans {

namespace {

/// Numbers of x, w and y.
std::int64_t sizeOfX(const Convolution& c) { return c.batch * c.groups * c.inputs * c.plane(); }
std::int64_t sizeOfW(const Convolution& c) { return c.groups * c.outputs * c.filter(); }
std::int64_t sizeOfY(const Convolution& c) {
    return c.batch * c.groups * c.outputs * c.positions();
}

/// As tensor cores read it: 10 bits behind the first, to the nearest.
float rounded(float x, Precision precision) {
    constexpr std::uint32_t dropped = 13;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return precision == Precision::exact
               ? x
               : std::bit_cast<float>((bits + (1U << (dropped - 1))) & ~((1U << dropped) - 1));
}

/// visit(x, w, y): places of elements of which one's product is part of another.
template <class Visit>
void everyProduct(const Convolution& c, Visit&& visit) {
    const std::int64_t channels = std::int64_t{c.groups} * c.outputs;
    for (std::int64_t y = 0; y < sizeOfY(c); ++y) {
        const std::int64_t position = y % c.positions();
        const std::int64_t channel = y / c.positions() % channels;
        const std::int64_t element = y / c.positions() / channels;
        const std::int64_t row = position / c.windowColumns * c.strideRows - c.top;
        const std::int64_t column = position % c.windowColumns * c.strideColumns - c.left;
        for (std::int64_t tap = 0; tap < c.filter(); ++tap) {
            const std::int64_t input = channel / c.outputs * c.inputs + tap / c.taps();
            const std::int64_t of = tap % c.taps();
            const std::int64_t r = row + of / c.kernelColumns * c.dilationRows;
            const std::int64_t k = column + of % c.kernelColumns * c.dilationColumns;
            if (r >= 0 && r < c.rows && k >= 0 && k < c.columns) {
                const std::int64_t map = element * c.groups * c.inputs + input;
                visit(map * c.plane() + r * c.columns + k, channel * c.filter() + tap, y);
            }
        }
    }
}

class LoopPlan final : public Plan {
public:
    explicit LoopPlan(const PlannedConvolution& planned) : planned_(planned) { ++sim::made; }

    [[nodiscard]] const std::string& engine() const override { return engine_; }
    [[nodiscard]] std::int64_t workspace() const override {
        const Convolution& c = planned_.of;
        const bool isOfY = planned_.pass == ConvolutionPass::weightGradient;
        return (isOfY ? sizeOfY(c) : sizeOfW(c)) * static_cast<std::int64_t>(sizeof(float));
    }
    void run(const float* first, const float* second, const Ending& ending, float* result,
             void* workspace, Stream /*stream*/) override {
        ++sim::run;
        std::memcpy(workspace, second, static_cast<std::size_t>(this->workspace()));
        const std::vector<double> sums = sumsOf(first, static_cast<const float*>(workspace));
        const Convolution& c = planned_.of;
        for (std::size_t k = 0; k < sums.size(); ++k) {
            double y = sums[k];
            if (planned_.ending.hasAddend) {
                y += ending.addend[k];
            }
            if (planned_.ending.hasBias) {
                const auto place = static_cast<std::int64_t>(k) / c.positions();
                y += ending.bias[place % (std::int64_t{c.groups} * c.outputs)];
            }
            result[k] = static_cast<float>(planned_.ending.hasRelu ? std::max(y, 0.0) : y);
        }
    }

private:
    [[nodiscard]] std::vector<double> sumsOf(const float* first, const float* second) const {
        const Convolution& c = planned_.of;
        const auto product = [&](std::int64_t a, std::int64_t b) {
            return double{rounded(first[a], planned_.precision)} *
                   rounded(second[b], planned_.precision);
        };
        std::vector<double> sums;
        const auto sum = [&](std::int64_t k) -> double& {
            return sums[static_cast<std::size_t>(k)];
        };
        switch (planned_.pass) {
        case ConvolutionPass::forward:
            sums.resize(static_cast<std::size_t>(sizeOfY(c)));
            everyProduct(c, [&](auto x, auto w, auto y) { sum(y) += product(x, w); });
            break;
        case ConvolutionPass::inputGradient:
            sums.resize(static_cast<std::size_t>(sizeOfX(c)));
            everyProduct(c, [&](auto x, auto w, auto y) { sum(x) += product(y, w); });
            break;
        case ConvolutionPass::weightGradient:
            sums.resize(static_cast<std::size_t>(sizeOfW(c)));
            everyProduct(c, [&](auto x, auto w, auto y) { sum(w) += product(x, y); });
            break;
        }
        return sums;
    }

    PlannedConvolution planned_;
    std::string engine_ = "loops";
};

} // namespace

bool areBuiltIn() { return true; }

Library library() {
    const char* const lacks = std::getenv("WEFT_SIM_LACKS");
    return lacks == nullptr ? Library{.version = "stands in for a library"}
                            : Library{.why = std::string("there is no ") + lacks};
}

/// None of dilated ones, so that our own kernels are seen to take over.
std::unique_ptr<Plan> make(const PlannedConvolution& convolution, std::int64_t workspace,
                           const std::string& /*properties*/) {
    const Convolution& c = convolution.of;
    auto plan = std::make_unique<LoopPlan>(convolution);
    const bool isMissing = !library().why.empty();
    const bool isDilated = c.dilationRows > 1 || c.dilationColumns > 1;
    return !isMissing && !isDilated && plan->workspace() <= workspace ? std::move(plan) : nullptr;
}

} // namespace cuda::plans

} // namespace weft
