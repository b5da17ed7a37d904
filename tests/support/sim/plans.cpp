// SPDX-License-Identifier: Apache-2.0
#include "support/sim/plans.h"

#include "backends/cuda/cudnn/plans.h"
#include "backends/cuda/products/bf16.h"
#include "support/sim/chip_time.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace weft {

namespace sim {

namespace {

std::atomic<int> run = 0;
std::atomic<int> made = 0;
std::atomic<const char*> last = "";

} // namespace

int plansRun() { return run; }
int plansMade() { return made; }
std::string lastEngine() { return last.load(); }

} // namespace sim

namespace cuda::plans {

namespace {

/// Numbers of x, w and y.
std::int64_t sizeOfX(const Convolution& c) { return c.batch * c.groups * c.inputs * c.plane(); }
std::int64_t sizeOfW(const Convolution& c) { return c.groups * c.outputs * c.filter(); }
std::int64_t sizeOfY(const Convolution& c) {
    return c.batch * c.groups * c.outputs * c.positions();
}

/// Without its last bits, to the nearest.
float without(std::uint32_t dropped, float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits + (1U << (dropped - 1))) & ~((1U << dropped) - 1));
}

constexpr std::uint32_t behindHalf = 16;

/// How maps lie, or filters.
struct Lying {
    std::int64_t channels = 1, places = 1;
    bool isLast = false;

    /// Where the element is that stands there where they are plain.
    [[nodiscard]] std::size_t placeOf(std::int64_t plain) const {
        const std::int64_t row = plain / places;
        const std::int64_t last =
            (row / channels * places + plain % places) * channels + row % channels;
        return static_cast<std::size_t>(isLast ? last : plain);
    }
};

/// The numbers that tensor cores read of an operand, in plain order.
std::vector<float> numbersOf(const void* operand, std::int64_t elements, const Lying& lying,
                             Precision precision) {
    std::vector<float> numbers(static_cast<std::size_t>(elements));
    for (std::int64_t k = 0; k < elements; ++k) {
        float& number = numbers[static_cast<std::size_t>(k)];
        if (precision == Precision::bf16) {
            const Bf16 half = static_cast<const Bf16*>(operand)[lying.placeOf(k)];
            number = std::bit_cast<float>(std::uint32_t{half} << behindHalf);
        } else {
            number = static_cast<const float*>(operand)[lying.placeOf(k)];
            number = precision == Precision::tf32 ? without(13, number) : number;
        }
    }
    return numbers;
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

struct Engine {
    const char* name;
    bool sumsInFloat;
    std::int64_t more; ///< bytes, beside the second operand's
};
constexpr std::array engines{Engine{"loops", false, 0}, Engine{"floats", true, 256}};

std::int64_t bytesOfSecond(const PlannedConvolution& planned) {
    const Convolution& c = planned.of;
    const bool isOfY = planned.pass == ConvolutionPass::weightGradient;
    return (isOfY ? sizeOfY(c) : sizeOfW(c)) * static_cast<std::int64_t>(sizeof(float));
}

/// None of dilated ones, so that our own kernels are seen to take over.
bool canPlan(const Engine& engine, const PlannedConvolution& planned, std::int64_t workspace) {
    const bool isDilated = planned.of.dilationRows > 1 || planned.of.dilationColumns > 1;
    return library().why.empty() && !isDilated && bytesOfSecond(planned) + engine.more <= workspace;
}

class LoopPlan final : public Plan {
public:
    LoopPlan(const PlannedConvolution& planned, const Engine& engine)
        : planned_(planned), with_(engine), engine_(engine.name) {
        ++sim::made;
    }

    [[nodiscard]] const std::string& engine() const override { return engine_; }
    [[nodiscard]] std::int64_t workspace() const override {
        return bytesOfSecond(planned_) + with_.more;
    }
    [[nodiscard]] bool usesTensorCores() const override {
        return planned_.precision != Precision::exact;
    }
    void run(const void* first, const void* second, const Ending& ending, void* result,
             void* workspace, StreamHandle /*stream*/) override {
        ++sim::run;
        sim::last = with_.name;
        sim::advanceTime(sim::prescribedTime(engine_));
        const bool isHalved = planned_.precision == Precision::bf16;
        std::memcpy(workspace, second,
                    static_cast<std::size_t>(bytesOfSecond(planned_)) / (isHalved ? 2 : 1));
        const std::vector<double> sums = sumsOf(first, workspace);
        const Convolution& c = planned_.of;
        const Lying lying = mapsOf(planned_.pass).back();
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const auto at = static_cast<std::int64_t>(k);
            const std::size_t place = lying.placeOf(at);
            if (isHalved) {
                const float y = without(behindHalf, static_cast<float>(sums[k]));
                static_cast<Bf16*>(result)[place] =
                    static_cast<Bf16>(std::bit_cast<std::uint32_t>(y) >> behindHalf);
                continue;
            }
            double y = sums[k];
            if (planned_.ending.hasAddend) {
                y += ending.addend[place];
            }
            if (planned_.ending.hasBias) {
                y += ending.bias[at / c.positions() % (std::int64_t{c.groups} * c.outputs)];
            }
            static_cast<float*>(result)[place] =
                static_cast<float>(planned_.ending.hasRelu ? std::max(y, 0.0) : y);
        }
    }

private:
    /// Returns the layouts of the first operand, the second and the result.
    [[nodiscard]] std::array<Lying, 3> mapsOf(ConvolutionPass pass) const {
        const Convolution& c = planned_.of;
        const Lying x{std::int64_t{c.groups} * c.inputs, c.plane(), c.isXLast};
        const Lying w{c.inputs, c.taps(), c.isWLast};
        const Lying y{std::int64_t{c.groups} * c.outputs, c.positions(), c.isYLast};
        switch (pass) {
        case ConvolutionPass::inputGradient: return {y, w, x};
        case ConvolutionPass::weightGradient: return {x, y, w};
        case ConvolutionPass::forward: break;
        }
        return {x, w, y};
    }
    [[nodiscard]] std::vector<double> sumsOf(const void* first, const void* second) const {
        const Convolution& c = planned_.of;
        const auto [ofX, ofW, ofY] = std::array{sizeOfX(c), sizeOfW(c), sizeOfY(c)};
        const auto numbers = [&, maps = mapsOf(planned_.pass)](
                                 const void* operand, std::size_t which, std::int64_t elements) {
            return numbersOf(operand, elements, maps.at(which), planned_.precision);
        };
        const bool isOfDy = planned_.pass == ConvolutionPass::inputGradient;
        const bool isOfBoth = planned_.pass == ConvolutionPass::weightGradient;
        const std::vector<float> a = numbers(first, 0, isOfDy ? ofY : ofX);
        const std::vector<float> b = numbers(second, 1, isOfBoth ? ofY : ofW);
        const auto product = [&](std::int64_t ofA, std::int64_t ofB) {
            return double{a[static_cast<std::size_t>(ofA)]} * b[static_cast<std::size_t>(ofB)];
        };
        std::vector<double> sums;
        const auto add = [&](std::int64_t k, double product) {
            double& sum = sums[static_cast<std::size_t>(k)];
            sum = with_.sumsInFloat ? static_cast<float>(sum + product) : sum + product;
        };
        switch (planned_.pass) {
        case ConvolutionPass::forward:
            sums.resize(static_cast<std::size_t>(ofY));
            everyProduct(c, [&](auto x, auto w, auto y) { add(y, product(x, w)); });
            break;
        case ConvolutionPass::inputGradient:
            sums.resize(static_cast<std::size_t>(ofX));
            everyProduct(c, [&](auto x, auto w, auto y) { add(x, product(y, w)); });
            break;
        case ConvolutionPass::weightGradient:
            sums.resize(static_cast<std::size_t>(ofW));
            everyProduct(c, [&](auto x, auto w, auto y) { add(w, product(x, y)); });
            break;
        }
        return sums;
    }

    PlannedConvolution planned_;
    Engine with_;
    std::string engine_;
};

} // namespace

bool isLibraryBuiltIn() { return true; }

Library library() {
    const char* const lacks = std::getenv("WEFT_SIM_LACKS");
    const bool isHere =
        lacks == nullptr || std::string_view(lacks).find("cudnn") == std::string_view::npos;
    return isHere ? Library{.version = "stands in for a library"}
                  : Library{.why = std::string(lacks) + " was not found"};
}

std::unique_ptr<Plan> make(const PlannedConvolution& convolution, std::int64_t workspace,
                           const std::string& /*properties*/, const std::string& engine) {
    for (const Engine& one : engines) {
        if ((engine.empty() || engine == one.name) && canPlan(one, convolution, workspace)) {
            return std::make_unique<LoopPlan>(convolution, one);
        }
    }
    return nullptr;
}

std::vector<std::unique_ptr<Plan>> makeAll(const PlannedConvolution& convolution,
                                           std::int64_t workspace,
                                           const std::string& /*properties*/) {
    std::vector<std::unique_ptr<Plan>> all;
    for (const Engine& one : engines) {
        if (canPlan(one, convolution, workspace)) {
            all.push_back(std::make_unique<LoopPlan>(convolution, one));
        }
    }
    return all;
}

} // namespace cuda::plans

} // namespace weft
