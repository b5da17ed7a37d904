// SPDX-License-Identifier: Apache-2.0
// weft prove: checks that a design's assignments compute the same as one device.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include "runs/ranks.h"
#include <weft/prove.h>

#include <memory>

namespace weft {

std::function<int()> addProve(CommandLine& line) {
    Verb verb = line.verb(
        "prove",
        "check that a few steps with the design's assignments give the same numbers as one device");
    verb.footer(
        "Exits with 1 when a value differs by more than the tolerance, and names the first such "
        "layer. With --ranks the devices are spread over MPI processes, as in a run.\nIf two "
        "numbers are nearly equal, rounding may flip the sign before a ReLU or the position in a "
        "max pool, which changes gradients abruptly. Such flips are counted per layer and are not "
        "differences: the single device repeats its step with the choices of the spread devices. A "
        "choice that differs although the numbers are not nearly equal is a mistake.\nExamples: "
        "weft prove design.weft --devices cpu:0,cpu:1\n          weft prove design.weft --ranks 2");
    struct Options {
        std::string file;
        std::vector<std::string> settings;
        ProofRequest request;
        RanksOptions ranks;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    ProofRequest& request = options->request;
    verb.option("FILE", options->file, "the design").required();
    addDeviceList(verb, request.devices,
                  "devices to use, such as cpu:0,cpu:1; default: those that the design declares");
    verb.option("--backend", request.backend,
                "use this backend's kernels instead of the devices' own");
    verb.option("--steps", request.steps, "training steps").showsDefault().positive();
    verb.option("--tolerance", request.tolerance,
                "largest accepted difference, relative to the largest element of a value; default: "
                "0.001, with training.precision tf32 0.01, with bf16 0.05")
        .notNegative();
    addSettings(verb, options->settings);
    verb.flag("--json", options->json, "print JSON");
    addRanks(verb, options->ranks);
    return [options, verb] {
        ProofRequest wanted = options->request;
        const std::filesystem::path file = options->file;
        wanted.design =
            readDesign(file, {.settings = options->settings, .devices = wanted.devices});
        wanted.folder = file.parent_path();
        if (options->ranks.ranks > 0) {
            requireRunnable(options->ranks, {options->file, wanted.design, wanted.devices});
            return runOnRanks(verb, options->ranks);
        }
        const Proof proof = prove(wanted);
        if (!proof.isOurs) {
            return static_cast<int>(success);
        }
        say("{}", options->json ? toJson(proof) : print(proof));
        return static_cast<int>(proof.holds() ? success : runFailed);
    };
}

} // namespace weft
