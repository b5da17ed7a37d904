// SPDX-License-Identifier: Apache-2.0
// weft explain and weft plan: any stage between the design and the run.
#include "command.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/explain.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace weft {

namespace {

struct Options {
    std::string file;
    std::vector<std::string> devices;
    std::string stage = "plan";
    std::string member = "train";
    std::string backend;
    bool json = false;
    bool dot = false;
    bool estimate = false;
};

Design load(const Options& options) { return loadDesign(options.file, catalogue()).design; }

void addCommon(CLI::App& command, Options& options) {
    command.add_option("FILE", options.file, "the design")->required();
    command.add_option("--devices", options.devices, "devices to plan for: cpu:0,cpu:1")
        ->delimiter(',');
}

} // namespace

std::function<int()> addExplain(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("explain", "print a stage between the design and the run");
    auto options = std::make_shared<Options>();
    addCommon(*command, *options);
    command->add_option("--stage", options->stage, "graph, plan, kernels, memory or programs")
        ->capture_default_str()
        ->check(CLI::IsMember({"graph", "plan", "kernels", "memory", "programs"}));
    command->add_option("--member", options->member, "train, evaluate or infer")
        ->capture_default_str()
        ->check(CLI::IsMember({"train", "evaluate", "infer"}));
    command->add_option("--backend", options->backend, "prepare kernels of this backend");
    return [options] {
        fmt::print("{}", explain(load(*options), {.stage = *stageNamed(options->stage),
                                                  .member = options->member,
                                                  .devices = options->devices,
                                                  .backend = options->backend}));
        return fine;
    };
}

std::function<int()> addPlan(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("plan", "placements, collectives, bytes and memory of a design");
    auto options = std::make_shared<Options>();
    addCommon(*command, *options);
    command->add_flag("--estimate", options->estimate, "with predicted times");
    command->add_flag("--json", options->json, "for a program to read");
    command->add_flag("--dot", options->dot, "for Graphviz")->excludes("--json");
    return [options] {
        const TextForm form = options->json  ? TextForm::json
                              : options->dot ? TextForm::dot
                                             : TextForm::text;
        fmt::print("{}", describePlan(load(*options), options->devices, form, options->estimate));
        return fine;
    };
}

} // namespace weft
