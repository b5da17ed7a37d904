// SPDX-License-Identifier: Apache-2.0
// weft explain: prints a stage between the design and the run.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/explain.h>

#include <memory>

namespace weft {

namespace {

struct ExplainOptions {
    std::string file;
    std::vector<std::string> devices;
    std::string stage = "plan";
    std::string member = "train";
    std::string backend;
    bool json = false;
    bool times = false;
};

} // namespace

std::function<int()> addExplain(CommandLine& line) {
    Verb verb =
        line.verb("explain", "print a compiler stage: graph, plan, kernels, memory or programs");
    auto options = std::make_shared<ExplainOptions>();
    verb.option("FILE", options->file, "the design").required();
    addDeviceList(verb, options->devices, "devices to plan for: cpu:0,cpu:1");
    verb.option("--stage", options->stage, "graph, plan, kernels, memory or programs")
        .showsDefault()
        .oneOf({"graph", "plan", "kernels", "memory", "programs"});
    verb.option("--member", options->member,
                "program variant: train, evaluate or infer; with gradient accumulation also "
                "\"train accumulate\" and others")
        .showsDefault();
    verb.option("--backend", options->backend, "choose kernels of this backend");
    verb.flag("--json", options->json, "print JSON");
    verb.flag("--times", options->times, "print the time of each stage");
    return [options] {
        const StageTextRequest request{.stage = *stageNamed(options->stage),
                                       .form = options->json ? TextForm::json : TextForm::text,
                                       .member = options->member,
                                       .devices = options->devices,
                                       .backend = options->backend,
                                       .times = options->times};
        say("{}", explanationOf(options->file,
                                [&](const Design& design) { return explain(design, request); }));
        return success;
    };
}

} // namespace weft
