// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of a canvas as a picture in a file.

#include <QString>

namespace weft::ui {

class CanvasPage;
class MainWindow;

/// SVG, PNG or PDF by the file's ending; Error{file} where it cannot be written.
void savePictureOf(CanvasPage& page, const QString& file);
/// With a dialog; tells what came of it.
void savePictureOf(MainWindow& window);

} // namespace weft::ui
