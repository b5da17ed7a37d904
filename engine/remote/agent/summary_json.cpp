// SPDX-License-Identifier: Apache-2.0
#include "remote/agent/summary_json.h"

#include "base/text/lenient_json.h"
#include "events/figures_file.h"
#include "events/mirror_status.h"
#include "remote/plain_names.h"
#include <weft/hosts.h>

#include <nlohmann/json.hpp>

namespace weft {

Json summaryJson(const RunSummary& summary) {
    Json said{{"name", summary.name},
              {"design", summary.design},
              {"state", nameOf(summary.state)},
              {"paused", summary.isPaused},
              {"begun", summary.begun},
              {"attempts", summary.attempts},
              {"devices", summary.devices},
              {"last_step", summary.lastStep},
              {"bytes", summary.size.count},
              {"cause", summary.cause},
              {"figures", figuresJson(figuresOf(summary))}};
    if (summary.lastLoss) {
        said["last_loss"] = *summary.lastLoss;
    }
    return said;
}

RunSummary summaryFrom(const Json& said, std::string_view host) {
    RunSummary summary;
    summary.name = textAt(said, "name");
    if (isRunName(summary.name)) {
        summary.folder = mirrorFolder({std::string(host), summary.name});
    }
    summary.design = textAt(said, "design");
    summary.state = runStateNamed(textAt(said, "state"));
    summary.isPaused = flagAt(said, "paused", false);
    summary.begun = numberAt(said, "begun", 0);
    summary.attempts = static_cast<std::uint32_t>(numberAt(said, "attempts", 0));
    summary.devices = textsAt(said, "devices");
    summary.lastStep = numberAt(said, "last_step", -1);
    summary.size = {numberAt(said, "bytes", 0)};
    summary.cause = textAt(said, "cause");
    if (const auto loss = said.find("last_loss"); loss != said.end() && loss->is_number()) {
        summary.lastLoss = loss->get<double>();
    }
    try {
        summary.figures = figuresFrom(said.at("figures"));
    } catch (const std::exception&) {
        summary.figures = RunFigures{}; // from another version
    }
    return summary;
}

} // namespace weft
