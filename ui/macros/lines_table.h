// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of all lines that edit a design: id, arguments, help and the edit. Macros, scripts, the
// palette, the help and the recorder use this table. Pure: a line works on any design.

#include "commands/command_set.h"
#include "macros/line_text.h"
#include "macros/macro_state.h"
#include <weft/catalogue.h>

#include <span>

namespace weft::ui {

struct LineSite {
    Design& design;
    MacroState& state; ///< receives the line's changes of selection and network
    const std::vector<LayerKindInfo>& kinds;
};

struct DesignLine {
    const char* id;
    const char* arguments;
    const char* help;
    int least; ///< least number of words
    Edited (*run)(LineSite& site, LineWords& words);
};

[[nodiscard]] std::vector<DesignLine> layerLines();
[[nodiscard]] std::vector<DesignLine> wireLines();  ///< also lines for frames and comments
[[nodiscard]] std::vector<DesignLine> groupLines(); ///< lines that edit a group's interface
[[nodiscard]] std::vector<DesignLine> designLines();

/// Returns all lines.
[[nodiscard]] std::span<const DesignLine> lineTable();
[[nodiscard]] const DesignLine* findLine(const QString& id);
/// Returns the entry for the command set, translated.
[[nodiscard]] LineInfo infoOf(const DesignLine& line);

/// Performs a line and records the layers it added in the state. Refuses surplus words. Changes
/// nothing on failure if the line itself is atomic.
Edited doLine(const DesignLine& line, LineSite at, const QStringList& words);

// Helpers shared by the lines.
[[nodiscard]] Edited refusing(const QString& why);
[[nodiscard]] Edited noSuchLayer(const QString& word);
/// Takes all remaining words as layers ($ means those selected when the macro began). Returns the
/// refusal if a word names no layer.
[[nodiscard]] std::optional<Edited> takeLayers(const LineSite& site, LineWords& words,
                                               std::vector<LayerId>& layers);
/// Resolves "LAYER.PORT"; std::nullopt if there is no such port.
[[nodiscard]] std::optional<Endpoint> portMeant(const LineSite& site, const QString& word,
                                                bool isInput);
[[nodiscard]] Edited noSuchPort(const QString& word, bool isInput);
/// `edit` gets the assignment that the words before "for" describe; std::nullopt for none.
Edited onAssignment(LineWords& words,
                    const std::function<Edited(const std::optional<Assignment>&)>& edit);
/// `edit` gets the layers named after "for", or else the selected layers.
Edited onLayers(LineSite& site, LineWords& words,
                const std::function<Edited(const std::vector<LayerId>&)>& edit);
/// Like `onLayers`, for one layer after another.
Edited onEachLayer(LineSite& site, LineWords& words, const std::function<Edited(LayerId)>& edit);

} // namespace weft::ui
