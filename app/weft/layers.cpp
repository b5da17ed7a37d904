// SPDX-License-Identifier: Apache-2.0
// weft layers: the catalogue with its help.
#include "command.h"
#include <weft/catalogue.h>
#include <weft/error.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace weft {

namespace {

void showOne(const LayerKindInfo& kind) {
    fmt::print("{} ({})\n  {}\n", kind.kind, kind.title, kind.help);
    for (const PortInfo& port : kind.inputs) {
        fmt::print("  input {}{}: {}\n", port.name, port.optional ? " (optional)" : "", port.help);
    }
    for (const PortInfo& port : kind.outputs) {
        fmt::print("  output {}: {}\n", port.name, port.help);
    }
    for (const AttributeSpec& attribute : kind.attributes) {
        fmt::print("  {} = {}: {}\n", attribute.name,
                   attribute.required ? "(required)" : toString(attribute.fallback),
                   attribute.help);
    }
    for (const ParameterInfo& parameter : kind.parameters) {
        fmt::print("  parameter {}: {}\n", parameter.name, parameter.help);
    }
}

} // namespace

std::function<int()> addLayers(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("layers", "the layer kinds, or one of them with all its help");
    auto wanted = std::make_shared<std::string>();
    command->add_option("KIND", *wanted, "show this kind");
    return [wanted] {
        const std::vector<LayerKindInfo> kinds = catalogue();
        if (wanted->empty()) {
            for (const LayerKindInfo& kind : kinds) {
                fmt::print("{:<24}{}\n", kind.kind, kind.title);
            }
            return fine;
        }
        const LayerKindInfo* kind = findKind(kinds, *wanted);
        if (kind == nullptr) {
            throw Error(ErrorCode::usage, {}, "there is no layer kind \"" + *wanted + "\"",
                        "weft layers lists them");
        }
        showOne(*kind);
        return fine;
    };
}

} // namespace weft
