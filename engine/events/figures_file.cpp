// SPDX-License-Identifier: Apache-2.0
#include "events/figures_file.h"

#include "base/files/files.h"
#include "base/text/json.h"

#include <nlohmann/json.hpp>

namespace weft {

namespace {

constexpr JsonLimits limits{.bytes = std::size_t{1} << 20U};

std::filesystem::path figuresPath(const std::filesystem::path& run) { return run / "figures.json"; }

} // namespace

Json figuresJson(const RunFigures& figures) {
    Json made{{"step_ns", figures.step.count}, {"steps", figures.steps}};
    if (figures.best) {
        made["best_loss"] = {{"loss", figures.best->loss},
                             {"step", figures.best->step},
                             {"energy", figures.best->isEnergy},
                             {"evaluated", figures.best->split == Split::evaluate}};
    }
    made["memory"] = Json::array();
    for (const DeviceMemory& one : figures.memory) {
        made["memory"].push_back({{"device", one.device.value}, {"bytes", one.bytes.count}});
    }
    return made;
}

RunFigures figuresFrom(const Json& read) {
    RunFigures figures{.step = {read.at("step_ns").get<std::int64_t>()},
                       .steps = read.at("steps").get<std::int64_t>()};
    if (const auto best = read.find("best_loss"); best != read.end()) {
        figures.best =
            BestLoss{best->at("loss").get<double>(), best->at("step").get<std::int64_t>(),
                     best->at("evaluated").get<bool>() ? Split::evaluate : Split::train,
                     best->value("energy", false)};
    }
    for (const Json& one : read.at("memory")) {
        figures.memory.push_back({DeviceId{one.at("device").get<std::uint32_t>()},
                                  {one.at("bytes").get<std::int64_t>()}});
    }
    return figures;
}

void writeFigures(const std::filesystem::path& run, std::uint32_t attempt,
                  const RunFigures& figures) {
    Json made{{"attempt", attempt}};
    made.update(figuresJson(figures));
    writeFileWhole(figuresPath(run), jsonText(made, 1) + "\n");
}

std::optional<RunFigures> readFigures(const std::filesystem::path& run, std::uint32_t attempt) {
    try {
        const Json read = readJsonFile(figuresPath(run), limits);
        if (read.at("attempt").get<std::uint32_t>() != attempt) {
            return std::nullopt;
        }
        return figuresFrom(read);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace weft
