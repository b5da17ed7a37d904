// SPDX-License-Identifier: Apache-2.0
#include <weft/catalogue.h>

#include <algorithm>

namespace weft {

Attributes startingAttributes(const LayerKindInfo& kind) {
    Attributes attributes;
    for (const AttributeSpec& spec : kind.attributes) {
        if (spec.required) {
            attributes.set(spec.name, spec.defaultValue);
        }
    }
    return attributes;
}

const LayerKindInfo* findKind(const std::vector<LayerKindInfo>& kinds, std::string_view kind) {
    const auto found = std::ranges::find(kinds, kind, &LayerKindInfo::kind);
    return found == kinds.end() ? nullptr : &*found;
}

bool isOptional(const PortInfo& port, const Attributes& attributes) {
    if (!port.optional || port.replacedBy.empty()) {
        return port.optional;
    }
    const AttributeValue* const given = attributes.find(port.replacedBy);
    const auto* list = given == nullptr ? nullptr : std::get_if<std::vector<double>>(given);
    return given != nullptr && (list == nullptr || !list->empty());
}

std::vector<std::string> outputPorts(const LayerKindInfo& kind, const Attributes& given) {
    std::vector<std::string> names;
    for (const PortInfo& port : kind.outputs) {
        if (!port.variadic) {
            names.push_back(port.name);
            continue;
        }
        const auto spec =
            std::ranges::find(kind.attributes, port.perElementOf, &AttributeSpec::name);
        const AttributeValue* const set = given.find(port.perElementOf);
        const auto* list = set == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(set);
        if (list == nullptr && spec != kind.attributes.end()) {
            list = std::get_if<std::vector<std::int64_t>>(&spec->defaultValue);
        }
        // A single number stands for a list of one.
        const bool isNumber = set != nullptr && std::holds_alternative<std::int64_t>(*set);
        const std::size_t count = isNumber ? 1 : list == nullptr ? 0 : list->size();
        for (std::size_t k = 0; k < count; ++k) {
            names.push_back(port.name + std::to_string(k));
        }
    }
    return names;
}

bool isResult(const LayerKindInfo& kind) {
    return kind.category == "loss" || kind.category == "metric";
}

const ParameterInfo* dictionaryOf(const LayerKindInfo& kind) {
    const auto found = std::ranges::find(kind.parameters, true, &ParameterInfo::isDictionary);
    return found == kind.parameters.end() ? nullptr : &*found;
}

} // namespace weft
