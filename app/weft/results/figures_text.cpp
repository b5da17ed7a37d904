// SPDX-License-Identifier: Apache-2.0
#include "results/figures_text.h"

#include <fmt/format.h>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string nameOf(DeviceId device, const std::vector<std::string>& devices) {
    return device.value < devices.size() ? devices[device.value]
                                         : fmt::format("device {}", device.value);
}

std::string_view nameOf(Split split) { return split == Split::train ? "train" : "evaluate"; }

std::string mediansText(const AtomSummary& atoms) {
    return fmt::format("{:.3g} cycles per pixel, {:.2f} octaves where there is a band, selectivity "
                       "{:.2f}, 90 % of the energy in {:.0f} % of the patch, spread {:.2f}",
                       atoms.frequency, atoms.bandwidth, atoms.selectivity, 100 * atoms.covered,
                       atoms.spread);
}

Json jsonOf(const AtomSummary& atoms) {
    return {{"atoms", atoms.atoms},         {"oriented", atoms.oriented},
            {"localised", atoms.localised}, {"band_pass", atoms.bandPass},
            {"all_three", atoms.allThree},  {"frequency", atoms.frequency},
            {"bandwidth", atoms.bandwidth}, {"selectivity", atoms.selectivity},
            {"covered", atoms.covered},     {"spread", atoms.spread}};
}

Json jsonOf(const AtomFigures& atom) {
    if (atom.energy <= 0) {
        return {{"atom", atom.atom}, {"energy", 0.0}};
    }
    return {{"atom", atom.atom},
            {"energy", atom.energy},
            {"frame", atom.frame},
            {"frequency", atom.frequency},
            {"bandwidth", atom.bandwidth ? Json(*atom.bandwidth) : Json(nullptr)},
            {"passed", atom.passed},
            {"band_pass", atom.isBandPass},
            {"orientation", atom.orientation},
            {"selectivity", atom.selectivity},
            {"covered", atom.covered},
            {"spread", atom.spread}};
}

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
        text += fmt::format("memory     {} allocated on {}\n", toString(one.bytes),
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

std::string print(const DictionaryFigures& figures) {
    return fmt::format("{}: {}\n  medians     {}\n  white noise {}\n", figures.name,
                       summaryOf(figures), mediansText(figures.together),
                       mediansText(figures.noise));
}

Json jsonOf(const DictionaryFigures& figures) {
    Json atoms = Json::array();
    for (const AtomFigures& atom : figures.atoms) {
        atoms.push_back(jsonOf(atom));
    }
    return {{"name", figures.name},
            {"shape", figures.shape},
            {"frames", figures.frames},
            {"held", figures.held},
            {"together", jsonOf(figures.together)},
            {"white_noise", jsonOf(figures.noise)},
            {"atoms", std::move(atoms)}};
}

} // namespace weft
