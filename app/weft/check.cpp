// SPDX-License-Identifier: Apache-2.0
// weft check: every problem of a design at once, with its fix.
#include "command.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/preview.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace weft {

namespace {

bool say(const std::vector<Diagnostic>& problems) {
    for (const Diagnostic& problem : problems) {
        fmt::print("{}\n", toString(problem));
    }
    return hasErrors(problems);
}

} // namespace

std::function<int()> addCheck(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("check", "print every problem of a design, and what would mend it");
    auto file = std::make_shared<std::string>();
    command->add_option("FILE", *file, "the design")->required();
    return [file] {
        LoadedDesign loaded = loadDesign(*file, catalogue());
        PreviewCache cache;
        const Preview shown =
            preview(loaded.design, cache, {.devices = {}, .machine = {}, .wantsLegal = false});
        const bool unread = say(loaded.diagnostics);
        const bool errors = say(shown.problems) || unread;
        if (!errors) {
            fmt::print("{}: {} layers, no errors\n", *file, shown.layers.size());
        }
        return errors ? designWrong : fine;
    };
}

} // namespace weft
