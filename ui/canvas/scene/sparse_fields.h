// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attributes of a layer of competing neurons that are shown beside its shapes. Pure.

#include <weft/catalogue.h>
#include <weft/design.h>

#include <QString>
#include <utility>
#include <vector>

namespace weft::ui {

/// Returns names and values of the dictionary, rounds, threshold and time constant, as far as the
/// kind has them; empty if batch elements are not networks of their own.
[[nodiscard]] std::vector<std::pair<QString, QString>>
sparseCodingFields(const Layer& layer, const LayerKindInfo& kind);
/// Returns the attributes that fit on a node: "τ 10, λ 0.5".
[[nodiscard]] QString sparseCodingSummary(const Layer& layer, const LayerKindInfo& kind);

} // namespace weft::ui
