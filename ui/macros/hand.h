// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the lines of a macro act on: the network that is looked at, what is selected, and how layers
// are called. $1 is the first that was selected when the macro began, +1 the first that it made;
// behind such a word > leads to the only layer that it feeds, < to the only one that feeds it;
// anything else is a layer's name. So a macro is about the layers that one has selected. Pure.

#include <weft/edits.h>

#include <QString>
#include <optional>

namespace weft::ui {

struct KnownLayer {
    NetworkPath path;
    LayerId layer;
    bool operator==(const KnownLayer&) const = default;
};

struct Hand {
    NetworkPath path;
    std::vector<LayerId> selected; ///< the last is the current one
    std::vector<KnownLayer> given; ///< selected when the macro began
    std::vector<KnownLayer> made;

    /// At the beginning of a macro.
    static Hand at(const NetworkPath& path, std::vector<LayerId> selected);
};

[[nodiscard]] std::optional<LayerId> layerMeant(const Design& design, const Hand& hand,
                                                const QString& word);
/// As little as possible by its name.
[[nodiscard]] QString wordFor(const Design& design, const Hand& hand, LayerId layer);
/// "+1.y"
[[nodiscard]] std::optional<Endpoint> endMeant(const Design& design, const Hand& hand,
                                               const QString& word);
[[nodiscard]] QString wordFor(const Design& design, const Hand& hand, const Endpoint& end);

/// Layers of the network that is looked at which were not there before.
void noteMade(Hand& hand, const Design& before, const Design& after);

} // namespace weft::ui
