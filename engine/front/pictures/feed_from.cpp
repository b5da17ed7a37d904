// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include <weft/data_edits.h>

#include <algorithm>

namespace weft {

namespace {

bool isInputLayer(const std::vector<LayerKindInfo>& kinds, const Layer& layer) {
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    return kind != nullptr && isInput(*kind);
}

std::string dtypeOf(const Layer& layer, const LayerKindInfo& kind) {
    const auto spec = std::ranges::find(kind.attributes, "dtype", &AttributeSpec::name);
    const AttributeValue* given = layer.attributes.find("dtype");
    if (given == nullptr && spec != kind.attributes.end()) {
        given = &spec->defaultValue;
    }
    const auto* name = given == nullptr ? nullptr : std::get_if<std::string>(given);
    return name == nullptr ? std::string() : *name;
}

bool takesIds(const Layer& layer) { return dtypeOf(layer, {}).starts_with("i"); }

bool areIds(const SampleField& field) { return field.classes > 0 || field.shape.empty(); }

/// Returns the layer's shape, or an empty shape if the attribute is invalid.
Shape shapeOf(const Layer& layer) {
    const AttributeValue* given = layer.attributes.find("shape");
    if (const auto* sizes = given == nullptr ? nullptr : std::get_if<Shape>(given)) {
        return *sizes;
    }
    const auto* size = given == nullptr ? nullptr : std::get_if<std::int64_t>(given);
    return size == nullptr ? Shape() : Shape{*size};
}

FeedFit fitOf(const InputFeed& feed, const SampleField& field) {
    if (elementsOf(feed.shape) != elementsOf(field.shape)) {
        return FeedFit::wrong;
    }
    const bool isSame = feed.shape == field.shape && feed.dtype == nameOf(field.dtype);
    return isSame ? FeedFit::fits : FeedFit::converts;
}

/// Returns a field of the right kind (ids or numbers) that no other input uses.
std::string meantFor(const InputFeed& feed, const SampleSource& source,
                     const std::vector<InputFeed>& all) {
    const bool wantsIds = feed.dtype.starts_with("i");
    const auto suits = [&](const SampleField& field) {
        const auto takesIt = [&](const InputFeed& other) {
            return other.layer != feed.layer && other.fit != FeedFit::missing &&
                   other.field == field.name;
        };
        return wantsIds == areIds(field) && std::ranges::none_of(all, takesIt);
    };
    const auto found = std::ranges::find_if(source.fields, suits);
    return found == source.fields.end() ? std::string() : found->name;
}

/// Sets the number of outputs of the layer that is compared with these labels in a loss.
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
    for (const Layer& layer : design.network.layers) {
        if (!isInputLayer(kinds, layer)) {
            continue;
        }
        const bool wantsIds = takesIds(layer);
        auto found = std::ranges::find_if(
            left, [wantsIds](const SampleField* field) { return wantsIds == areIds(*field); });
        if (found == left.end() && !wantsIds) { // such as a target of a regression
            found = std::ranges::find(left, 0, &SampleField::classes);
        }
        if (found == left.end()) {
            continue;
        }
        const SampleField& field = **found;
        left.erase(found);
        static_cast<void>(feedInput(design, layer.id, field, kinds));
        if (field.classes > 0 && field.shape.empty()) {
            setClasses(design.network, layer.id, field.classes);
        }
    }
}

std::vector<InputFeed> inputFeeds(const Design& design, const SampleSource& source,
                                  const std::vector<LayerKindInfo>& kinds) {
    std::vector<Field> fields;
    fields.reserve(source.fields.size());
    for (const SampleField& field : source.fields) {
        fields.push_back({field.name, field.dtype, field.shape, field.classes});
    }
    std::vector<InputFeed> feeds;
    for (const Layer& layer : design.network.layers) {
        if (layer.muted || !isInputLayer(kinds, layer)) {
            continue;
        }
        InputFeed feed{.layer = layer.id,
                       .input = layer.name,
                       .shape = shapeOf(layer),
                       .dtype = dtypeOf(layer, *findKind(kinds, layer.kind))};
        const auto named = design.data.feeds.find(layer.name);
        feed.isNamed = named != design.data.feeds.end();
        if (const auto at = fieldFeeding(design.data, fields, layer.name, feeds.size())) {
            feed.field = fields[*at].name;
            feed.fit = fitOf(feed, source.fields[*at]);
        } else if (feed.isNamed) {
            feed.field = named->second;
        }
        feeds.push_back(std::move(feed));
    }
    for (InputFeed& feed : feeds) {
        if (feed.fit == FeedFit::missing) {
            feed.meant = meantFor(feed, source, feeds);
        }
    }
    return feeds;
}

} // namespace weft
