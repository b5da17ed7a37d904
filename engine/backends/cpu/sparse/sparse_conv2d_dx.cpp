// SPDX-License-Identifier: Apache-2.0
// dx of (dy, w) for pictures of few channels, where oneDNN's kernels do not fill the registers:
// each position adds its patch, computed from the nonzero dy, as sparse coding rebuilds a picture
// from its code (lca_rebuild.h).
#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/sparse/lca_rebuild.h"

#include <atomic>

namespace weft::cpu {

void sparse_conv2d_dx(KernelList& list);

namespace {

/// True if this kernel is faster than oneDNN even without zeros in dy, as timed on the first layers
/// of common networks.
bool isWorthPatches(const Shape& w) {
    constexpr std::int64_t fewChannels = 4;
    constexpr std::int64_t fewTaps = 64;
    return w[1] == 1 || (w[1] <= fewChannels && w[1] * w[2] * w[3] >= fewTaps);
}

/// Carries out one call of the kernel: idle cores take bands of pictures dynamically.
class PatchesAdded {
public:
    PatchesAdded(const LcaSizes& sizes, int cores)
        : sizes_(sizes), cores_(cores), bands_(cores > 1 && sizes.batch % cores != 0 ? cores : 1) {}

    [[nodiscard]] Bytes scratch() const {
        return {(atomFloats() + cores_ * coreFloats()) * static_cast<std::int64_t>(sizeof(float))};
    }

    void run(const KernelArguments& arguments) const {
        auto* const atoms = static_cast<float*>(arguments.scratch);
        onEachCore(cores_, [&](int part) {
            padAtoms(sizes_, input<float>(arguments, 1), partOf(sizes_.atoms, part, cores_), atoms);
        });
        std::atomic<std::int64_t> next = 0;
        onEachCore(cores_, [&](int core) {
            float* const own = atoms + atomFloats() + core * coreFloats();
            for (std::int64_t k = next++; k < sizes_.batch * bands_; k = next++) {
                runBand(arguments, k / bands_,
                        partOf(sizes_.planeRows, static_cast<int>(k % bands_), bands_), atoms, own);
            }
        });
    }

private:
    [[nodiscard]] std::int64_t atomFloats() const { return sizes_.atoms * sizes_.paddedAtom(); }
    [[nodiscard]] std::int64_t planeFloats() const {
        return LcaSizes::roundUpToLines(sizes_.planeFloats());
    }
    [[nodiscard]] std::int64_t activeFloats() const {
        return LcaSizes::roundUpToLines(2 * sizes_.panels() * sizes_.positions());
    }
    [[nodiscard]] std::int64_t coreFloats() const {
        return planeFloats() + activeFloats() + LcaScratch::floats(sizes_);
    }

    void runBand(const KernelArguments& arguments, std::int64_t b, Range band, const float* atoms,
                 float* own) const {
        const float* const dy = input<float>(arguments, 0) + b * sizes_.atoms * sizes_.positions();
        auto* const active = reinterpret_cast<std::uint64_t*>(own + planeFloats());
        const LcaRebuild rebuilding{sizes_,
                                    atoms,
                                    {dy, LcaSizes::panel, sizes_.atoms, active},
                                    LcaScratch(sizes_, own + planeFloats() + activeFloats()),
                                    own};
        vectorisedByWidth([&](auto width) __attribute__((always_inline)) {
            findActive<decltype(width)::value>(dy, rowsReaching(sizes_, band), active);
            rebuild<decltype(width)::value>(rebuilding, band);
        });
        const Range rows = pictureRows(sizes_, band);
        for (std::int64_t channel = 0; channel < sizes_.channels; ++channel) {
            float* const dx = output<float>(arguments, 0) +
                              (b * sizes_.channels + channel) * sizes_.rows * sizes_.columns;
            for (std::int64_t row = rows.begin; row < rows.end; ++row) {
                std::copy_n(
                    own + (channel * sizes_.planeRows + sizes_.top + row) * sizes_.planeColumns +
                        sizes_.left,
                    sizes_.columns, dx + row * sizes_.columns);
            }
        }
    }

    /// The codes are dy, stored as [position][atom].
    template <int width>
    inline void __attribute__((always_inline))
    findActive(const float* dy, Range codeRows, std::uint64_t* active) const {
        using L = Lanes<width>;
        for (std::int64_t p = codeRows.begin * sizes_.codeColumns;
             p < codeRows.end * sizes_.codeColumns; ++p) {
            for (std::int64_t panel = 0; panel < sizes_.panels(); ++panel) {
                const std::int64_t first = panel * LcaSizes::panel;
                const std::int64_t atoms = std::min(LcaSizes::panel, sizes_.atoms - first);
                const float* const numbers = dy + p * sizes_.atoms + first;
                std::uint64_t bits = 0;
                std::int64_t n = 0;
                for (; n + width <= atoms; n += width) {
                    bits |= L::active(L::load(numbers + n)) << n;
                }
                for (; n < atoms; ++n) {
                    bits |= static_cast<std::uint64_t>(numbers[n] != 0) << n;
                }
                active[panel * sizes_.positions() + p] = bits;
            }
        }
    }

    const LcaSizes sizes_;
    int cores_;
    int bands_;
};

ChoiceOrRefusal choosePatches(const KernelRequest& request) {
    const TensorPart& dy = request.inputs[0];
    const TensorPart& w = request.inputs[1];
    const TensorPart& dx = request.outputs[0];
    const auto windows = windowsOf(request.attributes, {w.shape[2], w.shape[3]}, dx, dy);
    if (!windows) {
        return refuse("the local part of the input has rows before the first window");
    }
    if (!isWorthPatches(w.shape) || w.shape[1] != dx.shape[1] || windows->dilation != Shape{1, 1}) {
        return refuse("supports only large patches with few channels, without groups or dilation");
    }
    const PatchesAdded patches(LcaSizes(dx.shape, dy.shape, *windows), request.cores);
    if (patches.scratch() > request.scratchLimit) {
        return refuse("needs more workspace than the limit allows");
    }
    KernelChoice choice = choiceOf(
        [=](const KernelArguments& arguments) { patches.run(arguments); }, patches.scratch());
    choice.implementation = "cpu:patches";
    return withFormats(request, std::move(choice), {channelsLast(), {}}, {});
}

} // namespace

void sparse_conv2d_dx(KernelList& list) { list.add({"conv2d_dx", "cpu:patches", choosePatches}); }

} // namespace weft::cpu
