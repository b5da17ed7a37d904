// SPDX-License-Identifier: Apache-2.0
#include "support/sim/products.h"

#include "backends/cuda/cublaslt/products.h"
#include "backends/cuda/kernels/kept.h"
#include "device/format.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace weft {

namespace sim {

namespace {

std::atomic<int> productCount = 0;
std::atomic<int> planCount = 0;
std::atomic<std::int64_t> setCount = 0;

} // namespace

int productsRun() { return productCount; }
int productsMade() { return planCount; }
std::int64_t lastSets() { return setCount; }

} // namespace sim

namespace cuda::products {

namespace {

constexpr std::int64_t refusedTerms = 7;

/// Without the last 13 bits, to the nearest: as TF32 has it.
float inTf32(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits + (1U << 12U)) & ~((1U << 13U) - 1));
}

class LoopProduct final : public ProductPlan {
public:
    LoopProduct(const LibraryProduct& product, std::int64_t workspace)
        : product_(product), workspace_(workspace) {
        ++sim::planCount;
    }

    [[nodiscard]] const std::string& algorithm() const override { return name_; }
    [[nodiscard]] std::int64_t workspace() const override { return workspace_; }
    void run(const ProductOperands& operands, void* workspace, StreamHandle /*stream*/) override {
        ++sim::productCount;
        sim::setCount = product_.of.size.sets;
        for (std::int64_t set = 0; set < product_.of.size.sets; ++set) {
            runSet(operands, set, static_cast<std::byte*>(workspace));
        }
    }

private:
    [[nodiscard]] bool isHalved() const { return product_.precision == Precision::bf16; }
    [[nodiscard]] std::int64_t elementBytes() const {
        return static_cast<std::int64_t>(isHalved() ? sizeof(Bf16) : sizeof(float));
    }
    [[nodiscard]] float numberAt(const void* of, std::int64_t at) const {
        if (isHalved()) {
            return numberOf(static_cast<const Bf16*>(of)[at]);
        }
        const float number = static_cast<const float*>(of)[at];
        return product_.precision == Precision::tf32 ? inTf32(number) : number;
    }
    /// A number of the result's type.
    [[nodiscard]] float keptAt(const void* of, std::int64_t at) const {
        return product_.makesBf16 ? numberOf(static_cast<const Bf16*>(of)[at])
                                  : static_cast<const float*>(of)[at];
    }

    void runSet(const ProductOperands& operands, std::int64_t set, std::byte* workspace) const {
        const auto& [sets, rows, columns, terms] = product_.of.size;
        const OperandSteps& stepsOfA = product_.of.a;
        const OperandSteps& stepsOfB = product_.of.b;
        const std::int64_t startOfA = set * operands.stepOfA;
        const std::int64_t startOfB = set * operands.stepOfB;
        const std::int64_t startOfBias = set * operands.stepOfBias;
        const std::int64_t startOfResult = set * operands.stepOfResult;
        const std::int64_t ofB = (columns - 1) * stepsOfB.row + (terms - 1) * stepsOfB.term + 1;
        const std::int64_t held = std::min(ofB, workspace_ / elementBytes());
        const auto* const b = static_cast<const std::byte*>(operands.b) + startOfB * elementBytes();
        if (held > 0) {
            std::memcpy(workspace, b, static_cast<std::size_t>(held * elementBytes()));
        }
        std::vector<double> sums(static_cast<std::size_t>(rows * columns));
        for (std::int64_t m = 0; m < rows; ++m) {
            for (std::int64_t n = 0; n < columns; ++n) {
                double sum = 0;
                for (std::int64_t k = 0; k < terms; ++k) {
                    const std::int64_t atB = n * stepsOfB.row + k * stepsOfB.term;
                    const void* const from = atB < held ? workspace : b;
                    sum += double{numberAt(operands.a,
                                           startOfA + m * stepsOfA.row + k * stepsOfA.term)} *
                           numberAt(from, atB);
                }
                sums[static_cast<std::size_t>(m * columns + n)] = sum;
            }
        }
        for (std::int64_t m = 0; m < rows; ++m) {
            for (std::int64_t n = 0; n < columns; ++n) {
                const std::int64_t at = startOfResult + m * product_.of.resultRow + n;
                double y = sums[static_cast<std::size_t>(m * columns + n)];
                y += product_.ending.hasBias ? keptAt(operands.bias, startOfBias + n) : 0;
                y += product_.ending.hasAddend ? keptAt(operands.addend, at) : 0;
                const auto result =
                    static_cast<float>(product_.ending.hasRelu ? std::max(y, 0.0) : y);
                if (product_.makesBf16) {
                    static_cast<Bf16*>(operands.result)[at] = halfOf(result);
                } else {
                    static_cast<float*>(operands.result)[at] = result;
                }
            }
        }
    }

    LibraryProduct product_;
    std::int64_t workspace_;
    std::string name_ = "loops";
};

tl::unexpected<std::string> refused(std::string why) { return tl::unexpected(std::move(why)); }

} // namespace

bool isLibraryBuiltIn() { return true; }

Library library() {
    const char* const lacks = std::getenv("WEFT_SIM_LACKS");
    const bool isHere =
        lacks == nullptr || std::string_view(lacks).find("cublasLt") == std::string_view::npos;
    return isHere ? Library{.version = "stands in for a library"}
                  : Library{.why = std::string(lacks) + " was not found"};
}

tl::expected<std::unique_ptr<ProductPlan>, std::string> make(const LibraryProduct& product,
                                                             std::int64_t workspace) {
    if (!library().why.empty()) {
        return refused(library().why);
    }
    if (product.of.size.terms == refusedTerms) {
        return refused("the stand-in has no algorithm for 7 terms");
    }
    if (product.ending.hasAddend && product.ending.hasRelu) {
        return refused("the stand-in ends no sum so");
    }
    return std::make_unique<LoopProduct>(product, workspace);
}

} // namespace cuda::products

} // namespace weft
