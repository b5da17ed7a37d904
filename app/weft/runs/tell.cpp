// SPDX-License-Identifier: Apache-2.0
// weft tell: sends a command to a live run, whoever started it.
#include "command_line/command.h"
#include "command_line/verb.h"
#include "runs/run_place.h"
#include <weft/session.h>

#include <memory>

namespace weft {

std::function<int()> addTell(CommandLine& line) {
    Verb verb = line.verb("tell", "pause, resume, step, save or stop a run, or observe a layer");
    verb.footer(
        "A run executes the command after its current step; `save` and `stop` also work while it "
        "is paused. `observe LAYER` writes the layer's outputs, parameters and gradients of the "
        "next step to the run's folder tensors/. `cancel` ends a job on another host in any "
        "state.\nExample: weft tell runs/2026-01-01_120000_lenet pause");
    struct Options {
        std::string run;
        std::string command;
        std::string layer;
    };
    auto options = std::make_shared<Options>();
    verb.option("RUN", options->run, "the run directory, or HOST:RUN").required();
    // tellRun checks both values; its error lists the choices.
    verb.option("WISH", options->command,
                "pause, resume, step, save, stop or observe; on another host also cancel");
    verb.option("LAYER", options->layer, "the layer to observe");
    return [options] {
        const RunPlace place(options->run);
        if (place.line() != nullptr && options->command == "cancel") {
            place.line()->cancel(place.run());
        } else if (place.line() != nullptr) {
            place.line()->sendCommand(place.run(), options->command, options->layer);
        } else {
            tellRun(place.folder(), options->command, options->layer);
        }
        return success;
    };
}

} // namespace weft
