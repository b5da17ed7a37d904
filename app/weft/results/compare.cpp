// SPDX-License-Identifier: Apache-2.0
// weft compare: predicted and measured times of a run, layer by layer.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "runs/run_place.h"
#include <weft/comparison.h>

#include <memory>

namespace weft {

namespace {

struct CompareOptions {
    std::string run;
    bool json = false;
};

} // namespace

std::function<int()> addCompare(CommandLine& line) {
    Verb verb = line.verb("compare", "compare predicted and measured time per layer of a run");
    auto options = std::make_shared<CompareOptions>();
    verb.option("RUN", options->run, "the run directory, or HOST:RUN").required();
    verb.flag("--json", options->json, "print JSON");
    return [options] {
        RunPlace place(options->run);
        place.updateCopy();
        const Comparison comparison = compareRun(place.folder());
        say("{}", options->json ? jsonOf(comparison) : print(comparison));
        return success;
    };
}

} // namespace weft
