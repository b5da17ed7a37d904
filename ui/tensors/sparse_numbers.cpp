// SPDX-License-Identifier: Apache-2.0
#include "tensors/sparse_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace weft::ui {

namespace {

std::int64_t dimOf(const TensorNumbers& tensor, std::size_t dim) {
    return dim < tensor.shape.size() ? tensor.shape[dim] : 1;
}

/// Returns the numbers at one index of the first dimension.
std::span<const float> partOfFirst(const TensorNumbers& tensor, std::int64_t place) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(dimOf(tensor, 0), 1));
    const std::size_t each = tensor.numbers.size() / count;
    return std::span(tensor.numbers).subspan(static_cast<std::size_t>(place) * each, each);
}

double squaresOf(std::span<const float> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0, [](double sum, float number) {
        return sum + static_cast<double>(number) * static_cast<double>(number);
    });
}

std::optional<double> decibels(double signal, double noise) {
    return signal > 0 && noise > 0 ? std::optional(10 * std::log10(signal / noise)) : std::nullopt;
}

double shareNotZero(std::span<const float> numbers) {
    const auto active = std::ranges::count_if(numbers, [](float number) { return number != 0; });
    return numbers.empty() ? 0 : static_cast<double>(active) / static_cast<double>(numbers.size());
}

/// True if the tensor has this rank and a complete set of numbers.
bool isWhole(const TensorNumbers& tensor, std::size_t dims) {
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.shape) {
        count *= size;
    }
    return tensor.shape.size() == dims && count > 0 &&
           static_cast<std::size_t>(count) == tensor.numbers.size();
}

bool isCourse(const TensorNumbers& series, std::int64_t elements) {
    return series.numbers.empty() || (isWhole(series, 2) && series.shape[1] == elements);
}

/// Geometry of patches on pictures; the border is (kernel - stride) / 2.
struct PatchForm {
    std::int64_t channels, rows, columns;   ///< size of pictures
    std::int64_t codeRows, codeColumns;     ///< number of positions
    std::int64_t kernelRows, kernelColumns; ///< size of patches
    std::int64_t strideRows, strideColumns;

    /// Calls `meet` with the index pairs of picture and patch where an atom at this position
    /// overlaps the picture.
    template <class Meet>
    void over(std::int64_t place, const Meet& meet) const {
        const std::int64_t top = place / codeColumns * strideRows - (kernelRows - strideRows) / 2;
        const std::int64_t left =
            place % codeColumns * strideColumns - (kernelColumns - strideColumns) / 2;
        const std::int64_t firstRow = std::max<std::int64_t>(0, -top);
        const std::int64_t lastRow = std::min(kernelRows, rows - top);
        const std::int64_t firstColumn = std::max<std::int64_t>(0, -left);
        const std::int64_t lastColumn = std::min(kernelColumns, columns - left);
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            for (std::int64_t row = firstRow; row < lastRow; ++row) {
                for (std::int64_t column = firstColumn; column < lastColumn; ++column) {
                    meet(static_cast<std::size_t>((channel * rows + top + row) * columns + left +
                                                  column),
                         static_cast<std::size_t>((channel * kernelRows + row) * kernelColumns +
                                                  column));
                }
            }
        }
    }
};

std::optional<PatchForm> patchFormOf(const SparseStep& step, const TensorNumbers& weight) {
    const Shape& code = step.code.shape;
    const Shape& picture = step.residual.shape;
    const bool isOne = isWhole(weight, 4) && weight.shape[0] == code[1] &&
                       weight.shape[1] == picture[1] && picture[2] % code[2] == 0 &&
                       picture[3] % code[3] == 0;
    if (!isOne) {
        return std::nullopt;
    }
    const PatchForm form{picture[1],
                         picture[2],
                         picture[3],
                         code[2],
                         code[3],
                         weight.shape[2],
                         weight.shape[3],
                         picture[2] / code[2],
                         picture[3] / code[3]};
    const auto liesEvenly = [](std::int64_t kernel, std::int64_t stride) {
        return kernel >= stride && (kernel - stride) % 2 == 0;
    };
    return liesEvenly(form.kernelRows, form.strideRows) &&
                   liesEvenly(form.kernelColumns, form.strideColumns)
               ? std::optional(form)
               : std::nullopt;
}

/// Returns residual . part + part^2 / 2, where `part` is the atom's contribution to the
/// reconstruction. `codes` starts at the position `first`. `scratch` has the size of a picture and
/// is 0 before and after.
double gainWithin(const PatchForm& form, std::span<const float> codes, std::int64_t first,
                  std::span<const float> atom, std::span<const float> residual,
                  std::vector<double>& scratch) {
    double gain = 0;
    for (std::size_t at = 0; at < codes.size(); ++at) {
        if (const double code = codes[at]; code != 0) {
            const std::int64_t place = first + static_cast<std::int64_t>(at);
            form.over(place, [&](std::size_t pixel, std::size_t tap) {
                const double part = code * static_cast<double>(atom[tap]);
                gain += part * static_cast<double>(residual[pixel]);
                scratch[pixel] += part;
            });
        }
    }
    // Patches overlap, but each pixel counts once.
    for (std::size_t at = 0; at < codes.size(); ++at) {
        if (codes[at] != 0) {
            const std::int64_t place = first + static_cast<std::int64_t>(at);
            form.over(place, [&](std::size_t pixel, std::size_t) {
                gain += scratch[pixel] * scratch[pixel] / 2;
                scratch[pixel] = 0;
            });
        }
    }
    return gain;
}

} // namespace

std::int64_t SparseStep::elements() const { return code.numbers.empty() ? 0 : dimOf(code, 0); }

std::string faultOf(const SparseStep& step) {
    if (!isWhole(step.code, 4) || !isWhole(step.residual, 4) ||
        step.reconstruction.shape != step.residual.shape ||
        step.reconstruction.numbers.size() != step.residual.numbers.size()) {
        return "code, reconstruction and residual are not pictures of one batch";
    }
    if (step.residual.shape[0] != step.elements()) {
        return "code and residual are of different batches";
    }
    if (!isCourse(step.energies, step.elements()) || !isCourse(step.steps, step.elements())) {
        return "energies and steps are not those of the batch";
    }
    return {};
}

TensorNumbers inputOf(const SparseStep& step) {
    TensorNumbers input = step.reconstruction;
    for (std::size_t k = 0; k < input.numbers.size(); ++k) {
        input.numbers[k] += step.residual.numbers[k];
    }
    return input;
}

std::vector<std::optional<double>> signalToNoise(const TensorNumbers& input,
                                                 const TensorNumbers& residual) {
    std::vector<std::optional<double>> found;
    for (std::int64_t element = 0; element < dimOf(input, 0); ++element) {
        found.push_back(decibels(squaresOf(partOfFirst(input, element)),
                                 squaresOf(partOfFirst(residual, element))));
    }
    return found;
}

std::vector<std::optional<double>> peakToNoise(const TensorNumbers& residual, double peak) {
    std::vector<std::optional<double>> found;
    for (std::int64_t element = 0; peak > 0 && element < dimOf(residual, 0); ++element) {
        const std::span<const float> left = partOfFirst(residual, element);
        found.push_back(decibels(peak * peak * static_cast<double>(left.size()), squaresOf(left)));
    }
    return found;
}

std::vector<double> activeShares(const TensorNumbers& code) {
    std::vector<double> shares;
    for (std::int64_t element = 0; element < dimOf(code, 0); ++element) {
        shares.push_back(shareNotZero(partOfFirst(code, element)));
    }
    return shares;
}

TensorNumbers sumOverAtoms(const TensorNumbers& code) {
    const std::int64_t rows = dimOf(code, 2);
    const std::int64_t columns = dimOf(code, 3);
    TensorNumbers sum;
    sum.shape = {dimOf(code, 0), 1, rows, columns};
    const auto places = static_cast<std::size_t>(rows * columns);
    sum.numbers.assign(static_cast<std::size_t>(dimOf(code, 0)) * places, 0);
    for (std::int64_t element = 0; element < dimOf(code, 0); ++element) {
        const std::span<const float> part = partOfFirst(code, element);
        float* to = sum.numbers.data() + static_cast<std::size_t>(element) * places;
        for (std::size_t k = 0; k < part.size(); ++k) {
            to[k % places] += part[k];
        }
    }
    return sum;
}

TensorNumbers codeOfAtom(const TensorNumbers& code, std::int64_t atom) {
    TensorNumbers one;
    one.shape = {dimOf(code, 0), 1, dimOf(code, 2), dimOf(code, 3)};
    const auto places = static_cast<std::size_t>(dimOf(code, 2) * dimOf(code, 3));
    for (std::int64_t element = 0; element < dimOf(code, 0); ++element) {
        const std::span<const float> part =
            partOfFirst(code, element).subspan(static_cast<std::size_t>(atom) * places, places);
        one.numbers.insert(one.numbers.end(), part.begin(), part.end());
    }
    return one;
}

std::vector<double> curveOf(const TensorNumbers& series, std::int64_t element) {
    std::vector<double> course;
    if (series.numbers.empty()) {
        return course;
    }
    const std::int64_t across = dimOf(series, 1);
    for (std::int64_t round = 0; round < dimOf(series, 0); ++round) {
        course.push_back(series.numbers[static_cast<std::size_t>(round * across + element)]);
    }
    return course;
}

namespace {

constexpr std::size_t dimsOfOne = 4;

bool hasOnePerElement(const Shape& weight) {
    return weight.size() == dimsOfOne + 1 || weight.size() == dimsOfOne + 3;
}

/// Ranges of elements and positions.
struct Stretch {
    std::int64_t first;
    std::int64_t count;
    [[nodiscard]] std::int64_t end() const { return first + count; }
};

Stretch stretchOf(std::int64_t only, std::int64_t all) {
    return only < 0 ? Stretch{0, all} : Stretch{only, only < all ? 1 : 0};
}

/// Returns an atom's codes in an element at the positions in the range.
std::span<const float> codesOf(const TensorNumbers& code, std::int64_t element, std::int64_t atom,
                               const Stretch& places) {
    const auto each = static_cast<std::size_t>(dimOf(code, 2) * dimOf(code, 3));
    return partOfFirst(code, element)
        .subspan(static_cast<std::size_t>(atom) * each + static_cast<std::size_t>(places.first),
                 static_cast<std::size_t>(places.count));
}

} // namespace

std::int64_t dictionariesOf(const Shape& weight) {
    return hasOnePerElement(weight) ? weight[0] : 1;
}

DictionaryScope scopeOfDictionary(const Shape& weight, std::int64_t element) {
    DictionaryScope reach;
    if (hasOnePerElement(weight)) {
        reach.element = element;
    }
    if (weight.size() > dimsOfOne + 1) {
        const std::int64_t rows = weight[weight.size() - dimsOfOne - 2];
        const std::int64_t columns = weight[weight.size() - dimsOfOne - 1];
        reach.place = rows / 2 * columns + columns / 2;
    }
    return reach;
}

std::vector<double> atomUse(const TensorNumbers& code, const DictionaryScope& reach) {
    const std::int64_t atoms = dimOf(code, 1);
    const Stretch elements = stretchOf(reach.element, dimOf(code, 0));
    const Stretch places = stretchOf(reach.place, dimOf(code, 2) * dimOf(code, 3));
    std::vector<double> use(static_cast<std::size_t>(atoms), 0);
    for (std::int64_t element = elements.first; element < elements.end(); ++element) {
        for (std::int64_t atom = 0; atom < atoms; ++atom) {
            use[static_cast<std::size_t>(atom)] +=
                shareNotZero(codesOf(code, element, atom, places)) /
                static_cast<double>(elements.count);
        }
    }
    return use;
}

TensorNumbers dictionaryOf(const TensorNumbers& weight, std::int64_t element) {
    if (weight.shape.size() <= dimsOfOne || !isWhole(weight, weight.shape.size())) {
        return weight;
    }
    const auto before = weight.shape.end() - dimsOfOne;
    TensorNumbers one{weight.name, {before, weight.shape.end()}, {}};
    std::int64_t place = 0;
    for (auto dim = weight.shape.begin(); dim != before; ++dim) {
        const bool isOfElements = hasOnePerElement(weight.shape) && dim == weight.shape.begin();
        place = place * *dim + (isOfElements ? element : *dim / 2);
    }
    const auto each = static_cast<std::size_t>(elementsOf(one.shape));
    const auto part =
        std::span(weight.numbers).subspan(static_cast<std::size_t>(place) * each, each);
    one.numbers.assign(part.begin(), part.end());
    return one;
}

std::vector<double> atomGains(const SparseStep& step, const TensorNumbers& dictionary,
                              const DictionaryScope& reach) {
    const std::optional<PatchForm> form = patchFormOf(step, dictionary);
    if (!form) {
        return {};
    }
    const std::int64_t atoms = dictionary.shape[0];
    const Stretch elements = stretchOf(reach.element, step.elements());
    const Stretch places = stretchOf(reach.place, form->codeRows * form->codeColumns);
    std::vector<double> gains(static_cast<std::size_t>(atoms), 0);
    std::vector<double> scratch(
        static_cast<std::size_t>(form->channels * form->rows * form->columns), 0);
    for (std::int64_t element = elements.first; element < elements.end(); ++element) {
        const std::span<const float> residual = partOfFirst(step.residual, element);
        for (std::int64_t atom = 0; atom < atoms; ++atom) {
            gains[static_cast<std::size_t>(atom)] +=
                gainWithin(*form, codesOf(step.code, element, atom, places), places.first,
                           partOfFirst(dictionary, atom), residual, scratch) /
                static_cast<double>(elements.count);
        }
    }
    return gains;
}

std::vector<double> atomNorms(const TensorNumbers& weight) {
    std::vector<double> norms;
    for (std::int64_t atom = 0; atom < dimOf(weight, 0); ++atom) {
        norms.push_back(std::sqrt(squaresOf(partOfFirst(weight, atom))));
    }
    return norms;
}

std::vector<double> atomSimilarity(const TensorNumbers& weight, std::int64_t atom) {
    const std::vector<double> norms = atomNorms(weight);
    std::vector<double> similar(norms.size(), 0);
    if (atom < 0 || static_cast<std::size_t>(atom) >= norms.size()) {
        return similar;
    }
    const std::span<const float> chosen = partOfFirst(weight, atom);
    for (std::size_t other = 0; other < norms.size(); ++other) {
        const double lengths = norms[other] * norms[static_cast<std::size_t>(atom)];
        const std::span<const float> part = partOfFirst(weight, static_cast<std::int64_t>(other));
        similar[other] =
            lengths > 0
                ? std::inner_product(part.begin(), part.end(), chosen.begin(), 0.0) / lengths
                : 0;
    }
    return similar;
}

std::vector<std::int64_t> orderOf(const std::vector<double>& values, std::int64_t atoms) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(std::max<std::int64_t>(atoms, 0)));
    std::iota(order.begin(), order.end(), 0);
    const auto value = [&](std::int64_t atom) {
        const auto at = static_cast<std::size_t>(atom);
        // NaN has no order, so it is sorted last.
        return at < values.size() && !std::isnan(values[at]) ? values[at] : -HUGE_VAL;
    };
    std::ranges::stable_sort(order,
                             [&](std::int64_t a, std::int64_t b) { return value(a) > value(b); });
    return order;
}

} // namespace weft::ui
