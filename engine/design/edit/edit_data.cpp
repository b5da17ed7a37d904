// SPDX-License-Identifier: Apache-2.0
#include "base/text/names_of.h"
#include "design/edit/editing.h"
#include <weft/data_edits.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {

namespace {

bool isDeclaredAlike(const AttributeSpec& a, const AttributeSpec& b) {
    return a.name == b.name && a.defaultValue == b.defaultValue && a.choices == b.choices &&
           a.content == b.content;
}

const AttributeSpec* specNamed(const std::vector<AttributeSpec>& specs, std::string_view name) {
    const auto found = std::ranges::find(specs, name, &AttributeSpec::name);
    return found == specs.end() ? nullptr : &*found;
}

/// Returns this kind of input layer's word for the type of the field's numbers.
std::string dtypeFor(const SampleField& field, const LayerKindInfo& kind) {
    const AttributeSpec* spec = specNamed(kind.attributes, "dtype");
    const std::string own(nameOf(field.dtype));
    const bool isTaken =
        spec != nullptr && std::ranges::find(spec->choices, own) != spec->choices.end();
    return isTaken ? own : field.classes > 0 ? "i32" : "f32";
}

Edited noInput(const Layer* layer) {
    return refused(layer == nullptr ? "the layer does not exist"
                                    : fmt::format("{} is not an input layer", layer->name),
                   "choose an input layer at the top level of the design", layer);
}

} // namespace

Edited setSource(Design& design, const std::string& source,
                 const std::vector<SettingKind>& sources) {
    const auto kind = std::ranges::find(sources, source, &SettingKind::name);
    if (kind == sources.end()) {
        return refused(fmt::format("there is no data source '{}'", source),
                       fmt::format("choose one of {}", fmt::join(namesOf(sources), ", ")));
    }
    const auto before = std::ranges::find(sources, design.data.source, &SettingKind::name);
    Attributes kept;
    for (const auto& [name, value] : design.data.attributes.entries()) {
        const AttributeSpec* now = specNamed(kind->attributes, name);
        const AttributeSpec* was =
            before == sources.end() ? now : specNamed(before->attributes, name);
        if (now != nullptr && was != nullptr && isDeclaredAlike(*now, *was)) {
            kept.set(name, value);
        }
    }
    design.data.source = source;
    design.data.attributes = std::move(kept);
    return done();
}

Edited setSourceAttribute(Design& design, const std::string& name, AttributeValue value) {
    return setSourceAttributes(design, {{name, std::move(value)}});
}

Edited setSourceAttributes(Design& design, const Attributes& attributes) {
    for (const auto& [name, value] : attributes.entries()) {
        if (!hasFiniteNumbers(value)) {
            return refused(fmt::format("{} would be NaN or infinite", name),
                           "enter another number");
        }
    }
    for (const auto& [name, value] : attributes.entries()) {
        design.data.attributes.set(name, value);
    }
    return done();
}

Edited resetSourceAttribute(Design& design, std::string_view name) {
    design.data.attributes.remove(name);
    return done();
}

bool isInput(const LayerKindInfo& kind) {
    return kind.inputs.empty() && specNamed(kind.attributes, "shape") != nullptr;
}

Edited feedInput(Design& design, LayerId input, const SampleField& field,
                 const std::vector<LayerKindInfo>& kinds) {
    Layer* layer = layerIn(design.network, input);
    const LayerKindInfo* kind = layer == nullptr ? nullptr : findKind(kinds, layer->kind);
    if (kind == nullptr || !isInput(*kind)) {
        return noInput(layer);
    }
    Edited edited = setAttribute(design, {}, input, "shape", AttributeValue(field.shape));
    if (edited.isDone() && specNamed(kind->attributes, "dtype") != nullptr) {
        edited = setAttribute(design, {}, input, "dtype", AttributeValue(dtypeFor(field, *kind)));
    }
    design.data.feeds.insert_or_assign(layer->name, field.name);
    return edited;
}

Edited addInputFor(Design& design, const SampleField& field,
                   const std::vector<LayerKindInfo>& kinds) {
    const auto kind = std::ranges::find_if(kinds, isInput);
    if (kind == kinds.end()) {
        return noInput(nullptr);
    }
    Design draft = design;
    const auto added = [&](const std::string& name) {
        return addLayer(draft, {}, {.name = name, .kind = kind->kind, .attributes = {}});
    };
    Edited edited = added(field.name);
    if (!edited.isDone()) { // no layer can have that name
        edited = added({});
    }
    if (edited.isDone()) {
        edited = feedInput(draft, edited.layer(), field, kinds);
    }
    if (edited.isDone()) {
        design = std::move(draft);
    }
    return edited;
}

} // namespace weft
