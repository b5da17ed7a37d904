// SPDX-License-Identifier: Apache-2.0
// Computes all iterations of sparse coding (layers/sparse/lca.cpp) in one kernel; a batch element
// stays in the nearest caches until its last iteration. Idle cores take elements dynamically;
// remaining elements, fewer than cores, and all elements if memory is short, are each computed by
// all cores. Results depend on neither, because sums have a fixed order (lca_drive.h,
// lca_rebuild.h).
#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/sparse/lca_body.h"
#include "backends/cpu/sparse/lca_rebuild.h"
#include "graph/step_rule.h"

#include <atomic>

namespace weft::cpu {

void lca_rounds(KernelList& list);

namespace {

/// What the choice of the kernel determines for all of its calls.
struct LcaPlan {
    LcaBody body;
    LcaSizes sizes;
    PiecewiseLinear transfer;
    std::optional<TimeStepRule> rule;
    bool potentialIsLast = false, codeIsLast = false; ///< formats of operands: channels-last
    bool potentialEndsLast = true, codeEndsLast = true;
    int cores = 1;
    int images = 1; ///< number of elements with scratch: one per core, or one in all

    /// Number of dictionaries in scratch: one for all elements, or one per element in progress.
    [[nodiscard]] int dictionaries() const { return body.hasOwnDictionaries ? images : 1; }

    [[nodiscard]] Bytes scratch() const {
        return {(dictionaries() * LcaDictionary::floats(sizes) + images * LcaImage::floats(sizes) +
                 cores * LcaScratch::floats(sizes)) *
                static_cast<std::int64_t>(sizeof(float))};
    }
};

/// Copies codes of positions from [atom][position] or [position][atom] to panels, padded with 0.
void toPanels(const LcaSizes& sizes, const float* from, bool isLast, Range positions,
              float* panels) {
    for (std::int64_t panel = 0; panel < sizes.panels(); ++panel) {
        const std::int64_t first = panel * LcaSizes::panel;
        const std::int64_t atoms = std::min(LcaSizes::panel, sizes.atoms - first);
        float* const to = panels + panel * sizes.positions() * LcaSizes::panel;
        for (std::int64_t p = positions.begin; p < positions.end; p += LcaSizes::line) {
            const std::int64_t end = std::min(positions.end, p + LcaSizes::line);
            for (std::int64_t n = 0; n < LcaSizes::panel && !isLast; ++n) {
                const float* const row = from + (first + n) * sizes.positions();
                for (std::int64_t q = p; q < end; ++q) {
                    to[q * LcaSizes::panel + n] = n < atoms ? row[q] : 0.0F;
                }
            }
            for (std::int64_t q = p; q < end && isLast; ++q) {
                float* const line = to + q * LcaSizes::panel;
                std::copy_n(from + q * sizes.atoms + first, atoms, line);
                std::fill(line + atoms, line + LcaSizes::panel, 0.0F);
            }
        }
    }
}

void fromPanels(const LcaSizes& sizes, const float* panels, bool isLast, Range positions,
                float* to) {
    for (std::int64_t panel = 0; panel < sizes.panels(); ++panel) {
        const std::int64_t first = panel * LcaSizes::panel;
        const std::int64_t atoms = std::min(LcaSizes::panel, sizes.atoms - first);
        const float* const from = panels + panel * sizes.positions() * LcaSizes::panel;
        for (std::int64_t p = positions.begin; p < positions.end; p += LcaSizes::line) {
            const std::int64_t end = std::min(positions.end, p + LcaSizes::line);
            for (std::int64_t n = 0; n < atoms && !isLast; ++n) {
                float* const row = to + (first + n) * sizes.positions();
                for (std::int64_t q = p; q < end; ++q) {
                    row[q] = from[q * LcaSizes::panel + n];
                }
            }
            for (std::int64_t q = p; q < end && isLast; ++q) {
                std::copy_n(from + q * LcaSizes::panel, atoms, to + q * sizes.atoms + first);
            }
        }
    }
}

/// Carries out one call of the kernel.
class LcaRun {
public:
    LcaRun(const LcaPlan& plan, const KernelArguments& arguments)
        : plan_(plan), sizes_(plan.sizes), at_(arguments) {}

    void run() {
        if (!plan_.body.hasOwnDictionaries) {
            readDictionary(in(plan_.body.dictionary), dictionaryOf(0), plan_.cores);
        }
        const bool hasOwn = plan_.images == plan_.cores;
        const std::int64_t alone = hasOwn ? sizes_.batch / plan_.cores * plan_.cores : 0;
        std::atomic<std::int64_t> next = 0;
        onEachCore(alone > 0 ? plan_.cores : 1, [&](int core) {
            for (std::int64_t b = next++; b < alone; b = next++) {
                runImage(b, core, 1);
            }
        });
        for (std::int64_t b = alone; b < sizes_.batch; ++b) {
            runImage(b, 0, plan_.cores);
        }
    }

private:
    struct Clock {
        float energy = 0, before = 0, step = 0, cap = 0;
    };

    [[nodiscard]] LcaDictionary dictionaryOf(int core) const {
        return {sizes_,
                static_cast<float*>(at_.scratch) +
                    (plan_.body.hasOwnDictionaries ? core : 0) * LcaDictionary::floats(sizes_)};
    }

    void readDictionary(const float* from, const LcaDictionary& to, int crew) const {
        onEachCore(crew, [&](int part) {
            transposeAtoms(sizes_, from, partOf(sizes_.panels(), part, crew), to.transposed);
            padAtoms(sizes_, from, partOf(sizes_.atoms, part, crew), to.atoms);
        });
    }

    [[nodiscard]] LcaImage imageOf(int core) const {
        return {sizes_, images() + core * LcaImage::floats(sizes_)};
    }
    [[nodiscard]] LcaScratch scratchOf(int core) const {
        return {sizes_, images() + plan_.images * LcaImage::floats(sizes_) +
                            core * LcaScratch::floats(sizes_)};
    }
    [[nodiscard]] float* images() const {
        return static_cast<float*>(at_.scratch) +
               plan_.dictionaries() * LcaDictionary::floats(sizes_);
    }
    [[nodiscard]] const float* in(std::size_t k) const { return input<float>(at_, k); }
    [[nodiscard]] float* out(std::size_t k) const { return output<float>(at_, k); }

    /// Computes one element in the memory of `core` with `crew` cores.
    void runImage(std::int64_t b, int core, int crew) const {
        const LcaImage image = imageOf(core);
        if (plan_.body.hasOwnDictionaries) {
            readDictionary(in(plan_.body.dictionary) + b * sizes_.atoms * sizes_.taps(),
                           dictionaryOf(core), crew);
        }
        begin(b, image, crew);
        Clock clock = beginClock(b);
        double squares = sumOf(image.squares, sizes_.rows); // squares of the initial residual
        for (std::int64_t round = 0; round < plan_.body.rounds; ++round) {
            if (plan_.rule) {
                const float energy = clock.energy;
                double step = clock.step;
                double cap = clock.cap;
                plan_.rule->apply(energy, clock.before, step, cap);
                clock = {energy, energy, static_cast<float>(step), static_cast<float>(cap)};
            }
            goRound(b, image, core, crew, clock.step);
            const double now = sumOf(image.squares, sizes_.rows);
            const double cost = sumOf(image.costs, sizes_.codeRows);
            clock.energy = static_cast<float>((plan_.body.isLagged ? squares : now) / 2 + cost);
            squares = now;
            collect(b, round, clock);
        }
        end(b, image, crew, clock);
    }

    static double sumOf(const double* numbers, std::int64_t count) {
        double sum = 0;
        for (std::int64_t k = 0; k < count; ++k) {
            sum += numbers[k];
        }
        return sum;
    }

    void goRound(std::int64_t b, const LcaImage& image, int core, int crew, float step) const {
        const double exponent = -static_cast<double>(step) / plan_.body.tau;
        const LcaMembrane membrane{static_cast<float>(std::exp(exponent)),
                                   static_cast<float>(-std::expm1(exponent)),
                                   static_cast<float>(plan_.body.self)};
        const LcaDictionary dictionary = dictionaryOf(core);
        onEachCore(crew, [&](int part) {
            const LcaScratch own = scratchOf(core + part);
            const LcaCodeUpdate update{sizes_, dictionary, image, own, plan_.transfer, membrane};
            const Range positions = partOf(sizes_.positions(), part, crew);
            vectorisedByWidth([&](auto width) __attribute__((always_inline)) {
                updateCodes<decltype(width)::value>(update, positions);
            });
        });
        onEachCore(crew, [&](int part) {
            const LcaRebuild rebuilding{
                sizes_,        dictionary.atoms, image.codes(sizes_), scratchOf(core + part),
                image.rebuilt, &plan_.transfer,  image.costs};
            const Range band = partOf(sizes_.planeRows, part, crew);
            vectorisedByWidth([&](auto width) __attribute__((always_inline)) {
                rebuild<decltype(width)::value>(rebuilding, band);
                takeResidual(sizes_, image, in(plan_.body.x) + b * sizes_.picture(),
                             pictureRows(sizes_, band));
            });
        });
    }

    void begin(std::int64_t b, const LcaImage& image, int crew) const {
        const std::int64_t state = sizes_.atoms * sizes_.positions();
        const LcaState& carried = plan_.body.carried;
        onEachCore(crew, [&](int part) {
            const Range positions = partOf(sizes_.positions(), part, crew);
            vectorised([&]() __attribute__((always_inline)) {
                toPanels(sizes_, in(carried.potential) + b * state, plan_.potentialIsLast,
                         positions, image.potential);
                toPanels(sizes_, in(carried.code) + b * state, plan_.codeIsLast, positions,
                         image.code);
            });
        });
        std::fill_n(image.residual, sizes_.planeFloats(), 0.0F);
        std::fill_n(image.squares, sizes_.rows, 0.0);
        onRowsOfPicture([&](std::int64_t row, std::int64_t inPlane, std::int64_t inPicture) {
            const float* const from = in(carried.residual) + b * sizes_.picture() + inPicture;
            for (std::int64_t k = 0; k < sizes_.columns; ++k) {
                image.residual[inPlane + k] = from[k];
                image.squares[row] += static_cast<double>(from[k]) * static_cast<double>(from[k]);
            }
        });
    }

    [[nodiscard]] Clock beginClock(std::int64_t b) const {
        const LcaState& carried = plan_.body.carried;
        if (!plan_.rule) {
            return {.energy = in(carried.energy)[b], .step = in(plan_.body.fixedStep)[b]};
        }
        return {in(carried.energy)[b], in(carried.before)[b], in(carried.step)[b],
                in(carried.cap)[b]};
    }

    void collect(std::int64_t b, std::int64_t round, const Clock& clock) const {
        const std::int64_t position = plan_.body.isReversed ? plan_.body.rounds - 1 - round : round;
        for (const std::size_t k : plan_.body.energies) {
            out(k)[position * sizes_.batch + b] = clock.energy;
        }
        for (const std::size_t k : plan_.body.steps) {
            out(k)[position * sizes_.batch + b] = clock.step;
        }
    }

    void end(std::int64_t b, const LcaImage& image, int crew, const Clock& clock) const {
        const std::int64_t state = sizes_.atoms * sizes_.positions();
        const LcaState& carried = plan_.body.carried;
        onEachCore(crew, [&](int part) {
            const Range positions = partOf(sizes_.positions(), part, crew);
            fromPanels(sizes_, image.potential, plan_.potentialEndsLast, positions,
                       out(carried.potential) + b * state);
            fromPanels(sizes_, image.code, plan_.codeEndsLast, positions,
                       out(carried.code) + b * state);
        });
        onRowsOfPicture([&](std::int64_t, std::int64_t inPlane, std::int64_t inPicture) {
            std::copy_n(image.residual + inPlane, sizes_.columns,
                        out(carried.residual) + b * sizes_.picture() + inPicture);
        });
        out(carried.energy)[b] = clock.energy;
        if (plan_.rule) {
            out(carried.before)[b] = clock.before;
            out(carried.step)[b] = clock.step;
            out(carried.cap)[b] = clock.cap;
        }
    }

    /// Calls work(row, its offset with border, its offset without)
    template <class Work>
    void onRowsOfPicture(const Work& work) const {
        for (std::int64_t channel = 0; channel < sizes_.channels; ++channel) {
            for (std::int64_t row = 0; row < sizes_.rows; ++row) {
                work(row,
                     (channel * sizes_.planeRows + sizes_.top + row) * sizes_.planeColumns +
                         sizes_.left,
                     (channel * sizes_.rows + row) * sizes_.columns);
            }
        }
    }

    const LcaPlan& plan_;
    const LcaSizes& sizes_;
    const KernelArguments& at_;
};

/// Potentials end in the format they begin with; codes begin as offered and end channels-last.
ChoiceOrRefusal chosen(const KernelRequest& request, LcaPlan plan) {
    const LcaState& carried = plan.body.carried;
    std::vector<Format> inputs(request.inputs.size());
    std::vector<Format> outputs(request.outputs.size());
    for (const std::size_t k : {carried.potential, carried.code}) {
        const bool isLast = request.inputs[k].format == channelsLast();
        const bool endsLast = request.mayChooseFormats
                                  ? isLast || k == carried.code
                                  : request.outputs[k].format == channelsLast();
        inputs[k] = isLast ? channelsLast() : Format{};
        outputs[k] = endsLast ? channelsLast() : Format{};
    }
    plan.potentialIsLast = inputs[carried.potential] == channelsLast();
    plan.codeIsLast = inputs[carried.code] == channelsLast();
    plan.potentialEndsLast = outputs[carried.potential] == channelsLast();
    plan.codeEndsLast = outputs[carried.code] == channelsLast();
    if (plan.scratch() > request.scratchLimit) {
        plan.images = 1;
    }
    const Bytes scratch = plan.scratch();
    if (scratch > request.scratchLimit) {
        return refuse("needs more workspace than the limit allows");
    }
    KernelChoice choice =
        choiceOf([plan = std::move(plan)](
                     const KernelArguments& arguments) { LcaRun(plan, arguments).run(); },
                 scratch);
    choice.implementation = "cpu:lca";
    return withFormats(request, std::move(choice), std::move(inputs), std::move(outputs));
}

ChoiceOrRefusal chooseLca(const KernelRequest& request) {
    auto body = lcaBodyOf(*request.repeat);
    if (!body) {
        return refuse("computes only iterations of lca: " + body.error());
    }
    const auto transfer = PiecewiseLinear::of(TransferFunction(body->transfer));
    if (!transfer) {
        return refuse("the transfer function has more points than fit into registers");
    }
    std::optional<TimeStepRule> rule;
    if (body->isAdaptive) {
        rule.emplace(body->rule);
    }
    const auto shape = [&](std::size_t operand) -> const Shape& {
        return request.inputs[operand].shape;
    };
    const LcaSizes sizes(shape(body->x), shape(body->carried.code), body->windows);
    return chosen(request, {.body = std::move(*body),
                            .sizes = sizes,
                            .transfer = *transfer,
                            .rule = rule,
                            .cores = request.cores,
                            .images = request.cores});
}

} // namespace

void lca_rounds(KernelList& list) { list.add({"repeat", "cpu:lca", chooseLca}); }

} // namespace weft::cpu
