// SPDX-License-Identifier: Apache-2.0
#pragma once
// An observed step of a sparse code, and a dictionary, ready to be drawn: pictures and numbers.
// Made off the GUI thread and not changed any more.

#include "tensors/sparse_numbers.h"
#include "tensors/sparse_pictures.h"

namespace weft::ui {

/// What an observed step tells of a dictionary's atoms.
struct AtomNumbers {
    std::vector<double> use;
    std::vector<double> gains; ///< empty: the dictionary of the step is not there
};

struct SparseShown {
    std::int64_t step = 0; ///< of the run
    std::int64_t elements = 0;
    std::int64_t atoms = 0;
    Reel input, reconstruction, residual, code;
    PictureScale inputScale;
    double strength = 1;                       ///< of the residual over the input's scale
    std::vector<std::vector<double>> energies; ///< per element; empty: not kept
    std::vector<std::vector<double>> steps;    ///< the same; empty: all take the same
    std::vector<double> active;
    Histogram activeValues; ///< of the codes that are not 0
    std::int64_t activeCodes = 0;
    std::int64_t codes = 0;
    std::vector<std::optional<double>> signalToNoise;
    std::vector<std::optional<double>> peakToNoise; ///< empty: nobody said a peak
    std::vector<AtomNumbers> ofAtoms;               ///< one, or one per element's dictionary
    TensorNumbers codeNumbers;                      ///< [elements, atoms, rows, columns]
};
/// How an observed step is to be shown.
struct SparseManner {
    std::int64_t step = 0;
    std::int64_t frames = 1; ///< in an example
    double peak = 0;         ///< from the least to the largest number of a picture; 0: not said
    /// Shape of the dictionary, if it is known but not that of the step.
    Shape weight = {};
};
/// Shows a valid step; `weight`: the weights it used, empty if not recorded.
[[nodiscard]] SparseShown showSparse(SparseStep values, const TensorNumbers& weight,
                                     const SparseManner& manner);

struct DictionaryShown {
    std::int64_t step = 0;
    std::int64_t element = -1; ///< whose it is; -1: that of all
    bool isOfMiddle = false;   ///< each position has one, this is that in the middle
    TensorNumbers weight;      ///< [atoms, channels, rows, columns]
    Reel pictures;
    std::vector<double> norms;

    [[nodiscard]] std::int64_t atoms() const { return static_cast<std::int64_t>(norms.size()); }
};
/// Shows the dictionary of an element; without atoms if the weight does not consist of images.
[[nodiscard]] DictionaryShown showDictionary(const TensorNumbers& weight, std::int64_t step,
                                             std::int64_t frames, std::int64_t element = 0);

} // namespace weft::ui
