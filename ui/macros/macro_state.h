// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state on which macro lines act: the shown network, the selection, and the names of layers. $1
// is the first layer selected when the macro began, +1 the first layer that it added; after such a
// word, > follows the layer's only output and < its only input; any other word is a layer's name. A
// macro thereby applies to whatever is selected. Pure.

#include <weft/edits.h>

#include <QString>
#include <optional>

namespace weft::ui {

struct LayerInNetwork {
    NetworkPath path;
    LayerId layer;
    bool operator==(const LayerInNetwork&) const = default;
};

struct MacroState {
    NetworkPath path;
    std::vector<LayerId> selected;             ///< the last one is the current layer
    std::vector<LayerInNetwork> initialLayers; ///< layers selected when the macro began
    std::vector<LayerInNetwork> addedLayers;   ///< layers that the macro has added

    /// Returns the state at the beginning of a macro.
    static MacroState atStart(const NetworkPath& path, std::vector<LayerId> selected);
};

[[nodiscard]] std::optional<LayerId> resolveLayer(const Design& design, const MacroState& state,
                                                  const QString& word);
/// Returns a word for the layer that avoids its name if possible.
[[nodiscard]] QString referenceTo(const Design& design, const MacroState& state, LayerId layer);
/// Resolves a port such as "+1.y".
[[nodiscard]] std::optional<Endpoint> resolveEndpoint(const Design& design, const MacroState& state,
                                                      const QString& word);
[[nodiscard]] QString referenceTo(const Design& design, const MacroState& state,
                                  const Endpoint& end);

/// Records the layers of the shown network that the change has added.
void recordAddedLayers(MacroState& state, const Design& before, const Design& after);

} // namespace weft::ui
