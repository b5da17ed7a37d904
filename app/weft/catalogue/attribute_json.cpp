// SPDX-License-Identifier: Apache-2.0
#include "catalogue/attribute_json.h"

namespace weft {

using Json = nlohmann::ordered_json;

Json jsonOf(const AttributeSpec& attribute) {
    Json made{{"name", attribute.name},
              {"type", nameOf(typeOf(attribute.defaultValue))},
              {"required", attribute.required},
              {"default", toString(attribute.defaultValue)},
              {"help", attribute.help}};
    if (!attribute.choices.empty()) {
        made["choices"] = attribute.choices;
    }
    if (attribute.namesFiles()) {
        made["content"] = attribute.content == TextContent::folder  ? "folder"
                          : attribute.content == TextContent::files ? "files"
                                                                    : "file";
    }
    const auto limit = [&](const char* key, const std::optional<double>& number) {
        if (number) {
            made[key] = *number;
        }
    };
    limit("least", attribute.least);
    limit("most", attribute.most);
    limit("above", attribute.above);
    limit("below", attribute.below);
    return made;
}

Json jsonOf(const std::vector<AttributeSpec>& attributes) {
    Json all = Json::array();
    for (const AttributeSpec& attribute : attributes) {
        all.push_back(jsonOf(attribute));
    }
    return all;
}

} // namespace weft
