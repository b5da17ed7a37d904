// SPDX-License-Identifier: Apache-2.0
#pragma once
// An observed step of a sparse code, and a dictionary, as pictures and numbers ready to draw.
// Created off the GUI thread and immutable afterwards.

#include "tensors/sparse_numbers.h"
#include "tensors/sparse_pictures.h"

namespace weft::ui {

/// Numbers of a dictionary's atoms in an observed step.
struct AtomNumbers {
    std::vector<double> use;   ///< share of non-zero codes per atom
    std::vector<double> gains; ///< empty: the step's dictionary was not recorded
};

struct SparseDisplay {
    std::int64_t step = 0; ///< step of the run
    std::int64_t elements = 0;
    std::int64_t atoms = 0;
    Reel input, reconstruction, residual, code;
    PictureScale inputScale;
    double strength = 1; ///< amplification of the residual relative to the input's scale
    std::vector<std::vector<double>> energies; ///< per element; empty: not recorded
    std::vector<std::vector<double>> steps;    ///< per element; empty: the same for all elements
    std::vector<double> active;                ///< share of non-zero codes per element
    Histogram activeValues;                    ///< histogram of the non-zero codes
    std::int64_t activeCodes = 0;              ///< number of codes that are not zero
    std::int64_t codes = 0;                    ///< number of all codes
    std::vector<std::optional<double>> signalToNoise; ///< decibels per element
    std::vector<std::optional<double>> peakToNoise;   ///< empty: the peak is unknown
    std::vector<AtomNumbers> atomNumbers;             ///< one, or one per element's dictionary
    TensorNumbers codeNumbers;                        ///< [elements, atoms, rows, columns]
};
/// Options for showing an observed step.
struct SparseOptions {
    std::int64_t step = 0;
    std::int64_t frames = 1; ///< number of frames in an example
    double peak = 0;         ///< range of a picture's values, used for PSNR; 0: unknown
    Shape weight = {}; ///< shape of the dictionary if it is known but was not recorded in the step
};
/// Shows a valid step; `weight`: the weights it used, empty if not recorded.
[[nodiscard]] SparseDisplay makeSparseDisplay(SparseStep values, const TensorNumbers& weight,
                                              const SparseOptions& options);

struct DictionaryDisplay {
    std::int64_t step = 0;
    std::int64_t element = -1; ///< element that owns the dictionary; -1: all elements
    bool isOfMiddle = false;   ///< is the middle position's, as each has its own
    TensorNumbers weight;      ///< [atoms, channels, rows, columns]
    Reel pictures;             ///< pictures of the atoms
    std::vector<double> norms; ///< per atom

    [[nodiscard]] std::int64_t atoms() const { return static_cast<std::int64_t>(norms.size()); }
};
/// Shows the dictionary of an element; without atoms if the weight does not consist of images.
[[nodiscard]] DictionaryDisplay makeDictionaryDisplay(const TensorNumbers& weight,
                                                      std::int64_t step, std::int64_t frames,
                                                      std::int64_t element = 0);

} // namespace weft::ui
