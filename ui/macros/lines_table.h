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

struct LineContext {
    Design& design;
    MacroState& state; ///< receives the line's changes of selection and network
    const std::vector<LayerKindInfo>& kinds;
};

struct MacroLine {
    const char* id;        ///< such as "layer.set"
    const char* arguments; ///< as shown in the help
    const char* help;
    int least; ///< least number of words
    Edited (*run)(LineContext& context, LineWords& words);
};

[[nodiscard]] std::vector<MacroLine> layerLines();
[[nodiscard]] std::vector<MacroLine> wireLines();  ///< also lines for frames and comments
[[nodiscard]] std::vector<MacroLine> groupLines(); ///< lines that edit a group's interface
[[nodiscard]] std::vector<MacroLine> designLines();

[[nodiscard]] std::span<const MacroLine> lineTable(); ///< returns all lines
[[nodiscard]] const MacroLine* findLine(const QString& id);
/// Returns the entry for the command set, translated.
[[nodiscard]] LineInfo infoOf(const MacroLine& line);

/// Performs a line and records the layers it added in the state. Refuses surplus words. Changes
/// nothing on failure if the line itself is atomic.
Edited runLine(const MacroLine& line, LineContext context, const QStringList& words);

// Helpers shared by the lines.
[[nodiscard]] Edited refusedEdit(const QString& why);
[[nodiscard]] Edited noSuchLayer(const QString& word);
/// Takes all remaining words as layers ($ means those selected when the macro began). Returns the
/// refusal if a word names no layer.
[[nodiscard]] std::optional<Edited> takeLayers(const LineContext& context, LineWords& words,
                                               std::vector<LayerId>& layers);
/// Resolves "LAYER.PORT"; std::nullopt if there is no such port.
[[nodiscard]] std::optional<Endpoint> resolvePort(const LineContext& context, const QString& word,
                                                  bool isInput);
[[nodiscard]] Edited noSuchPort(const QString& word, bool isInput);
/// `edit` gets the assignment that the words before "for" describe; std::nullopt for none.
Edited editWithAssignment(LineWords& words,
                          const std::function<Edited(const std::optional<Assignment>&)>& edit);
/// `edit` gets the layers named after "for", or else the selected layers.
Edited editLayers(LineContext& context, LineWords& words,
                  const std::function<Edited(const std::vector<LayerId>&)>& edit);
/// Like `editLayers`, for one layer after another.
Edited editEachLayer(LineContext& context, LineWords& words,
                     const std::function<Edited(LayerId)>& edit);

} // namespace weft::ui
