// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exports a whole canvas as a picture file.

#include <QString>

namespace weft::ui {

class CanvasPage;
class MainWindow;

/// Writes SVG, PNG or PDF according to the suffix; throws Error{file} if the write fails.
void savePictureOf(CanvasPage& page, const QString& file);
void savePictureOf(MainWindow& window); ///< asks for a file name and shows a notice with the result

} // namespace weft::ui
