// SPDX-License-Identifier: Apache-2.0
#pragma once
// An edit as lines, whatever gesture made it: what differs is said line by line, each is done on a
// copy as it is said, and at the end the copy must be what the edit made. Pure.

#include "macros/lines_table.h"

namespace weft::ui {

struct ToldEdit {
    std::vector<QStringList> lines;
    Hand hand; ///< after them
    /// Doing them makes what the edit made; else no line says all of it.
    bool isWhole = false;
};

/// `hand`: where replaying the lines before leads to; `path` and `selected`: what was looked at and
/// selected when the edit was made.
[[nodiscard]] ToldEdit tellEdit(const Design& before, const Design& after, const Hand& hand,
                                const NetworkPath& path, const std::vector<LayerId>& selected,
                                const std::vector<LayerKindInfo>& kinds);

/// Lines for the settings of training and data that differ.
[[nodiscard]] std::vector<QStringList> settingLines(const Design& now, const Design& wanted);

/// Lines that lead there from where the hand is; none where it is there.
[[nodiscard]] std::vector<QStringList> wayTo(const Design& design, const Hand& hand,
                                             const NetworkPath& path,
                                             const std::vector<LayerId>& selected);

} // namespace weft::ui
