// SPDX-License-Identifier: Apache-2.0
#pragma once
// Describes measured data in lines: the values of each field, and how many examples each class has.

#include <weft/samples.h>

#include <QString>

namespace weft::ui {

/// `training`: number of training examples.
[[nodiscard]] QString figureLines(const SampleFigures& figures, std::int64_t training);

} // namespace weft::ui
