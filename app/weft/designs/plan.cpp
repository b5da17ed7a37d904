// SPDX-License-Identifier: Apache-2.0
// weft plan: prints placements, collectives, bytes and memory of a design, and predicts a step.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/explain.h>

#include <memory>

namespace weft {

namespace {

struct PlanOptions {
    std::string file;
    PlanRequest request;
    bool json = false;
    bool dot = false;
};

} // namespace

std::function<int()> addPlan(CommandLine& line) {
    Verb verb = line.verb("plan", "print placements, collectives, bytes and memory of a design");
    auto options = std::make_shared<PlanOptions>();
    verb.option("FILE", options->file, "the design").required();
    addDeviceList(verb, options->request.devices, "devices to plan for: cpu:0,cpu:1");
    verb.flag("--estimate", options->request.estimates,
              "also predict the time per layer and wire, the overlap and the memory peak");
    verb.option("--ranks", options->request.ranks,
                "estimate with the devices distributed over this many ranks")
        .between(1, 65536);
    verb.option("--hosts", options->request.hosts,
                "estimate with the ranks distributed over this many hosts")
        .between(1, 65536);
    const Option json = verb.flag("--json", options->json, "print JSON");
    verb.flag("--dot", options->dot, "print a Graphviz graph").excludes(json);
    return [options] {
        options->request.form = options->json  ? TextForm::json
                                : options->dot ? TextForm::dot
                                               : TextForm::text;
        options->request.folder = std::filesystem::path(options->file).parent_path();
        say("{}", explanationOf(options->file, [&](const Design& design) {
                return describePlan(design, options->request);
            }));
        return success;
    };
}

} // namespace weft
