// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits the files and folders of a design's data source, picked in a dialog or dropped, each as one
// undo step. Lives on the GUI thread.

#include "workspace/window_context.h"
#include <weft/settings.h>

class QFileDialog;

namespace weft::ui {

/// Returns all kinds of sources with their attributes.
[[nodiscard]] const std::vector<SettingKind>& dataSources();
[[nodiscard]] const SettingKind* sourceOf(const Design& design); ///< nullptr: none or unknown

/// Returns the path as the attribute stores it: relative to the folder of the files or of the
/// design if it lies inside, else absolute.
[[nodiscard]] QString storedPathOf(const QString& folder, const QString& path);
/// Returns the folder that the attribute's names are relative to; empty if unknown.
[[nodiscard]] QString baseFolderOf(const DesignDocument& document, const AttributeSpec& spec);

/// Sets one attribute of the source. For a folder, also sets the attributes of files inside that
/// the source recognises. Shows a notice if the attribute cannot store the paths.
void takePaths(WindowContext& context, OpenDesign& design, const std::string& attribute,
               const QStringList& paths);
/// Opens a file dialog and takes the selected paths. Returns nullptr if the source has no such
/// attribute.
QFileDialog* pickPaths(WindowContext& context, OpenDesign& design, const std::string& attribute,
                       QWidget& parent);

/// Fixes a problem, or asks the user for the missing value. Returns false if neither is possible.
bool mendOrAsk(WindowContext& context, OpenDesign& design, const Diagnostic& problem,
               QWidget& parent);

} // namespace weft::ui
