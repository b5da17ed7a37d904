// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files and folders that a design's source of data names, picked in a dialog or dropped: how they
// are written down, and the one step of the history that does it. Lives on the GUI thread.

#include "session/bench.h"
#include <weft/settings.h>

class QFileDialog;

namespace weft::ui {

/// The kinds of source there are, with their attributes.
[[nodiscard]] const std::vector<SettingKind>& dataSources();
/// nullptr: the design has none, or one that is not known.
[[nodiscard]] const SettingKind* sourceOf(const Design& design);

/// A path as the attribute holds it: seen from the folder of the files, or from the design, where
/// it lies below; else whole.
[[nodiscard]] QString seenFrom(const QString& folder, const QString& path);
/// Where the attribute's names are looked for; empty: nowhere that is known.
[[nodiscard]] QString lookedForIn(const DesignDocument& document, const AttributeSpec& spec);

/// Those of one attribute of the source. Of a folder the names of its files are taken too, where
/// they are data of that source. What the attribute cannot hold is a notice.
void takePaths(Bench& bench, OpenDesign& design, const std::string& attribute,
               const QStringList& paths);
/// Asks for them; what is picked is taken. nullptr: the source has no such attribute.
QFileDialog* pickPaths(Bench& bench, OpenDesign& design, const std::string& attribute,
                       QWidget& parent);

/// Mends a problem, or asks for what its author alone knows. False where neither can be.
bool mendOrAsk(Bench& bench, OpenDesign& design, const Diagnostic& problem, QWidget& parent);

} // namespace weft::ui
