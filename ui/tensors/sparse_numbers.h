// SPDX-License-Identifier: Apache-2.0
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
/// The same of a signal whose every number is `peak`: PSNR. Empty where that is not above 0.
[[nodiscard]] std::vector<std::optional<double>> peakToNoise(const TensorNumbers& residual,
                                                             double peak);
/// Per element the share of its codes that are not 0.
[[nodiscard]] std::vector<double> activeShares(const TensorNumbers& code);
/// Per element its code summed over atoms: [elements, 1, rows, columns].
[[nodiscard]] TensorNumbers sumOverAtoms(const TensorNumbers& code);
/// Per element that of one atom alone, in the same form.
[[nodiscard]] TensorNumbers codeOfAtom(const TensorNumbers& code, std::int64_t atom);
/// An element's numbers, round by round.
[[nodiscard]] std::vector<double> courseOf(const TensorNumbers& series, std::int64_t element);

/// How many dictionaries a weight [batch, code rows, code columns, atoms, channels, rows, columns],
/// without what they are shared over, has for the elements of the batch. 1: they share one.
[[nodiscard]] std::int64_t dictionariesOf(const Shape& weight);
/// One of them, [atoms, channels, rows, columns]; of one per position that in the middle.
[[nodiscard]] TensorNumbers dictionaryOf(const TensorNumbers& weight, std::int64_t element);

/// The part of a step that uses one dictionary; -1: all of it.
struct AtomReach {
    std::int64_t element = -1;
    std::int64_t place = -1; ///< of the code's, row by row
    bool operator==(const AtomReach&) const = default;
};
/// Reach of the dictionary that `dictionaryOf` finds in a weight of that shape.
[[nodiscard]] AtomReach reachOf(const Shape& weight, std::int64_t element);
/// Per atom the share of its codes within reach that are not 0.
[[nodiscard]] std::vector<double> atomUse(const TensorNumbers& code, const AtomReach& reach = {});

/// Per atom its length.
[[nodiscard]] std::vector<double> atomNorms(const TensorNumbers& weight);
/// Per atom the inner product with that one, both of length 1; 0 where one has no length.
[[nodiscard]] std::vector<double> atomSimilarity(const TensorNumbers& weight, std::int64_t atom);

/// Per atom of one dictionary how much larger half the squared residual would be without it within
/// reach, all other codes as they are: a mean over the elements. Empty where the dictionary is not
/// one of this step's form.
[[nodiscard]] std::vector<double> atomGains(const SparseStep& step, const TensorNumbers& dictionary,
                                            const AtomReach& reach = {});

enum class AtomOrder : std::uint8_t { stored, use, gain, norm, similarity };
/// Most first; equals, and what is not there, stay as stored.
[[nodiscard]] std::vector<std::int64_t> orderOf(const std::vector<double>& values,
                                                std::int64_t atoms);

} // namespace weft::ui
