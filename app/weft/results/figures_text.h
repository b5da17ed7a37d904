// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints the figures of a run (step time, best loss, memory), as text and as JSON.

#include <weft/atoms.h>
#include <weft/runs.h>

#include <nlohmann/json.hpp>

#include <string>

namespace weft {

/// Return a text such as "2.83 ms" or "0.3121", or a dash if there is no number.
[[nodiscard]] std::string stepText(const RunFigures& figures); ///< "2.83 ms"
[[nodiscard]] std::string bestText(const RunFigures& figures); ///< "0.3121"
/// Returns "best loss", or "best energy" if the design has no loss.
[[nodiscard]] std::string bestName(const RunFigures& figures); ///< "best loss" or "best energy"
/// Returns one line per figure, with a label.
[[nodiscard]] std::string print(const RunFigures& figures, const std::vector<std::string>& devices);
/// Adds the members "step_ns", "steps_measured", "best_loss", "best_loss_step", "best_loss_split"
/// and "memory" to `made`.
void addFigures(nlohmann::ordered_json& made, const RunFigures& figures,
                const std::vector<std::string>& devices);

/// Returns three lines: the number of atoms of each state, the medians, and the medians of noise.
[[nodiscard]] std::string print(const DictionaryFigures& figures);
/// Returns the same figures and one member per atom as JSON.
[[nodiscard]] nlohmann::ordered_json jsonOf(const DictionaryFigures& figures);

} // namespace weft
