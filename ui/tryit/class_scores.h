// SPDX-License-Identifier: Apache-2.0
#pragma once
// Statistics of a classifier on labelled examples: the confusion matrix and the most confident
// errors. Pure.

#include <weft/infer.h>

#include <cstdint>
#include <vector>

namespace weft::ui {

struct WorstExample {
    std::int64_t example = 0;   ///< index
    std::int64_t truth = 0;     ///< true class
    std::int64_t predicted = 0; ///< predicted class
    double confidence = 0;      ///< confidence in the wrong class
    bool operator==(const WorstExample&) const = default;
};

struct ClassScores {
    std::int64_t classes = 0;         ///< number of classes
    std::vector<std::int64_t> counts; ///< [true class, predicted class], in row-major order
    std::int64_t examples = 0;        ///< number of examples
    std::int64_t correct = 0;         ///< number of correct predictions
    std::vector<WorstExample> worst;  ///< errors, most confident first
    bool operator==(const ClassScores&) const = default;

    [[nodiscard]] std::int64_t at(std::int64_t truth, std::int64_t predicted) const {
        return counts[static_cast<std::size_t>(truth * classes + predicted)];
    }
    [[nodiscard]] double accuracy() const {
        return examples > 0 ? static_cast<double>(correct) / static_cast<double>(examples) : 0;
    }
};

/// Returns a row of scores as probabilities: unchanged if they already are, else after a softmax.
[[nodiscard]] std::vector<double> probabilitiesOf(const float* scores, std::size_t count);

/// Returns an empty result if the output is not [examples, classes] or the number of labels
/// differs. Labels that are not a class are skipped.
[[nodiscard]] ClassScores scoreClasses(const InferenceOutput& output,
                                       const std::vector<float>& labels,
                                       std::size_t worstLimit = 12);

} // namespace weft::ui
