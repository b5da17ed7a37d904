// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A data file or folder dropped on the window: source, fields and the shape of the input set
// themselves, as one step that can be taken back.

#include "session/bench.h"

namespace weft::ui {

void takeData(Bench& bench, const QString& file);
/// The settings that read this file or folder; an empty source: it is none that Weft knows.
[[nodiscard]] DataSettings dataOf(const QString& file);

} // namespace weft::ui
