// SPDX-License-Identifier: Apache-2.0
#include "tryit/class_scores.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

std::vector<double> probabilitiesOf(const float* scores, std::size_t count) {
    std::vector<double> shares(scores, scores + count);
    double sum = 0;
    bool areShares = count > 0;
    for (const double share : shares) {
        areShares = areShares && share >= 0 && share <= 1;
        sum += share;
    }
    if (areShares && std::abs(sum - 1) < 1e-3) {
        return shares;
    }
    const double most = count > 0 ? *std::ranges::max_element(shares) : 0;
    sum = 0;
    for (double& share : shares) {
        share = std::exp(share - most);
        sum += share;
    }
    for (double& share : shares) {
        share /= sum;
    }
    return shares;
}

ClassScores scoreClasses(const InferenceOutput& output, const std::vector<float>& labels,
                         std::size_t worstLimit) {
    ClassScores scores;
    if (output.shape.size() != 2 || output.shape[1] < 1 ||
        output.shape[0] != static_cast<std::int64_t>(labels.size())) {
        return scores;
    }
    scores.classes = output.shape[1];
    scores.counts.assign(static_cast<std::size_t>(scores.classes * scores.classes), 0);
    const auto width = static_cast<std::size_t>(scores.classes);
    for (std::size_t example = 0; example < labels.size(); ++example) {
        const auto truth = static_cast<std::int64_t>(labels[example]);
        if (truth < 0 || truth >= scores.classes) {
            continue;
        }
        const std::vector<double> shares =
            probabilitiesOf(output.numbers.data() + example * width, width);
        const auto predicted = std::ranges::max_element(shares) - shares.begin();
        ++scores.examples;
        ++scores.counts[static_cast<std::size_t>(truth * scores.classes + predicted)];
        if (predicted == truth) {
            ++scores.correct;
            continue;
        }
        scores.worst.push_back({static_cast<std::int64_t>(example), truth, predicted,
                                shares[static_cast<std::size_t>(predicted)]});
    }
    std::ranges::stable_sort(scores.worst, std::greater(), &WorstExample::confidence);
    scores.worst.resize(std::min(scores.worst.size(), worstLimit));
    return scores;
}

} // namespace weft::ui
