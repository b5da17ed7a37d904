// SPDX-License-Identifier: Apache-2.0
#pragma once
// Divides a kernel's work among the cores of its stream: always the same parts for the same number
// of cores, so that sums have a fixed order. A team has all cores or one, because OpenMP recreates
// threads when the team size changes.

#include <algorithm>
#include <cstdint>

namespace weft::cpu {

struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// Returns part `part` of [0, n) in `parts`, with bounds at multiples of `grain`; late parts may be
/// empty.
[[nodiscard]] inline Range partOf(std::int64_t n, int part, int parts, std::int64_t grain = 1) {
    const std::int64_t grains = (n + grain - 1) / grain;
    const auto border = [&](std::int64_t p) { return std::min(n, grains * p / parts * grain); };
    return {border(part), border(part + 1)};
}

/// Runs work(part) for every part in [0, cores), one per core.
template <class Work>
void onEachCore(int cores, const Work& work) {
    if (cores <= 1) {
        work(0);
        return;
    }
#pragma omp parallel for num_threads(cores) schedule(static, 1)
    for (int part = 0; part < cores; ++part) {
        work(part);
    }
}

/// Runs work(range) over [0, n); on one core if `cost`, the number of elements touched, is too
/// small to wake the others.
template <class Work>
void shareOut(int cores, std::int64_t n, std::int64_t grain, std::int64_t cost, const Work& work) {
    constexpr std::int64_t worthwhile = 16384;
    if (cores <= 1 || cost < worthwhile) {
        work(Range{0, n});
        return;
    }
    onEachCore(cores, [&](int part) {
        const Range range = partOf(n, part, cores, grain);
        if (range.size() > 0) {
            work(range);
        }
    });
}

} // namespace weft::cpu
