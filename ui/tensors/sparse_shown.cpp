// SPDX-License-Identifier: Apache-2.0
#include "tensors/sparse_shown.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft::ui {

namespace {

std::vector<AtomNumbers> numbersOfAtoms(const SparseStep& values, const TensorNumbers& weight,
                                        const Shape& form) {
    std::vector<AtomNumbers> all;
    const std::int64_t dictionaries = std::min(dictionariesOf(form), values.elements());
    for (std::int64_t element = 0; element < dictionaries; ++element) {
        const DictionaryScope reach = scopeOfDictionary(form, element);
        all.push_back(
            {atomUse(values.code, reach), atomGains(values, dictionaryOf(weight, element), reach)});
    }
    return all;
}

} // namespace

SparseDisplay makeSparseDisplay(SparseStep values, const TensorNumbers& weight,
                                const SparseOptions& options) {
    SparseDisplay shown;
    const std::int64_t frames = options.frames;
    shown.step = options.step;
    shown.elements = values.elements();
    shown.atoms = values.code.shape[1];
    const TensorNumbers input = inputOf(values);
    shown.inputScale = scaleOf(input);
    shown.strength = residualAmplification(shown.inputScale, scaleOf(values.residual));
    const double most = shown.inputScale.most / shown.strength;
    shown.input = picturesOf(input, shown.inputScale, frames);
    shown.reconstruction = picturesOf(values.reconstruction, shown.inputScale, frames);
    shown.residual = picturesOf(values.residual, {-most, most}, frames);
    const TensorNumbers code = sumOverAtoms(values.code);
    shown.code = picturesOf(code, scaleOf(code), 1);
    for (std::int64_t element = 0; element < shown.elements; ++element) {
        if (!values.energies.numbers.empty()) {
            shown.energies.push_back(curveOf(values.energies, element));
        }
        if (!values.steps.numbers.empty()) {
            shown.steps.push_back(curveOf(values.steps, element));
        }
    }
    shown.active = activeShares(values.code);
    TensorNumbers active;
    std::ranges::copy_if(values.code.numbers, std::back_inserter(active.numbers),
                         [](float code) { return code != 0; });
    shown.activeCodes = std::ssize(active.numbers);
    shown.codes = std::ssize(values.code.numbers);
    active.shape = {shown.activeCodes};
    shown.activeValues = histogram(active);
    shown.signalToNoise = signalToNoise(input, values.residual);
    shown.peakToNoise = peakToNoise(values.residual, options.peak);
    shown.atomNumbers =
        numbersOfAtoms(values, weight, weight.shape.empty() ? options.weight : weight.shape);
    shown.codeNumbers = std::move(values.code);
    return shown;
}

DictionaryDisplay makeDictionaryDisplay(const TensorNumbers& weight, std::int64_t step,
                                        std::int64_t frames, std::int64_t element) {
    DictionaryDisplay shown;
    shown.step = step;
    TensorNumbers one = dictionaryOf(weight, element);
    if (one.shape.size() == 4 && !one.numbers.empty()) {
        shown.element = dictionariesOf(weight.shape) > 1 ? element : -1;
        shown.isOfMiddle = weight.shape.size() > one.shape.size() + 1;
        shown.pictures = atomPictures(one, frames);
        shown.norms = atomNorms(one);
        shown.weight = std::move(one);
    }
    return shown;
}

} // namespace weft::ui
