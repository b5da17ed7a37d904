// SPDX-License-Identifier: Apache-2.0
// weft explain: any stage between the design and the run.
#include "command.h"
#include "designs.h"
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
    bool times = false;
};

} // namespace

std::function<int()> addExplain(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("explain", "print a stage between the design and the run");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->file, "the design")->required();
    addDeviceList(*command, options->devices, "devices to plan for: cpu:0,cpu:1");
    command->add_option("--stage", options->stage, "graph, plan, kernels, memory or programs")
        ->capture_default_str()
        ->check(CLI::IsMember({"graph", "plan", "kernels", "memory", "programs"}));
    command->add_option("--member", options->member, "train, evaluate or infer")
        ->capture_default_str()
        ->check(CLI::IsMember({"train", "evaluate", "infer"}));
    command->add_option("--backend", options->backend, "prepare kernels of this backend");
    command->add_flag("--json", options->json, "for a program to read");
    command->add_flag("--times", options->times, "say how long each stage took");
    return [options] {
        const Design design = loadDesign(options->file, catalogue()).design;
        fmt::print("{}", explain(design, {.stage = *stageNamed(options->stage),
                                          .form = options->json ? TextForm::json : TextForm::text,
                                          .member = options->member,
                                          .devices = options->devices,
                                          .backend = options->backend,
                                          .times = options->times}));
        return fine;
    };
}

} // namespace weft
