// SPDX-License-Identifier: Apache-2.0
// weft layers: prints the catalogue of layer kinds with its help.
#include "catalogue/attribute_json.h"
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include <weft/catalogue.h>
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace weft {

namespace {

void showOne(const LayerKindInfo& kind) {
    say("{} ({})\n  {}\n", kind.kind, kind.title, kind.help);
    for (const PortInfo& port : kind.inputs) {
        say("  input {}{}{}: {}\n", port.name, port.optional ? " (optional)" : "",
            port.type == PortType::whole ? " (i64 or i32)" : "", port.help);
    }
    for (const PortInfo& port : kind.outputs) {
        say("  output {}: {}\n", port.name, port.help);
    }
    for (const AttributeSpec& attribute : kind.attributes) {
        say("  {} = {}: {}\n", attribute.name,
            attribute.required ? "(required)" : toString(attribute.defaultValue), attribute.help);
    }
    for (const ParameterInfo& parameter : kind.parameters) {
        say("  parameter {}: {}\n", parameter.name, parameter.help);
    }
}

using Json = nlohmann::ordered_json;

std::string_view nameOf(PortType type) {
    switch (type) {
    case PortType::floating: return "floating";
    case PortType::whole: return "whole";
    case PortType::any: break;
    }
    return "any";
}

Json jsonOf(const LayerKindInfo& kind) {
    const auto portsOf = [](const std::vector<PortInfo>& ports, bool areInputs) {
        Json all = Json::array();
        for (const PortInfo& port : ports) {
            all.push_back({{"name", port.name},
                           {"optional", port.optional},
                           {"variadic", port.variadic},
                           {"help", port.help}});
            if (areInputs) {
                all.back()["type"] = nameOf(port.type);
            }
        }
        return all;
    };
    Json parameters = Json::array();
    for (const ParameterInfo& parameter : kind.parameters) {
        parameters.push_back({{"name", parameter.name}, {"help", parameter.help}});
    }
    return {{"kind", kind.kind},
            {"title", kind.title},
            {"category", kind.category},
            {"help", kind.help},
            {"inputs", portsOf(kind.inputs, true)},
            {"outputs", portsOf(kind.outputs, false)},
            {"attributes", weft::jsonOf(kind.attributes)},
            {"parameters", std::move(parameters)}};
}

void listAll(const std::vector<LayerKindInfo>& kinds, bool asJson) {
    Json all = Json::array();
    for (const LayerKindInfo& kind : kinds) {
        if (asJson) {
            all.push_back(jsonOf(kind));
        } else {
            say("{:<24}{}\n", kind.kind, kind.title);
        }
    }
    if (asJson) {
        say("{}\n", all.dump(2));
    }
}

} // namespace

std::function<int()> addLayers(CommandLine& line) {
    Verb verb = line.verb("layers", "list the layer kinds, or print the help of one");
    verb.footer("Example: weft layers conv2d");
    auto wanted = std::make_shared<std::string>();
    auto asJson = std::make_shared<bool>(false);
    verb.option("KIND", *wanted, "show this kind");
    verb.flag("--json", *asJson, "print JSON");
    return [wanted, asJson] {
        const std::vector<LayerKindInfo> kinds = catalogue();
        if (wanted->empty()) {
            listAll(kinds, *asJson);
            return success;
        }
        const LayerKindInfo* kind = findKind(kinds, *wanted);
        if (kind == nullptr) {
            throw Error(ErrorCode::usage, {}, "there is no layer kind \"" + *wanted + "\"",
                        "weft layers lists the layer kinds");
        }
        if (*asJson) {
            say("{}\n", jsonOf(*kind).dump(2));
        } else {
            showOne(*kind);
        }
        return success;
    };
}

} // namespace weft
