// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/known_layers.h"

namespace weft::ui {

CheckedLayers::CheckedLayers(const Design& design, const NetworkPath& path, const Preview* preview,
                             const Preview* older)
    : design_(design), prefix_(prefixOf(design.network, path.group, {})) {
    if (preview == nullptr) {
        return;
    }
    for (const LayerPreview& layer : preview->layers) {
        byName_.emplace(layer.name, &layer);
    }
    for (const CollectivePreview& one : preview->collectives) {
        Traffic& traffic = byWire_[one.wire];
        (one.isBackward ? traffic.backward : traffic.forward) = &one;
    }
    isStepOlder_ = !preview->step && older != nullptr;
    if (!isStepOlder_) {
        return;
    }
    for (const LayerPreview& layer : older->layers) {
        olderByName_[layer.name] = layer.step ? &*layer.step : nullptr;
    }
    for (const CollectivePreview& one : older->collectives) {
        olderByWire_[{one.wire, one.isBackward}] = one.step ? &*one.step : nullptr;
    }
}

const LayerStep* CheckedLayers::stepOf(const LayerPreview& layer) const {
    if (layer.step) {
        return &*layer.step;
    }
    const auto found = olderByName_.find(layer.name);
    return found == olderByName_.end() ? nullptr : found->second;
}

const CollectiveStep* CheckedLayers::stepOf(const CollectivePreview& one) const {
    if (one.step) {
        return &*one.step;
    }
    const auto found = olderByWire_.find({one.wire, one.isBackward});
    return found == olderByWire_.end() ? nullptr : found->second;
}

const LayerPreview* CheckedLayers::find(const Layer& layer) const {
    const auto found = byName_.find(nameOf(layer));
    return found == byName_.end() ? nullptr : found->second;
}

std::vector<const LayerPreview*> CheckedLayers::layersInside(const Layer& group) const {
    const std::string name = nameOf(group);
    std::vector<const LayerPreview*> found;
    for (auto at = byName_.lower_bound(name); at != byName_.end(); ++at) {
        const std::string& other = at->first;
        if (!other.starts_with(name)) {
            break;
        }
        if (other.size() > name.size() &&
            (other[name.size()] == '/' || other[name.size()] == '[')) {
            found.push_back(at->second);
        }
    }
    return found;
}

CheckedLayers::Traffic CheckedLayers::trafficOn(const Wire& wire, const Layer& from,
                                                const Layer& to) const {
    const auto found = byWire_.find(nameOf(from) + "." + wire.from.port + " -> " + nameOf(to) +
                                    "." + wire.to.port);
    return found == byWire_.end() ? Traffic{} : found->second;
}

/// Returns the path of names to the first instance of a group.
std::string CheckedLayers::prefixOf(const Network& network, const std::string& group,
                                    const std::string& before) const {
    if (group.empty()) {
        return {};
    }
    for (const Layer& layer : network.layers) {
        if (layer.kind != groupKind) {
            continue;
        }
        std::string here = before + layer.name + (layer.repeat > 1 ? "[1]/" : "/");
        if (layer.group == group) {
            return here;
        }
        const GroupDefinition* definition = design_.group(layer.group);
        if (definition != nullptr) {
            std::string found = prefixOf(definition->network, group, here);
            if (!found.empty()) {
                return found;
            }
        }
    }
    return {};
}

} // namespace weft::ui
