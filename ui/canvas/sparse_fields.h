// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a layer of neurons that compete says of itself beside its shapes. Pure.

#include <weft/catalogue.h>
#include <weft/design.h>

#include <QString>
#include <utility>
#include <vector>

namespace weft::ui {

/// Name and value of its dictionary, its rounds, threshold and time constant, as far as its kind
/// has them; empty of a kind whose elements are no networks of their own.
[[nodiscard]] std::vector<std::pair<QString, QString>> sparseFields(const Layer& layer,
                                                                    const LayerKindInfo& kind);
/// Attributes that fit on a node: "τ 10, λ 0.5".
[[nodiscard]] QString sparseLine(const Layer& layer, const LayerKindInfo& kind);

} // namespace weft::ui
