// SPDX-License-Identifier: Apache-2.0
// linear with a set of weights per element, per position, or both (ops/products/linear_sets.cpp),
// by Weft's own loops: y = x w^T, dx = dy w, dw = dy^T x in each set.
#include "backends/cpu/products/set_sums.h"
#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"
#include "graph/set_sharing.h"

#include <algorithm>

namespace weft::cpu {

void linear_sets(KernelList& list);

namespace {

/// Rows of the map, [batch, positions], and the set of each.
struct RowsWithSets {
    SetSharing sharing;
    std::int64_t batch, positions, inputs, outputs;
    SetStrides steps; ///< sets from one element or position to the next

    RowsWithSets(const Attributes& attributes, const Shape& map, std::int64_t takes,
                 std::int64_t gives)
        : sharing(attributes),
          batch(map[0]),
          positions(map.size() == 3 ? map[1] : 1),
          inputs(takes),
          outputs(gives),
          steps(sharing, positions, 1) {}

    [[nodiscard]] std::int64_t rows() const { return batch * positions; }
    [[nodiscard]] std::int64_t sets() const {
        return (sharing.perElement ? batch : 1) * (sharing.perPosition ? positions : 1);
    }
    [[nodiscard]] std::int64_t setOf(std::int64_t row) const {
        return steps.offset(row / positions, row % positions);
    }
    [[nodiscard]] std::int64_t numbers() const { return inputs * outputs; }

    inline void __attribute__((always_inline))
    forward(const float* x, const float* w, Range range, float* y) const {
        for (std::int64_t row = range.begin; row < range.end; ++row) {
            const float* const set = w + setOf(row) * numbers();
            for (std::int64_t o = 0; o < outputs; o += sumsAtOnce) {
                std::array<const float*, sumsAtOnce> some{};
                for (std::int64_t k = 0; k < sumsAtOnce; ++k) {
                    some[static_cast<std::size_t>(k)] = set + std::min(o + k, outputs - 1) * inputs;
                }
                const auto sums = fourSums(x + row * inputs, some, inputs);
                std::copy_n(sums.begin(), std::min(sumsAtOnce, outputs - o), y + row * outputs + o);
            }
        }
    }

    inline void __attribute__((always_inline))
    inputGradient(const float* dy, const float* w, Range range, float* dx) const {
        for (std::int64_t row = range.begin; row < range.end; ++row) {
            const float* const set = w + setOf(row) * numbers();
            std::fill_n(dx + row * inputs, inputs, 0.0F);
            for (std::int64_t o = 0; o < outputs; ++o) {
                addScaled(set + o * inputs, dy[row * outputs + o], inputs, dx + row * inputs);
            }
        }
    }

    /// Computes the weight gradient of these sets, each from its rows in order.
    inline void __attribute__((always_inline))
    weightsGradient(const float* dy, const float* x, Range range, float* dw) const {
        std::fill_n(dw + range.begin * numbers(), range.size() * numbers(), 0.0F);
        for (std::int64_t row = 0; row < rows(); ++row) {
            const std::int64_t set = setOf(row);
            if (set < range.begin || set >= range.end) {
                continue;
            }
            for (std::int64_t o = 0; o < outputs; ++o) {
                addScaled(x + row * inputs, dy[row * outputs + o], inputs,
                          dw + set * numbers() + o * inputs);
            }
        }
    }
};

enum class RowsPass : std::uint8_t { forward, inputGradient, weightsGradient };

ChoiceOrRefusal chooseRows(const KernelRequest& request, RowsPass pass, const RowsWithSets& of) {
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const a = input<float>(arguments, 0);
                        const auto* const b = input<float>(arguments, 1);
                        auto* const to = output<float>(arguments, 0);
                        const bool isOfSets = pass == RowsPass::weightsGradient;
                        shareOut(cores, isOfSets ? of.sets() : of.rows(), 1,
                                 of.rows() * of.numbers(), [&](Range range) {
                                     vectorised([&]() __attribute__((always_inline)) {
                                         switch (pass) {
                                         case RowsPass::forward:
                                             of.forward(a, b, range, to);
                                             return;
                                         case RowsPass::inputGradient:
                                             of.inputGradient(a, b, range, to);
                                             return;
                                         case RowsPass::weightsGradient:
                                             of.weightsGradient(a, b, range, to);
                                             return;
                                         }
                                     });
                                 });
                    }));
}

} // namespace

void linear_sets(KernelList& list) {
    list.add({"linear_sets", "cpu", [](const KernelRequest& request) {
                  const Shape& x = request.inputs[0].shape;
                  return chooseRows(request, RowsPass::forward,
                                    RowsWithSets(request.attributes, x, x.back(),
                                                 request.outputs[0].shape.back()));
              }});
    list.add({"linear_sets_dx", "cpu", [](const KernelRequest& request) {
                  const Shape& dy = request.inputs[0].shape;
                  return chooseRows(request, RowsPass::inputGradient,
                                    RowsWithSets(request.attributes, dy,
                                                 request.outputs[0].shape.back(), dy.back()));
              }});
    list.add({"linear_sets_dw", "cpu", [](const KernelRequest& request) {
                  const Shape& dy = request.inputs[0].shape;
                  return chooseRows(request, RowsPass::weightsGradient,
                                    RowsWithSets(request.attributes, dy,
                                                 request.inputs[1].shape.back(), dy.back()));
              }});
}

} // namespace weft::cpu
