// SPDX-License-Identifier: Apache-2.0
#pragma once
// Texts of the hover cards for a layer, a collective and a wire. Pure.

#include "canvas/scene/display_list.h"
#include "canvas/scene/known_layers.h"
#include "canvas/view/hover_card.h"
#include "runs/layer_sums.h"

#include <optional>

namespace weft::ui {

/// Returns the text of a card. `times`: measured in the shown run.
[[nodiscard]] CardText hoverCardText(const NodeView& node, const Layer& layer,
                                     const CheckedLayers& known, const Network& network,
                                     const std::optional<LayerTime>& times);
[[nodiscard]] CardText hoverCardText(const BadgeView& badge, const Wire& wire,
                                     const CheckedLayers& known, const Network& network);
/// Card of a layer that accumulates gradients: the steps that dW goes through.
[[nodiscard]] CardText hoverCardText(const SyncView& view, const Layer& layer,
                                     const CheckedLayers& known);
/// Returns a text such as "f32 [512, 9216] · 18.9 MB · Split(0)", or an empty text if nothing is
/// known.
[[nodiscard]] QString wireLabel(const Wire& wire, const CheckedLayers& known,
                                const Network& network);

} // namespace weft::ui
