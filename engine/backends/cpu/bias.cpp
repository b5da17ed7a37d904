// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim; db = dy summed over all other dims, in blocks of a fixed size whose sums
// are added in double, so that long maps lose nothing and the order never changes.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/rows.h"

#include <cstring>

namespace weft::cpu {

void bias(KernelList& list);

namespace {

/// Format of the first operand, where it is a mere order of dims.
std::optional<Format> orderOffered(const KernelRequest& request) {
    const auto format = formatForAll(request, request.inputs[0].shape);
    return format && isOrder(*format) ? format : std::nullopt;
}

PreparationOrRefusal prepareAdd(const KernelRequest& request) {
    if (const auto why = whyNotF32(request)) {
        return refuse(*why);
    }
    const auto format = orderOffered(request);
    if (!format) {
        return refuse("blocked formats have no bias here");
    }
    const Along along =
        alongDim(request.inputs[0].shape, *format, request.attributes.integer("dim"));
    const int cores = request.cores;
    return withFormats(request, made([=](const KernelArguments& at) {
                           const float* const x = input<float>(at, 0);
                           const float* const b = input<float>(at, 1);
                           float* const y = output<float>(at, 0);
                           const std::int64_t n = along.n;
                           const std::int64_t inner = along.inner;
                           const std::int64_t rows = inner == 1 ? along.outer : along.outer * n;
                           const std::int64_t row = inner == 1 ? n : inner;
                           shareOut(cores, rows, 1, 2 * rows * row, [=](Range range) {
                               vectorised([=]() __attribute__((always_inline)) {
                                   for (std::int64_t r = range.begin; r < range.end; ++r) {
                                       const float* const from = x + r * row;
                                       float* const to = y + r * row;
                                       if (inner == 1) {
#pragma omp simd
                                           for (std::int64_t k = 0; k < row; ++k) {
                                               to[k] = from[k] + b[k];
                                           }
                                       } else {
                                           const float one = b[r % n];
#pragma omp simd
                                           for (std::int64_t k = 0; k < row; ++k) {
                                               to[k] = from[k] + one;
                                           }
                                       }
                                   }
                               });
                           });
                       }),
                       {*format, {}}, {*format});
}

constexpr std::int64_t blockOfRows = 64;

/// Adds the columns of rows [begin, end) to `sums`; `block` is room for n floats.
inline void __attribute__((always_inline))
addColumns(const float* dy, std::int64_t n, std::int64_t begin, std::int64_t end, float* block,
           double* sums) {
    for (std::int64_t from = begin; from < end; from += blockOfRows) {
        const std::int64_t to = std::min(end, from + blockOfRows);
        const float* row = dy + from * n;
#pragma omp simd
        for (std::int64_t k = 0; k < n; ++k) {
            block[k] = row[k];
        }
        for (std::int64_t r = from + 1; r < to; ++r) {
            row += n;
#pragma omp simd
            for (std::int64_t k = 0; k < n; ++k) {
                block[k] += row[k];
            }
        }
#pragma omp simd
        for (std::int64_t k = 0; k < n; ++k) {
            sums[k] += block[k];
        }
    }
}

/// Sum of one stretch of numbers.
inline double __attribute__((always_inline)) sumOf(const float* x, std::int64_t n) {
    constexpr std::int64_t block = 1024;
    double sum = 0;
    for (std::int64_t from = 0; from < n; from += block) {
        const std::int64_t to = std::min(n, from + block);
        float part = 0;
#pragma omp simd reduction(+ : part)
        for (std::int64_t k = from; k < to; ++k) {
            part += x[k];
        }
        sum += part;
    }
    return sum;
}

/// Columns of a matrix: each core sums its rows, then the parts are added in their order.
Preparation sumColumns(const Along& along, int cores) {
    const std::int64_t n = along.n;
    const std::int64_t rows = along.outer;
    const std::int64_t perCore = (n * static_cast<std::int64_t>(sizeof(double)) + 63) / 64 * 64;
    const int parts = rows * n < 32768 ? 1 : cores;
    const auto run = [=](const KernelArguments& at) {
        const float* const dy = input<float>(at, 0);
        float* const db = output<float>(at, 0);
        auto* const room = static_cast<std::byte*>(at.scratch);
        onEachCore(parts, [=](int part) {
            const Range range = partOf(rows, part, parts, blockOfRows);
            auto* const sums = reinterpret_cast<double*>(room + part * 2 * perCore);
            auto* const block = reinterpret_cast<float*>(room + (part * 2 + 1) * perCore);
            std::memset(sums, 0, static_cast<std::size_t>(perCore));
            vectorised([=]() __attribute__((always_inline)) {
                addColumns(dy, n, range.begin, range.end, block, sums);
            });
        });
        for (std::int64_t k = 0; k < n; ++k) {
            double sum = 0;
            for (int part = 0; part < parts; ++part) {
                sum += reinterpret_cast<const double*>(room + part * 2 * perCore)[k];
            }
            db[k] = static_cast<float>(sum);
        }
    };
    return made(run, {2 * perCore * parts});
}

/// Stretches of `inner` numbers: each core takes some of the n results.
Preparation sumStretches(const Along& along, int cores) {
    return made([=](const KernelArguments& at) {
        const float* const dy = input<float>(at, 0);
        float* const db = output<float>(at, 0);
        shareOut(cores, along.n, 1, along.outer * along.n * along.inner, [=](Range range) {
            vectorised([=]() __attribute__((always_inline)) {
                for (std::int64_t k = range.begin; k < range.end; ++k) {
                    double sum = 0;
                    for (std::int64_t outer = 0; outer < along.outer; ++outer) {
                        sum += sumOf(dy + (outer * along.n + k) * along.inner, along.inner);
                    }
                    db[k] = static_cast<float>(sum);
                }
            });
        });
    });
}

PreparationOrRefusal prepareGradient(const KernelRequest& request) {
    if (const auto why = whyNotF32(request)) {
        return refuse(*why);
    }
    const Format offered = request.inputs[0].format;
    const Format format = isOrder(offered) ? offered : Format{};
    const Along along =
        alongDim(request.inputs[0].shape, format, request.attributes.integer("dim"));
    return withFormats(request,
                       along.inner == 1 ? sumColumns(along, request.cores)
                                        : sumStretches(along, request.cores),
                       {format}, {});
}

} // namespace

void bias(KernelList& list) {
    list.add({"bias_add", "cpu", prepareAdd});
    list.add({"bias_gradient", "cpu", prepareGradient});
}

} // namespace weft::cpu
