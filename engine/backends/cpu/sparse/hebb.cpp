// SPDX-License-Identifier: Apache-2.0
// h = rate_scale rate sum / count; d = (1 - momentum) h + momentum previous - decay w; w' = w + d.
// unit_length: w divided by its length, per atom. count_active: per atom its number of nonzero
// codes.
#include "backends/cpu/per_element.h"
#include "graph/set_sharing.h"

#include <array>
#include <cmath>

namespace weft::cpu {

void hebb(KernelList& list);

namespace {

struct HebbNumbers {
    float scale, decay, momentum;
    bool decaysByRate;
};

/// The factors common to an atom's elements.
struct HebbStep {
    float ofSum, ofPrevious, ofWeight;

    HebbStep(const HebbNumbers& with, double count, double rate)
        : ofSum(count == 0 ? 0 : static_cast<float>((1 - with.momentum) * rate / count)),
          ofPrevious(with.momentum),
          ofWeight(static_cast<float>((with.decaysByRate ? rate : 1) * with.decay)) {}
};

ChoiceOrRefusal chooseHebb(const KernelRequest& request, bool remembers) {
    const Attributes& attributes = request.attributes;
    const HebbNumbers with{static_cast<float>(attributes.real("rate_scale")),
                           static_cast<float>(attributes.real("weight_decay")),
                           remembers ? static_cast<float>(attributes.real("momentum")) : 0,
                           attributes.boolean("decay_by_rate")};
    const Shape& w = request.inputs[0].shape;
    const auto sets = static_cast<std::size_t>(attributes.integer("set_dims"));
    if (request.inputs[2].shape.size() > sets + 1) {
        return refuse("does not support counts per tap");
    }
    // The dictionary keeps its format, whatever the format of the sum.
    const Format format = sets == 0 && isBatchOutermost(request.inputs[0].format, w)
                              ? request.inputs[0].format
                              : Format{};
    const BatchElements atoms(request.inputs[0], sets + 1);
    // A count belongs to an atom, a set, or all of them.
    const std::int64_t atomsOfCount =
        atoms.count / std::max<std::int64_t>(1, request.inputs[2].elements());
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const before = input<float>(arguments, 0);
        const auto* const sum = input<float>(arguments, 1);
        const auto* const count = input<float>(arguments, 2);
        const auto* const previous = remembers ? input<float>(arguments, 3) : before;
        const double rate = with.scale * *input<float>(arguments, remembers ? 4 : 3);
        auto* const after = output<float>(arguments, 0);
        auto* const update = remembers ? output<float>(arguments, 1) : nullptr;
        atoms.onEach(
            cores, 4,
            [&](std::int64_t atom, std::int64_t begin, std::int64_t end)
                __attribute__((always_inline)) {
                    const HebbStep step(with, count[atom / atomsOfCount], rate);
#pragma omp simd
                    for (std::int64_t k = begin; k < end; ++k) {
                        const float d = step.ofSum * sum[k] + step.ofPrevious * previous[k] -
                                        step.ofWeight * before[k];
                        after[k] = before[k] + d;
                        if (remembers) {
                            update[k] = d;
                        }
                    }
                });
    };
    std::vector<Format> inputs(request.inputs.size());
    inputs[0] = inputs[1] = format;
    if (remembers) {
        inputs[3] = format;
    }
    return withFormats(request, choiceOf(run), std::move(inputs),
                       std::vector<Format>(request.outputs.size(), format));
}

inline void __attribute__((always_inline))
toUnitLength(const float* from, std::int64_t count, float* to) {
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t k = 0; k < count; ++k) {
        const double number = from[k];
        squares += number * number;
    }
    const double length = squares > 0 ? std::sqrt(squares) : 1;
#pragma omp simd
    for (std::int64_t k = 0; k < count; ++k) {
        to[k] = static_cast<float>(from[k] / length);
    }
}

ChoiceOrRefusal chooseUnitLength(const KernelRequest& request) {
    const auto sets = static_cast<std::size_t>(request.attributes.integer("set_dims"));
    const auto format =
        sets == 0 ? batchContiguousFormat(request, request.inputs[0].shape) : Format{};
    if (!format) {
        return refuse("atoms are not contiguous in memory");
    }
    const BatchElements atoms(request.inputs[0], sets + 1);
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const w = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        shareOut(cores, atoms.count, 1, 4 * atoms.count * atoms.size, [&](Range range) {
            vectorised([&]() __attribute__((always_inline)) {
                for (std::int64_t atom = range.begin; atom < range.end; ++atom) {
                    toUnitLength(w + atom * atoms.size, atoms.size, y + atom * atoms.size);
                }
            });
        });
    };
    return withFormats(request, choiceOf(run), {*format}, {*format});
}

/// Codes [batch, atom, position] or, if isLast, [batch, position, atom].
struct ActiveCodes {
    std::int64_t batch, atoms, positions;
    bool isLast;

    inline void __attribute__((always_inline))
    countPlain(const float* a, Range range, std::int64_t* counts) const {
        for (std::int64_t b = 0; b < batch; ++b) {
            for (std::int64_t atom = range.begin; atom < range.end; ++atom) {
                const float* const codes = a + (b * atoms + atom) * positions;
                std::int64_t count = 0;
#pragma omp simd reduction(+ : count)
                for (std::int64_t p = 0; p < positions; ++p) {
                    count += codes[p] != 0 ? 1 : 0;
                }
                counts[atom] += count;
            }
        }
    }

    inline void __attribute__((always_inline))
    countLast(const float* a, Range range, std::int64_t* counts) const {
        constexpr std::int64_t width = 64;
        for (std::int64_t first = range.begin; first < range.end; first += width) {
            const std::int64_t n = std::min(width, range.end - first);
            for (std::int64_t b = 0; b < batch; ++b) {
                std::int32_t some[width] =
                    {}; // counts of one element, which has fewer than 2^31 positions
                for (std::int64_t p = 0; p < positions; ++p) {
                    const float* const codes = a + (b * positions + p) * atoms + first;
#pragma omp simd
                    for (std::int64_t k = 0; k < n; ++k) {
                        some[k] += codes[k] != 0 ? 1 : 0;
                    }
                }
                for (std::int64_t k = 0; k < n; ++k) {
                    counts[first + k] += some[k];
                }
            }
        }
    }
};

/// Counts for several sets: per element, per position, or both.
ChoiceOrRefusal chooseCountOfSets(const KernelRequest& request) {
    const Shape& code = request.inputs[0].shape;
    const std::int64_t batch = code[0];
    const std::int64_t atoms = code[1];
    const std::int64_t positions = code[2] * code[3];
    const SetStrides steps(SetSharing(request.attributes), positions, atoms);
    const std::int64_t all = request.outputs[0].elements();
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const a = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        shareOut(cores, atoms, 16, batch * atoms * positions, [&](Range range) {
            for (std::int64_t atom = range.begin; atom < range.end; ++atom) {
                for (std::int64_t k = atom; k < all; k += atoms) {
                    y[k] = 0;
                }
                for (std::int64_t b = 0; b < batch; ++b) {
                    const float* const codes = a + (b * atoms + atom) * positions;
                    float* const to = y + steps.offset(b, 0) + atom;
                    for (std::int64_t p = 0; p < positions; ++p) {
                        to[steps.offset(0, p)] += codes[p] != 0 ? 1.0F : 0.0F;
                    }
                }
            }
        });
    };
    return allPlain(request, choiceOf(run));
}

ChoiceOrRefusal chooseCountActive(const KernelRequest& request) {
    if (SetSharing(request.attributes).hasSeveralSets()) {
        return chooseCountOfSets(request);
    }
    const TensorPart& part = request.inputs[0];
    const bool isLast = part.format == channelsLast();
    const ActiveCodes codes{part.shape[0], part.shape[1], part.shape[2] * part.shape[3], isLast};
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const a = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        auto* const counts = static_cast<std::int64_t*>(arguments.scratch);
        const std::int64_t n = codes.batch * codes.atoms * codes.positions;
        shareOut(cores, codes.atoms, 16, n, [&](Range range) {
            std::fill(counts + range.begin, counts + range.end, 0);
            vectorised([&]() __attribute__((always_inline)) {
                codes.isLast ? codes.countLast(a, range, counts)
                             : codes.countPlain(a, range, counts);
            });
            for (std::int64_t atom = range.begin; atom < range.end; ++atom) {
                y[atom] = static_cast<float>(counts[atom]);
            }
        });
    };
    return withFormats(
        request, choiceOf(run, {codes.atoms * static_cast<std::int64_t>(sizeof(std::int64_t))}),
        {isLast ? channelsLast() : Format{}}, {});
}

} // namespace

void hebb(KernelList& list) {
    list.add(
        {"hebb", "cpu", [](const KernelRequest& request) { return chooseHebb(request, false); }});
    list.add({"hebb_momentum", "cpu",
              [](const KernelRequest& request) { return chooseHebb(request, true); }});
    list.add({"unit_length", "cpu", chooseUnitLength});
    list.add({"count_active", "cpu", chooseCountActive});
}

} // namespace weft::cpu
