// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is said of a layer, a collective and a wire under the pointer. Pure.

#include "canvas/display_list.h"
#include "canvas/hover_card.h"
#include "canvas/known_layers.h"
#include "session/layer_sums.h"

#include <optional>

namespace weft::ui {

/// `times`: as the run that is looked at took them.
[[nodiscard]] CardText cardOf(const NodeView& node, const Layer& layer, const KnownLayers& known,
                              const Network& network, const std::optional<LayerTime>& times);
[[nodiscard]] CardText cardOf(const BadgeView& badge, const Wire& wire, const KnownLayers& known,
                              const Network& network);
/// Text on a layer that accumulates gradients: what happens to dW, step by step.
[[nodiscard]] CardText cardOf(const SyncView& view, const Layer& layer, const KnownLayers& known);
/// "f32 [512, 9216] · 18.9 MB · Split(0)"; empty where nothing is known.
[[nodiscard]] QString tagOf(const Wire& wire, const KnownLayers& known, const Network& network);

} // namespace weft::ui
