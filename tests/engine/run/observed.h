// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps of a small design on drawn digits, looked at or not.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::test {

struct ObservedSteps {
    std::vector<double> losses;
    /// Of the last step: what layers made, their gradients, weights after it; by name.
    std::map<std::string, std::vector<float>> values;
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> shapes;
};

/// A dense network of two layers spread by this word over so many reference devices.
[[nodiscard]] std::string digitsDesign(const std::string& assign, double rate = 0.05);

[[nodiscard]] ObservedSteps observedSteps(const std::string& design, int devices, int steps);
/// The same without a look: losses only.
[[nodiscard]] std::vector<double> plainSteps(const std::string& design, int devices, int steps);

/// What is selected for the design, and what another selection of it changed (run/selection.h).
[[nodiscard]] std::string selectionOf(const std::string& design, int devices);
[[nodiscard]] std::vector<std::string> changesOf(const std::string& before, const std::string& now);

} // namespace weft::test
