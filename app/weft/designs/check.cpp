// SPDX-License-Identifier: Apache-2.0
// weft check: prints all problems of a design with their fixes.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

Json jsonOfProblem(const Diagnostic& problem) {
    Json edits = Json::array();
    for (const FixEdit& edit : problem.fix.edits) {
        edits.push_back({{"verb", edit.verb}, {"arguments", edit.arguments}});
    }
    Json fix{{"text", problem.fix.text}, {"edits", std::move(edits)}};
    if (!problem.fix.asks.empty()) {
        fix["asks"] = problem.fix.asks;
    }
    return {{"code", problem.code},
            {"severity", problem.severity == Severity::error     ? "error"
                         : problem.severity == Severity::warning ? "warning"
                                                                 : "note"},
            {"layer", problem.layerName},
            {"group", problem.group},
            {"port", problem.port},
            {"attribute", problem.attribute},
            {"text", problem.text},
            {"fix", std::move(fix)}};
}

void printProblems(const std::string& file, const std::vector<Diagnostic>& problems,
                   std::size_t layers, bool asJson) {
    if (asJson) {
        Json all = Json::array();
        std::ranges::transform(problems, std::back_inserter(all), jsonOfProblem);
        say("{}\n", Json{{"file", file},
                         {"layers", layers},
                         {"errors", hasErrors(problems)},
                         {"problems", std::move(all)}}
                        .dump(2, ' ', false, Json::error_handler_t::replace));
        return;
    }
    for (const Diagnostic& problem : problems) {
        say("{}: {}\n", printable(file), toString(problem));
    }
    if (!hasErrors(problems)) {
        say("{}: {} layers, no errors\n", printable(file), layers);
    }
}

} // namespace

std::function<int()> addCheck(CommandLine& line) {
    Verb verb = line.verb("check", "print all problems of a design, with fixes");
    verb.footer("Exits with 3 if there are errors. In JSON, each fix is a list of edits, or a "
                "setting to ask for.\nExample: weft check design.weft");
    auto file = std::make_shared<std::string>();
    auto asJson = std::make_shared<bool>(false);
    verb.option("FILE", *file, "the design").required();
    verb.flag("--json", *asJson, "print JSON");
    return [file, asJson] {
        LoadedDesign loaded = loadDesign(*file, catalogue());
        const auto shown = previewOf(loaded.design, *file, {.until = PreviewPart::run});
        std::vector<Diagnostic> problems = loaded.diagnostics;
        problems.insert(problems.end(), shown->problems.begin(), shown->problems.end());
        printProblems(*file, problems, shown->layers.size(), *asJson);
        return hasErrors(problems) ? designError : success;
    };
}

} // namespace weft
