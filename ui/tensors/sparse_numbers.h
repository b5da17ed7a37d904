// SPDX-License-Identifier: Apache-2.0
#pragma once
// Statistics of a sparse code and its dictionary per element and per atom. Pure; the only source of
// these numbers.

#include <weft/pictures.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::ui {

/// Observed values of a layer with one network per batch element.
struct SparseStep {
    TensorNumbers code;           ///< [elements, atoms, rows, columns]
    TensorNumbers reconstruction; ///< [elements, channels, rows, columns]
    TensorNumbers residual;       ///< same shape as the reconstruction
    TensorNumbers energies;       ///< [rounds, elements]; empty: not recorded
    TensorNumbers steps;          ///< [rounds, elements]; empty: the same for all elements

    [[nodiscard]] std::int64_t elements() const;
};
/// Returns why the step cannot be shown in columns, or an empty text.
[[nodiscard]] std::string faultOf(const SparseStep& step);

/// Returns the input: reconstruction plus residual.
[[nodiscard]] TensorNumbers inputOf(const SparseStep& step);
/// Returns decibels per element, 10 log10(sum x^2 / sum residual^2); std::nullopt if either sum is
/// 0.
[[nodiscard]] std::vector<std::optional<double>> signalToNoise(const TensorNumbers& input,
                                                               const TensorNumbers& residual);
/// Returns the PSNR per element, for a signal with this peak; empty if `peak` is not positive.
[[nodiscard]] std::vector<std::optional<double>> peakToNoise(const TensorNumbers& residual,
                                                             double peak);
/// Returns the fraction of non-zero codes per element.
[[nodiscard]] std::vector<double> activeShares(const TensorNumbers& code);
/// Returns each element's code summed over atoms: [elements, 1, rows, columns].
[[nodiscard]] TensorNumbers sumOverAtoms(const TensorNumbers& code);
/// Returns each element's code of one atom, in the same shape.
[[nodiscard]] TensorNumbers codeOfAtom(const TensorNumbers& code, std::int64_t atom);
/// Returns an element's values by round.
[[nodiscard]] std::vector<double> curveOf(const TensorNumbers& series, std::int64_t element);

/// Returns the number of dictionaries in a weight [batch, code rows, code columns, atoms, channels,
/// rows, columns], where dimensions that share a dictionary are left out. 1: all elements share
/// one.
[[nodiscard]] std::int64_t dictionariesOf(const Shape& weight);
/// Returns one dictionary, [atoms, channels, rows, columns]; if each position has its own, the one
/// in the middle.
[[nodiscard]] TensorNumbers dictionaryOf(const TensorNumbers& weight, std::int64_t element);

/// The part of a step that uses one dictionary; -1 means all.
struct DictionaryScope {
    std::int64_t element = -1;
    std::int64_t place = -1; ///< index of a position in the code, in row-major order
    bool operator==(const DictionaryScope&) const = default;
};
/// Returns the part of the step that uses the dictionary returned by `dictionaryOf`.
[[nodiscard]] DictionaryScope scopeOfDictionary(const Shape& weight, std::int64_t element);
/// Returns the fraction of non-zero codes per atom within reach.
[[nodiscard]] std::vector<double> atomUse(const TensorNumbers& code,
                                          const DictionaryScope& reach = {});

/// Returns the norm of each atom.
[[nodiscard]] std::vector<double> atomNorms(const TensorNumbers& weight);
/// Returns the cosine similarity of each atom with the given one; 0 for an atom of norm 0.
[[nodiscard]] std::vector<double> atomSimilarity(const TensorNumbers& weight, std::int64_t atom);

/// Returns, for each atom, how much half the squared residual would grow without it within reach
/// while all other codes stay the same: a mean over elements. Empty if the dictionary's shape
/// doesn't match the step.
[[nodiscard]] std::vector<double> atomGains(const SparseStep& step, const TensorNumbers& dictionary,
                                            const DictionaryScope& reach = {});

enum class AtomOrder : std::uint8_t { stored, use, gain, norm, similarity };
/// Returns indices in descending order of value; equal and missing values keep the stored order.
[[nodiscard]] std::vector<std::int64_t> orderOf(const std::vector<double>& values,
                                                std::int64_t atoms);

} // namespace weft::ui
