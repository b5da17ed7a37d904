// SPDX-License-Identifier: Apache-2.0
// y[n] = table[id_n - begin of this part], zeros if another part has the row, NaN if none has
// dtable[v] = sum over n, in order, of dy[n] where id_n = v; each core adds its share of the
// features
#include "backends/cpu/elementwise.h"
#include "backends/cpu/integers.h"

#include <limits>

namespace weft::cpu {

void embedding(KernelList& list);

namespace {

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    const TensorPart& table = request.inputs[1];
    const std::int64_t features = table.shape[1];
    const std::int64_t rows = table.shape[0];
    const std::int64_t first = table.begin.empty() ? 0 : table.begin[0];
    const std::int64_t whole = table.whole.empty() ? rows : table.whole[0];
    const std::int64_t ids = request.inputs[0].elements();
    const IntegerReader idOf(request.inputs[0].dtype);
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const from = input<float>(arguments, 1);
                        auto* const y = output<float>(arguments, 0);
                        shareOut(cores, ids, 1, 2 * ids * features, [=, &arguments](Range range) {
                            for (std::int64_t n = range.begin; n < range.end; ++n) {
                                const std::int64_t id = idOf(arguments.inputs[0], n);
                                const std::int64_t v = id - first;
                                float* const to = y + n * features;
                                if (id < 0 || id >= whole) {
                                    std::fill_n(to, features,
                                                std::numeric_limits<float>::quiet_NaN());
                                } else if (v >= 0 && v < rows) {
                                    std::copy_n(from + v * features, features, to);
                                } else {
                                    std::fill_n(to, features, 0.0F);
                                }
                            }
                        });
                    }));
}

ChoiceOrRefusal chooseGradient(const KernelRequest& request) {
    const TensorPart& table = request.outputs[0];
    const std::int64_t features = table.shape[1];
    const std::int64_t rows = table.shape[0];
    const std::int64_t first = table.begin.empty() ? 0 : table.begin[0];
    const std::int64_t ids = request.inputs[0].elements();
    const IntegerReader idOf(request.inputs[0].dtype);
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const void* const given = arguments.inputs[0];
                        const auto* const dy = input<float>(arguments, 1);
                        auto* const dtable = output<float>(arguments, 0);
                        shareOut(
                            cores, features, 16, (rows + 3 * ids) * features, [=](Range range) {
                                vectorised([=]() __attribute__((always_inline)) {
                                    for (std::int64_t v = 0; v < rows; ++v) {
                                        std::fill(dtable + v * features + range.begin,
                                                  dtable + v * features + range.end, 0.0F);
                                    }
                                    for (std::int64_t n = 0; n < ids; ++n) {
                                        const std::int64_t v = idOf(given, n) - first;
                                        if (v < 0 || v >= rows) {
                                            continue;
                                        }
                                        const float* const from = dy + n * features;
                                        float* const to = dtable + v * features;
#pragma omp simd
                                        for (std::int64_t e = range.begin; e < range.end; ++e) {
                                            to[e] += from[e];
                                        }
                                    }
                                });
                            });
                    }));
}

} // namespace

void embedding(KernelList& list) {
    list.add({"embedding", "cpu", chooseForward});
    list.add({"embedding_gradient", "cpu", chooseGradient});
}

} // namespace weft::cpu
