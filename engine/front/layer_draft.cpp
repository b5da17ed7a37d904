// SPDX-License-Identifier: Apache-2.0
#include "front/layer_draft.h"

#include <algorithm>

namespace weft {

namespace {

/// Adds to the end of a chain whose first member the draft knows.
template <class Link>
void append(std::vector<Link>& links, std::uint32_t& first, Link link) {
    const auto at = static_cast<std::uint32_t>(links.size());
    links.push_back(std::move(link));
    if (first == LayerDraft::none) {
        first = at;
        return;
    }
    std::uint32_t last = first;
    while (links[last].next != LayerDraft::none) {
        last = links[last].next;
    }
    links[last].next = at;
}

} // namespace

LayerDrafts::LayerDrafts(const Study& studied)
    : studied_(studied), drafts_(studied.expanded.layers.size()) {
    outputs_.reserve(studied.lowered.parts.layers.outputs.size());
    parameters_.reserve(studied.graph().slots.size());
}

void LayerDrafts::addOutput(LayerDraft& draft, const std::string& port, ValueId value) {
    append(outputs_, draft.firstOutput, {&port, value});
}

void LayerDrafts::addParameter(LayerDraft& draft, SlotId slot) {
    append(parameters_, draft.firstParameter, {slot});
}

void LayerDrafts::placeParameter(const LayerDraft& draft, SlotId slot,
                                 const Placements& placements) {
    for (std::uint32_t at = draft.firstParameter; at != LayerDraft::none;
         at = parameters_[at].next) {
        if (parameters_[at].slot == slot) {
            parameters_[at].placed = &placements;
            return;
        }
    }
}

void LayerDrafts::placeOutputs(const Plan& plan) {
    plan_ = &plan;
    for (LayerDraft& draft : drafts_) {
        for (std::uint32_t at = draft.firstOutput; at != LayerDraft::none; at = outputs_[at].next) {
            const PlacedId made = studied_.made[outputs_[at].value.value];
            if (!made.isNone()) {
                outputs_[at].placed = &plan.at(made).placements;
                draft.mesh = plan.at(made).mesh;
            }
        }
    }
}

void LayerDrafts::write(LayerPreviews& layers) {
    // The layers before and after an edit stand in the same order but for few: what is not where it
    // was is looked for from where the last one was.
    LayerPreviews::Shared before = std::move(layers.shared);
    layers.shared.clear();
    layers.shared.reserve(drafts_.size());
    std::size_t next = 0;
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
        const Origin origin = studied_.expanded.layers[k].origin;
        constexpr std::size_t farthest = 8;
        std::size_t at = next;
        const std::size_t end = std::min(before.size(), next + farthest);
        while (at < end && (before[at] == nullptr || before[at]->origin != origin)) {
            ++at;
        }
        const bool isFound = at < end;
        next = isFound ? at + 1 : next;
        if (isFound && isAsBefore(*before[at], k)) {
            layers.shared.push_back(std::move(before[at]));
        } else {
            layers.shared.push_back(std::make_shared<const LayerPreview>(made(k)));
        }
    }
}

bool LayerDrafts::isAsBefore(const LayerPreview& before, std::size_t layer) {
    const LayerDraft& draft = drafts_[layer];
    return before.forward == draft.forward && before.backward == draft.backward &&
           before.compute == draft.compute && before.computeBand == draft.computeBand &&
           before.communicate == draft.communicate &&
           before.parameterBytes == draft.parameterBytes &&
           before.activationBytes == draft.activationBytes &&
           before.name == studied_.expanded.layers[layer].name && hasOutputs(before, draft) &&
           hasParameters(before, draft) && hasDevices(before, draft) &&
           (draft.legal == nullptr ? before.legal.empty() : before.legal == *draft.legal);
}

bool LayerDrafts::hasOutputs(const LayerPreview& before, const LayerDraft& draft) {
    std::size_t k = 0;
    for (std::uint32_t at = draft.firstOutput; at != LayerDraft::none;
         at = outputs_[at].next, ++k) {
        const Value& value = studied_.graph().at(outputs_[at].value);
        if (k == before.outputs.size() || before.outputs[k].port != *outputs_[at].port ||
            before.outputs[k].dtype != value.dtype || before.outputs[k].shape != value.shape ||
            before.outputs[k].placement != textOf(outputs_[at].placed)) {
            return false;
        }
    }
    return k == before.outputs.size();
}

bool LayerDrafts::hasParameters(const LayerPreview& before, const LayerDraft& draft) {
    std::size_t k = 0;
    for (std::uint32_t at = draft.firstParameter; at != LayerDraft::none;
         at = parameters_[at].next, ++k) {
        const Slot& slot = studied_.graph().at(parameters_[at].slot);
        if (k == before.parameters.size() || before.parameters[k].name != slot.name ||
            before.parameters[k].shape != slot.shape ||
            before.parameters[k].placement != textOf(parameters_[at].placed)) {
            return false;
        }
    }
    return k == before.parameters.size();
}

bool LayerDrafts::hasDevices(const LayerPreview& before, const LayerDraft& draft) const {
    if (draft.mesh.isNone()) {
        return before.devices.empty();
    }
    const Mesh& mesh = plan_->at(draft.mesh);
    return before.mesh == mesh.shape &&
           std::ranges::equal(before.devices, mesh.devices,
                              [&](const std::string& name, DeviceId id) {
                                  return name == studied_.devices[id.value];
                              });
}

LayerPreview LayerDrafts::made(std::size_t layer) {
    const LayerDraft& draft = drafts_[layer];
    const ExpandedLayer& expanded = studied_.expanded.layers[layer];
    LayerPreview made{.origin = expanded.origin,
                      .name = expanded.name,
                      .forward = draft.forward,
                      .backward = draft.backward,
                      .compute = draft.compute,
                      .computeBand = draft.computeBand,
                      .communicate = draft.communicate,
                      .parameterBytes = draft.parameterBytes,
                      .activationBytes = draft.activationBytes};
    for (std::uint32_t at = draft.firstOutput; at != LayerDraft::none; at = outputs_[at].next) {
        const Value& value = studied_.graph().at(outputs_[at].value);
        made.outputs.push_back(
            {*outputs_[at].port, value.dtype, value.shape, textOf(outputs_[at].placed)});
    }
    for (std::uint32_t at = draft.firstParameter; at != LayerDraft::none;
         at = parameters_[at].next) {
        const Slot& slot = studied_.graph().at(parameters_[at].slot);
        made.parameters.push_back({slot.name, slot.shape, textOf(parameters_[at].placed)});
    }
    if (!draft.mesh.isNone()) {
        const Mesh& mesh = plan_->at(draft.mesh);
        for (const DeviceId device : mesh.devices) {
            made.devices.push_back(studied_.devices[device.value]);
        }
        made.mesh = mesh.shape;
    }
    if (draft.legal != nullptr) {
        made.legal = *draft.legal;
    }
    return made;
}

/// Most lie as the one before.
const std::string& LayerDrafts::textOf(const Placements* placements) {
    static const std::string nothing;
    if (placements == nullptr) {
        return nothing;
    }
    if (lastPlacements_ == nullptr || *placements != *lastPlacements_) {
        lastText_ = toString(*placements);
    }
    lastPlacements_ = placements;
    return lastText_;
}

} // namespace weft
