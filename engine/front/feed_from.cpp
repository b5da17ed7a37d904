// SPDX-License-Identifier: Apache-2.0
#include <weft/catalogue.h>
#include <weft/samples.h>

#include <algorithm>

namespace weft {

namespace {

/// What feeds a network from outside: it has a shape and takes no wire.
bool isInput(const std::vector<LayerKindInfo>& kinds, const Layer& layer) {
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    return kind != nullptr && kind->inputs.empty() &&
           std::ranges::any_of(kind->attributes,
                               [](const AttributeSpec& spec) { return spec.name == "shape"; });
}

bool takesIds(const Layer& layer) {
    const AttributeValue* dtype = layer.attributes.find("dtype");
    const auto* name = dtype == nullptr ? nullptr : std::get_if<std::string>(dtype);
    return name != nullptr && name->starts_with("i");
}

/// The loss that compares with these classes: what it compares them with has one output for each.
void setClasses(Network& network, LayerId labels, std::int64_t classes) {
    for (const Wire& wire : network.wires) {
        if (wire.from.layer != labels) {
            continue;
        }
        for (const Wire& beside : network.wires) {
            if (beside.to.layer != wire.to.layer || beside.from.layer == labels) {
                continue;
            }
            for (Layer& layer : network.layers) {
                if (layer.id == beside.from.layer && layer.attributes.has("units")) {
                    layer.attributes.set("units", classes);
                }
            }
        }
    }
}

} // namespace

void feedFrom(Design& design, const SampleSource& source, const std::vector<LayerKindInfo>& kinds) {
    design.data.feeds.clear();
    std::vector<const SampleField*> left;
    left.reserve(source.fields.size());
    for (const SampleField& field : source.fields) {
        left.push_back(&field);
    }
    for (Layer& layer : design.network.layers) {
        if (!isInput(kinds, layer)) {
            continue;
        }
        const bool wantsIds = takesIds(layer);
        auto found = std::ranges::find_if(left, [wantsIds](const SampleField* field) {
            return wantsIds == (field->classes > 0 || field->shape.empty());
        });
        if (found == left.end() && !wantsIds) { // a number to come near to
            found = std::ranges::find(left, 0, &SampleField::classes);
        }
        if (found == left.end()) {
            continue;
        }
        const SampleField& field = **found;
        left.erase(found);
        design.data.feeds[layer.name] = field.name;
        layer.attributes.set("shape", AttributeValue(field.shape));
        if (field.classes > 0 && field.shape.empty()) {
            setClasses(design.network, layer.id, field.classes);
        }
    }
}

} // namespace weft
