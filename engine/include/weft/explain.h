// SPDX-License-Identifier: Apache-2.0
#pragma once
// Any stage between the design and the run, as text or JSON: what `weft explain` and `weft plan`
// print and what the window shows on demand.

#include <weft/design.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class Stage : std::uint8_t { graph, plan, kernels, memory, programs };
[[nodiscard]] std::optional<Stage> stageNamed(std::string_view name);

enum class TextForm : std::uint8_t { text, json, dot };

struct ExplainRequest {
    Stage stage = Stage::graph;
    TextForm form = TextForm::text;
    /// "evaluate", "infer"; of a training whose steps differ also "train accumulate" and the like.
    std::string member = "train";
    std::vector<std::string> devices = {};
    std::string backend = {};          ///< kernels and memory are this backend's
    std::filesystem::path folder = {}; ///< where the design's files are looked for
    bool times = false;                ///< says how long each stage took, too
};

/// Error{design} when errors keep the design from that stage.
[[nodiscard]] std::string explain(const Design& design, const ExplainRequest& request);

struct PlanRequest {
    std::vector<std::string> devices = {};
    TextForm form = TextForm::text;
    bool estimates = false; ///< with the step's times, overlap and memory peak
    int ranks = 1;          ///< over which the devices are spread
    int hosts = 1;
    std::filesystem::path folder = {}; ///< where the design's files are looked for
};

/// Per layer the placement of inputs, weights and outputs, per wire the collective, per device
/// memory and bytes sent. Error{design} when errors keep the design from being placed.
[[nodiscard]] std::string describePlan(const Design& design, const PlanRequest& request);

} // namespace weft
