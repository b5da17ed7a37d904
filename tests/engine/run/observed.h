// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps of a small design on drawn digits, looked at or not.

#include "run/observe/not_finite.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::test {

struct ObservedSteps {
    std::vector<double> losses;
    /// Values of the last step by name: outputs of layers, their gradients, and the weights after
    /// it.
    std::map<std::string, std::vector<float>> values;
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> shapes;
};

/// A dense network of two layers spread by this word over so many reference devices.
[[nodiscard]] std::string digitsDesign(const std::string& assign, double rate = 0.05);

/// The same with gradients of fc2's weights near 1e25, and none of fc1's.
[[nodiscard]] std::string hugeGradientsDesign();

[[nodiscard]] ObservedSteps observedSteps(const std::string& design, int devices, int steps);
/// The same without a look: losses only.
[[nodiscard]] std::vector<double> plainSteps(const std::string& design, int devices, int steps);

/// Trained on one such device until a number is not finite: where it arose.
[[nodiscard]] std::optional<NotFinite> culpritOf(const std::string& design,
                                                 const std::string& backend, bool hasObservedStep);

/// Returns the selection for the design, and the changes that another selection made
/// (run/checkpoint/selection.h).
[[nodiscard]] std::string selectionOf(const std::string& design, int devices);
/// The selection of one device of that backend, an earlier one being had again; with groups or
/// none.
[[nodiscard]] std::string selectionAfter(const std::string& design, const std::string& backend,
                                         const std::string& before, bool groups = true);
[[nodiscard]] std::vector<std::string> changesOf(const std::string& before, const std::string& now);

} // namespace weft::test
