// SPDX-License-Identifier: Apache-2.0
#pragma once
// The figures of a run as the verbs tell them.

#include <weft/atoms.h>
#include <weft/runs.h>

#include <nlohmann/json.hpp>

#include <string>

namespace weft {

/// "2.83 ms", "0.3121"; a dash where there is none.
[[nodiscard]] std::string stepText(const RunFigures& figures);
[[nodiscard]] std::string bestText(const RunFigures& figures);
/// "best loss", or "best energy" where the design has no loss.
[[nodiscard]] std::string bestName(const RunFigures& figures);
/// A line each, with the words that say what is meant.
[[nodiscard]] std::string print(const RunFigures& figures, const std::vector<std::string>& devices);
/// The members "step_ns", "steps_measured", "best_loss", "best_loss_step", "best_loss_split" and
/// "memory", added to what `made` has.
void addFigures(nlohmann::ordered_json& made, const RunFigures& figures,
                const std::vector<std::string>& devices);

/// Three lines: how many atoms are what, the medians, and those of noise.
[[nodiscard]] std::string print(const DictionaryFigures& figures);
/// The same and a member per atom, for a program to read.
[[nodiscard]] nlohmann::ordered_json jsonOf(const DictionaryFigures& figures);

} // namespace weft
