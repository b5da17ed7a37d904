// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a sparse code and its dictionary amount to, element by element and atom by atom. Pure, and
// the one place of these numbers.

#include <weft/pictures.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::ui {

/// What an observed step showed of a layer whose elements are networks of their own.
struct SparseStep {
    TensorNumbers code;           ///< [elements, atoms, rows, columns]
    TensorNumbers reconstruction; ///< [elements, channels, rows, columns]
    TensorNumbers residual;       ///< as the reconstruction
    TensorNumbers energies;       ///< [rounds, elements]; empty: not kept
    TensorNumbers steps;          ///< the same; empty: all elements take the same

    [[nodiscard]] std::int64_t elements() const;
};
/// Why it cannot be shown in columns; empty: it can.
[[nodiscard]] std::string faultOf(const SparseStep& step);

/// The input: what was explained and what was not.
[[nodiscard]] TensorNumbers inputOf(const SparseStep& step);
/// Decibels per element, 10 log10(sum x^2 / sum residual^2); absent where either is 0.
[[nodiscard]] std::vector<std::optional<double>> signalToNoise(const TensorNumbers& input,
                                                               const TensorNumbers& residual);
/// Per element the share of its codes that are not 0.
[[nodiscard]] std::vector<double> activeShares(const TensorNumbers& code);
/// Per element its code summed over atoms: [elements, 1, rows, columns].
[[nodiscard]] TensorNumbers sumOverAtoms(const TensorNumbers& code);
/// An element's numbers, round by round.
[[nodiscard]] std::vector<double> courseOf(const TensorNumbers& series, std::int64_t element);

/// Per atom the share of its codes, of all elements and places, that are not 0.
[[nodiscard]] std::vector<double> atomUse(const TensorNumbers& code);
/// The same of each element alone.
[[nodiscard]] std::vector<std::vector<double>> atomUses(const TensorNumbers& code);

/// How many dictionaries a weight [batch, code rows, code columns, atoms, channels, rows, columns],
/// without what they are shared over, has for the elements of the batch. 1: they share one.
[[nodiscard]] std::int64_t dictionariesOf(const TensorNumbers& weight);
/// One of them, [atoms, channels, rows, columns]; of one per position that in the middle.
[[nodiscard]] TensorNumbers dictionaryOf(const TensorNumbers& weight, std::int64_t element);

/// Per atom its length.
[[nodiscard]] std::vector<double> atomNorms(const TensorNumbers& weight);
/// Per atom the inner product with that one, both of length 1; 0 where one has no length.
[[nodiscard]] std::vector<double> atomSimilarity(const TensorNumbers& weight, std::int64_t atom);

/// Per atom how much larger half the squared residual would be without it, all other codes as they
/// are: a mean over the elements. Empty where the dictionary is not one of this step's form.
[[nodiscard]] std::vector<double> atomGains(const SparseStep& step, const TensorNumbers& weight);

enum class AtomOrder : std::uint8_t { stored, use, gain, norm, similarity };
/// Most first; equals, and what is not there, stay as stored.
[[nodiscard]] std::vector<std::int64_t> orderOf(const std::vector<double>& values,
                                                std::int64_t atoms);

} // namespace weft::ui
