// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formats the figures of a run with explanations, so that all views show the same text for the same
// number.

#include <weft/run_figures.h>

#include <QString>
#include <string>
#include <vector>

namespace weft::ui {

/// Returns a text such as "2.83 ms", or an en dash if there is no number.
[[nodiscard]] QString stepTimeText(const RunFigures& figures);
[[nodiscard]] QString bestLossText(const RunFigures& figures);

/// Returns a sentence such as "Step 2.83 ms: the median of 120 training steps, ...", or an empty
/// text.
[[nodiscard]] QString stepTimeWords(const RunFigures& figures);
[[nodiscard]] QString bestLossWords(const RunFigures& figures);
/// Returns a text such as "Memory allocated: 1.2 GB on cpu:0", or an empty text. `devices`: device
/// names, indexed by DeviceId.
[[nodiscard]] QString memoryWords(const RunFigures& figures,
                                  const std::vector<std::string>& devices);

} // namespace weft::ui
