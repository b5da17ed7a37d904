// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What dropped files are as the data of a design, told by their names and first bytes, and a design
// made to fit them. Reads files; for any thread.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/samples.h>

#include <QStringList>
#include <vector>

namespace weft::ui {

/// IDX and CIFAR files or their folder, arrays of NumPy, a text. An empty source: none of these.
[[nodiscard]] DataSettings dataOf(const QStringList& files);

/// Input layers take the fields that fit them, with their shapes; a dense layer before a loss has
/// as many units as there are classes.
void feedFrom(Design& design, const SampleSource& source, const std::vector<LayerKindInfo>& kinds);

} // namespace weft::ui
