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

bool isResult(const LayerKindInfo& kind) {
    return kind.category == "loss" || kind.category == "metric";
}

const ParameterInfo* dictionaryOf(const LayerKindInfo& kind) {
    const auto found = std::ranges::find(kind.parameters, true, &ParameterInfo::isDictionary);
    return found == kind.parameters.end() ? nullptr : &*found;
}

} // namespace weft
