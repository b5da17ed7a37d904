// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints any stage between the design and the run as text or JSON, for `weft explain`, `weft plan`
// and the window.

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

/// Which stage to print, and how.
struct StageTextRequest {
    Stage stage = Stage::graph;
    TextForm form = TextForm::text;
    std::string member = "train"; ///< program variant: "evaluate", "infer", "train accumulate"
    std::vector<std::string> devices = {}; ///< empty: the design's, else cpu:0
    std::string backend = {};              ///< shows the kernels and memory of this backend
    std::filesystem::path folder = {};     ///< search folder of the design's files
    bool times = false;                    ///< true: adds the time that each stage took
};

/// Throws Error{design} if errors keep the design from reaching the stage.
[[nodiscard]] std::string explain(const Design& design, const StageTextRequest& request);

struct PlanRequest {
    std::vector<std::string> devices = {}; ///< empty: the design's, else cpu:0
    TextForm form = TextForm::text;
    bool estimates = false;            ///< true: adds step times, overlap and peak memory
    int ranks = 1;                     ///< number of ranks that the devices are spread over
    int hosts = 1;                     ///< number of machines that the ranks are spread over
    std::filesystem::path folder = {}; ///< search folder of the design's files
};

/// Describes the placement of inputs, weights and outputs per layer, the collective per wire, and
/// memory and bytes sent per device. Throws Error{design} if errors prevent placement.
[[nodiscard]] std::string describePlan(const Design& design, const PlanRequest& request);

} // namespace weft
