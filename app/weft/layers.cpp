// SPDX-License-Identifier: Apache-2.0
// weft layers: the catalogue with its help.
#include "command.h"
#include "verb.h"
#include <weft/catalogue.h>
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

using Json = nlohmann::ordered_json;

Json jsonOf(const AttributeSpec& attribute) {
    Json made{{"name", attribute.name},
              {"type", nameOf(typeOf(attribute.fallback))},
              {"required", attribute.required},
              {"default", toString(attribute.fallback)},
              {"help", attribute.help}};
    if (!attribute.choices.empty()) {
        made["choices"] = attribute.choices;
    }
    if (attribute.least) {
        made["least"] = *attribute.least;
    }
    if (attribute.most) {
        made["most"] = *attribute.most;
    }
    return made;
}

Json jsonOf(const LayerKindInfo& kind) {
    const auto portsOf = [](const std::vector<PortInfo>& ports) {
        Json all = Json::array();
        for (const PortInfo& port : ports) {
            all.push_back({{"name", port.name},
                           {"optional", port.optional},
                           {"variadic", port.variadic},
                           {"help", port.help}});
        }
        return all;
    };
    Json attributes = Json::array();
    std::ranges::transform(kind.attributes, std::back_inserter(attributes),
                           [](const AttributeSpec& attribute) { return jsonOf(attribute); });
    Json parameters = Json::array();
    for (const ParameterInfo& parameter : kind.parameters) {
        parameters.push_back({{"name", parameter.name}, {"help", parameter.help}});
    }
    return {{"kind", kind.kind},
            {"title", kind.title},
            {"category", kind.category},
            {"help", kind.help},
            {"inputs", portsOf(kind.inputs)},
            {"outputs", portsOf(kind.outputs)},
            {"attributes", std::move(attributes)},
            {"parameters", std::move(parameters)}};
}

void listAll(const std::vector<LayerKindInfo>& kinds, bool asJson) {
    Json all = Json::array();
    for (const LayerKindInfo& kind : kinds) {
        if (asJson) {
            all.push_back(jsonOf(kind));
        } else {
            fmt::print("{:<24}{}\n", kind.kind, kind.title);
        }
    }
    if (asJson) {
        fmt::print("{}\n", all.dump(2));
    }
}

} // namespace

std::function<int()> addLayers(CommandLine& line) {
    Verb verb = line.verb("layers", "the layer kinds, or one of them with all its help");
    verb.footer("Example: weft layers conv2d");
    auto wanted = std::make_shared<std::string>();
    auto asJson = std::make_shared<bool>(false);
    verb.option("KIND", *wanted, "show this kind");
    verb.flag("--json", *asJson, "for a program to read");
    return [wanted, asJson] {
        const std::vector<LayerKindInfo> kinds = catalogue();
        if (wanted->empty()) {
            listAll(kinds, *asJson);
            return fine;
        }
        const LayerKindInfo* kind = findKind(kinds, *wanted);
        if (kind == nullptr) {
            throw Error(ErrorCode::usage, {}, "there is no layer kind \"" + *wanted + "\"",
                        "weft layers lists them");
        }
        if (*asJson) {
            fmt::print("{}\n", jsonOf(*kind).dump(2));
        } else {
            showOne(*kind);
        }
        return fine;
    };
}

} // namespace weft
