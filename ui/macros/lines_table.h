// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lines that change a design, each once: its id, what it takes, its help, and the edit of the
// face that it makes. Macros, scripts, the palette, the help and the recorder read this table.
// Pure: a line works on a design and a hand, wherever they come from.

#include "commands/command_set.h"
#include "macros/hand.h"
#include "macros/line_text.h"
#include <weft/catalogue.h>

#include <span>

namespace weft::ui {

struct LineSite {
    Design& design;
    Hand& hand; ///< what a line selects, or looks at, from now on
    const std::vector<LayerKindInfo>& kinds;
};

struct DesignLine {
    const char* id;
    const char* arguments;
    const char* help;
    int least; ///< words that it takes at least
    Edited (*run)(LineSite& site, LineWords& words);
};

[[nodiscard]] std::vector<DesignLine> layerLines();
[[nodiscard]] std::vector<DesignLine> wireLines();  ///< and frames, comments
[[nodiscard]] std::vector<DesignLine> groupLines(); ///< of what defines it
[[nodiscard]] std::vector<DesignLine> designLines();

/// All of them.
[[nodiscard]] std::span<const DesignLine> lineTable();
[[nodiscard]] const DesignLine* findLine(const QString& id);
/// As the command set knows it, in the user's language.
[[nodiscard]] LineInfo infoOf(const DesignLine& line);

/// Does it, all or nothing where the line itself does; what it made is noted in the hand. Words
/// that are left over are refused.
Edited doLine(const DesignLine& line, LineSite at, const QStringList& words);

// What the lines have in common.
[[nodiscard]] Edited refusing(const QString& why);
[[nodiscard]] Edited noSuchLayer(const QString& word);
/// The layers that all words name which are left, $ those of the beginning; else the refusal.
[[nodiscard]] std::optional<Edited> takeLayers(const LineSite& site, LineWords& words,
                                               std::vector<LayerId>& layers);
/// "LAYER.PORT", where there is such a port.
[[nodiscard]] std::optional<Endpoint> portMeant(const LineSite& site, const QString& word,
                                                bool isInput);
[[nodiscard]] Edited noSuchPort(const QString& word, bool isInput);
/// `edit` is given what the words up to "for" say, nullopt for none.
Edited onAssignment(LineWords& words,
                    const std::function<Edited(const std::optional<Assignment>&)>& edit);
/// The layers named behind "for", else those that are selected; `edit` is given them.
Edited onLayers(LineSite& site, LineWords& words,
                const std::function<Edited(const std::vector<LayerId>&)>& edit);
/// The same for one after the other.
Edited onEachLayer(LineSite& site, LineWords& words, const std::function<Edited(LayerId)>& edit);

} // namespace weft::ui
