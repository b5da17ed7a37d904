// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a classifier did on examples whose class is known: the confusion matrix and the examples it
// was most wrong about. Pure.

#include <weft/infer.h>

#include <cstdint>
#include <vector>

namespace weft::ui {

struct WorstExample {
    std::int64_t example = 0;
    std::int64_t truth = 0;
    std::int64_t said = 0;
    double confidence = 0; ///< in what it said
    bool operator==(const WorstExample&) const = default;
};

struct ClassScores {
    std::int64_t classes = 0;
    std::vector<std::int64_t> counts; ///< [truth, said], row by row
    std::int64_t examples = 0;
    std::int64_t right = 0;
    std::vector<WorstExample> worst; ///< wrong ones, the surest first
    bool operator==(const ClassScores&) const = default;

    [[nodiscard]] std::int64_t at(std::int64_t truth, std::int64_t said) const {
        return counts[static_cast<std::size_t>(truth * classes + said)];
    }
    [[nodiscard]] double accuracy() const {
        return examples > 0 ? static_cast<double>(right) / static_cast<double>(examples) : 0;
    }
};

/// Shares of one row of scores: as they are where they are shares, else through a softmax.
[[nodiscard]] std::vector<double> sharesOf(const float* scores, std::size_t count);

/// Empty where the output is not [examples, classes] or the numbers of examples differ. A label
/// that is no class is passed over.
[[nodiscard]] ClassScores scoreClasses(const InferenceOutput& output,
                                       const std::vector<float>& labels,
                                       std::size_t mostWorst = 12);

} // namespace weft::ui
