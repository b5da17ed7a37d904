// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sizes and scratch layout of the sparse coding kernel. Codes are stored in panels of 64 atoms,
// [panel][position][64], pictures with the border that windows read.

#include "backends/cpu/team.h"
#include "device/window.h"

namespace weft::cpu {

struct LcaSizes {
    static constexpr std::int64_t panel = 64; ///< a word has a bit for each atom of a panel
    static constexpr std::int64_t line = 16;  ///< floats per cache line

    LcaSizes(const Shape& x, const Shape& code, const Windows& windows);

    std::int64_t batch, atoms, channels;
    std::int64_t rows, columns;         ///< size of the picture
    std::int64_t codeRows, codeColumns; ///< size of the code
    std::int64_t kernelRows, kernelColumns;
    std::int64_t strideRows, strideColumns;
    std::int64_t top, left;               ///< border before the picture
    std::int64_t paddedKernelColumns;     ///< padded length of an atom's row
    std::int64_t planeRows, planeColumns; ///< size of a picture with its border

    [[nodiscard]] std::int64_t positions() const { return codeRows * codeColumns; }
    [[nodiscard]] std::int64_t panels() const { return (atoms + panel - 1) / panel; }
    [[nodiscard]] std::int64_t picture() const { return channels * rows * columns; } ///< floats
    [[nodiscard]] std::int64_t planeFloats() const { return channels * planeRows * planeColumns; }
    [[nodiscard]] std::int64_t taps() const { return channels * kernelRows * kernelColumns; }
    /// Floats of a padded atom, in whole cache lines.
    [[nodiscard]] std::int64_t paddedAtom() const {
        return roundUpToLines(channels * kernelRows * paddedKernelColumns);
    }
    [[nodiscard]] std::int64_t state() const { return panels() * positions() * panel; } ///< floats

    [[nodiscard]] static std::int64_t roundUpToLines(std::int64_t floats) {
        return (floats + line - 1) / line * line;
    }
};

/// The dictionary in the layouts of both halves of an iteration.
struct LcaDictionary {
    LcaDictionary(const LcaSizes& sizes, float* scratch)
        : transposed(scratch), atoms(scratch + sizes.panels() * sizes.taps() * LcaSizes::panel) {}

    float* transposed; ///< [panel][tap][atom], for the drive
    float* atoms;      ///< [atom][channel, row, padded column], for the reconstruction

    [[nodiscard]] static std::int64_t floats(const LcaSizes& sizes) {
        return sizes.panels() * sizes.taps() * LcaSizes::panel + sizes.atoms * sizes.paddedAtom();
    }
};

/// Transposes some panels of the dictionary to [panel][tap][64]; missing atoms are 0.
void transposeAtoms(const LcaSizes& sizes, const float* dictionary, Range panels, float* to);
/// Copies some atoms to [atom][channel, row, column], with rows padded by 0.
void padAtoms(const LcaSizes& sizes, const float* dictionary, Range atoms, float* to);

/// Codes of one batch element, and a bit for each code that is not 0.
struct LcaCodes {
    const float* values = nullptr;
    std::int64_t panelStep = 0, positionStep = 0; ///< strides of values in floats
    const std::uint64_t* active = nullptr;        ///< [panel][position]: a bit per atom
};

/// The state of one batch element during its iterations.
struct LcaImage {
    LcaImage(const LcaSizes& sizes, float* scratch);

    float *potential, *code;
    float *residual, *rebuilt; ///< with the border; rebuilt: the reconstruction
    std::uint64_t* active;     ///< [panel][position]: a bit per atom with a code
    double* squares;           ///< squared residual by row of the picture
    double* costs;             ///< costs of codes by row of the code

    [[nodiscard]] LcaCodes codes(const LcaSizes& sizes) const {
        return {code, sizes.positions() * LcaSizes::panel, LcaSizes::panel, active};
    }
    [[nodiscard]] static std::int64_t floats(const LcaSizes& sizes);
};

/// The private scratch of one core.
struct LcaScratch {
    LcaScratch(const LcaSizes& sizes, float* scratch);

    float* drive;              ///< [position in the block of six][atom in the panel]
    float* patch;              ///< what a position adds to the picture, laid out as a padded atom
    float* values;             ///< nonzero codes of a position
    std::int32_t* atomIndices; ///< the atoms of `values`

    [[nodiscard]] static std::int64_t floats(const LcaSizes& sizes);
};

} // namespace weft::cpu
