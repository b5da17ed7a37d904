// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim, with b of the set of each element and position; db = the sum of dy over
// everything that shares a number of b, in a fixed order for any number of cores.
#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"
#include "graph/set_sharing.h"

namespace weft::cpu {

void bias_sets(KernelList& list);

namespace {

/// x as [batch, before, features, behind]; one of `before` and `behind` is 1.
struct SetsOfBias {
    explicit SetsOfBias(const KernelRequest& request) {
        const Shape& x = request.inputs[0].shape;
        const std::int64_t given = request.attributes.integer("dim");
        const auto dim = static_cast<std::size_t>(
            given < 0 ? given + static_cast<std::int64_t>(x.size()) : given);
        batch = x[0];
        features = x[dim];
        for (std::size_t k = 1; k < x.size(); ++k) {
            before *= k < dim ? x[k] : 1;
            behind *= k > dim ? x[k] : 1;
        }
        steps = SetStrides(SetSharing(request.attributes), before * behind, features);
    }

    std::int64_t batch = 1, before = 1, features = 1, behind = 1;
    SetStrides steps{{}, 1, 1};

    [[nodiscard]] std::int64_t elements() const { return batch * before * features * behind; }
};

ChoiceOrRefusal chooseAddSets(const KernelRequest& request) {
    const SetsOfBias of(request);
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        const auto* const bias = input<float>(arguments, 1);
        auto* const y = output<float>(arguments, 0);
        shareOut(cores, of.batch * of.before, 1, 2 * of.elements(), [&](Range range) {
            vectorised([&]() __attribute__((always_inline)) {
                for (std::int64_t row = range.begin; row < range.end; ++row) {
                    const float* const numbers = bias + of.steps.offset(row / of.before, 0);
                    const std::int64_t first = row % of.before * of.behind;
                    for (std::int64_t f = 0; f < of.features; ++f) {
                        const std::int64_t begin = (row * of.features + f) * of.behind;
#pragma omp simd
                        for (std::int64_t q = 0; q < of.behind; ++q) {
                            y[begin + q] =
                                x[begin + q] + numbers[of.steps.offset(0, first + q) + f];
                        }
                    }
                }
            });
        });
    };
    return allPlain(request, choiceOf(run));
}

ChoiceOrRefusal chooseSetsGradient(const KernelRequest& request) {
    const SetsOfBias of(request);
    const int cores = request.cores;
    const std::int64_t count = request.outputs[0].elements();
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const dy = input<float>(arguments, 0);
        auto* const db = output<float>(arguments, 0);
        // Each core has its own features, so no sum is shared.
        shareOut(cores, of.features, 16, of.elements(), [&](Range range) {
            vectorised([&]() __attribute__((always_inline)) {
                for (std::int64_t f = range.begin; f < range.end; ++f) {
                    for (std::int64_t k = f; k < count; k += of.features) {
                        db[k] = 0;
                    }
                    for (std::int64_t b = 0; b < of.batch; ++b) {
                        float* const to = db + of.steps.offset(b, 0) + f;
                        const float* const from = dy + b * of.before * of.features * of.behind;
                        for (std::int64_t p = 0; p < of.before; ++p) {
                            const float* const run = from + (p * of.features + f) * of.behind;
                            if (of.steps.position == 0) {
                                double sum = 0;
#pragma omp simd reduction(+ : sum)
                                for (std::int64_t q = 0; q < of.behind; ++q) {
                                    sum += run[q];
                                }
                                *to += static_cast<float>(sum);
                                continue;
                            }
                            for (std::int64_t q = 0; q < of.behind; ++q) {
                                to[of.steps.offset(0, p * of.behind + q)] += run[q];
                            }
                        }
                    }
                }
            });
        });
    };
    return allPlain(request, choiceOf(run));
}

} // namespace

void bias_sets(KernelList& list) {
    list.add({"bias_sets", "cpu", chooseAddSets});
    list.add({"bias_sets_gradient", "cpu", chooseSetsGradient});
}

} // namespace weft::cpu
