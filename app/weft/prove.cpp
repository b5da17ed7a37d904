// SPDX-License-Identifier: Apache-2.0
// weft prove: are a design's assignments the mathematics of one device?
#include "command.h"
#include "designs.h"
#include <weft/prove.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace weft {

std::function<int()> addProve(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "prove", "lay a few steps of a design as it is spread beside the same on one device");
    command->footer("Exits with 1 when a value differs by more than the tolerance, and names the "
                    "first such layer.\nExample: weft prove design.weft --devices cpu:0,cpu:1");
    struct Options {
        std::string file;
        std::vector<std::string> settings;
        ProofRequest request;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    ProofRequest& request = options->request;
    command->add_option("FILE", options->file, "the design")->required();
    addDeviceList(*command, request.devices,
                  "devices to spread it over: cpu:0,cpu:1; those it declares unless given");
    command->add_option("--backend", request.backend,
                        "compute with this backend instead of the devices' own");
    command->add_option("--steps", request.steps, "training steps")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--tolerance", request.tolerance,
                     "the largest difference that passes, relative to a value's largest number")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    addSettings(*command, options->settings);
    command->add_flag("--json", options->json, "for a program to read");
    return [options] {
        ProofRequest wanted = options->request;
        const std::filesystem::path file = options->file;
        wanted.design = readDesign(file, options->settings);
        wanted.folder = file.parent_path();
        const Proof proof = prove(wanted);
        fmt::print("{}", options->json ? toJson(proof) : print(proof));
        return proof.holds() ? fine : runFailed;
    };
}

} // namespace weft
