// SPDX-License-Identifier: Apache-2.0
// weft plan: placements, collectives, bytes and memory of a design, and what a step will take.
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
    PlanRequest request;
    bool json = false;
    bool dot = false;
};

} // namespace

std::function<int()> addPlan(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("plan", "placements, collectives, bytes and memory of a design");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->file, "the design")->required();
    addDeviceList(*command, options->request.devices, "devices to plan for: cpu:0,cpu:1");
    command->add_flag("--estimate", options->request.estimates,
                      "with predicted time per layer and wire, overlap and the memory peak");
    command
        ->add_option("--ranks", options->request.ranks,
                     "estimate for the devices spread over so many processes")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--hosts", options->request.hosts,
                     "estimate for the processes spread over so many machines")
        ->check(CLI::PositiveNumber);
    command->add_flag("--json", options->json, "for a program to read");
    command->add_flag("--dot", options->dot, "for Graphviz")->excludes("--json");
    return [options] {
        options->request.form = options->json  ? TextForm::json
                                : options->dot ? TextForm::dot
                                               : TextForm::text;
        const Design design = loadDesign(options->file, catalogue()).design;
        fmt::print("{}", describePlan(design, options->request));
        return fine;
    };
}

} // namespace weft
