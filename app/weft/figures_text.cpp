// SPDX-License-Identifier: Apache-2.0
#include "figures_text.h"

#include <fmt/format.h>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string nameOf(DeviceId device, const std::vector<std::string>& devices) {
    return device.value < devices.size() ? devices[device.value]
                                         : fmt::format("device {}", device.value);
}

std::string_view nameOf(Split split) { return split == Split::train ? "train" : "evaluate"; }

} // namespace

std::string stepText(const RunFigures& figures) {
    return figures.steps > 0 ? toString(figures.step) : "-";
}

std::string bestText(const RunFigures& figures) {
    return figures.best ? fmt::format("{:.4g}", figures.best->loss) : "-";
}

std::string bestName(const RunFigures& figures) {
    return figures.best && figures.best->isEnergy ? "best energy" : "best loss";
}

std::string print(const RunFigures& figures, const std::vector<std::string>& devices) {
    std::string text =
        fmt::format("step time  {}, median of {} training steps\n{:<10} {}", stepText(figures),
                    figures.steps, bestName(figures), bestText(figures));
    if (figures.best) {
        text +=
            fmt::format(", {} step {}",
                        figures.best->split == Split::evaluate ? "evaluated after" : "of training",
                        figures.best->step);
    }
    text += "\n";
    for (const DeviceMemory& one : figures.memory) {
        text += fmt::format("memory     {} given on {}\n", toString(one.bytes),
                            nameOf(one.device, devices));
    }
    return text;
}

void addFigures(Json& made, const RunFigures& figures, const std::vector<std::string>& devices) {
    made["step_ns"] = figures.steps > 0 ? Json(figures.step.count) : Json(nullptr);
    made["steps_measured"] = figures.steps;
    made["best_loss"] = figures.best ? Json(figures.best->loss) : Json(nullptr);
    made["best_loss_step"] = figures.best ? Json(figures.best->step) : Json(nullptr);
    made["best_loss_split"] = figures.best ? Json(nameOf(figures.best->split)) : Json(nullptr);
    Json memory = Json::object();
    for (const DeviceMemory& one : figures.memory) {
        memory[nameOf(one.device, devices)] = one.bytes.count;
    }
    made["memory"] = std::move(memory);
}

} // namespace weft
