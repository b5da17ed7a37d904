// SPDX-License-Identifier: Apache-2.0
#pragma once
// The figures of a run as every view writes them, and the sentences that say what is meant: a
// number that two views show is one number in one form.

#include <weft/run_figures.h>

#include <QString>
#include <string>
#include <vector>

namespace weft::ui {

/// "2.83 ms", "0.312"; an en dash where there is none.
[[nodiscard]] QString stepTimeText(const RunFigures& figures);
[[nodiscard]] QString bestLossText(const RunFigures& figures);

/// "Step 2.83 ms: the median of 120 training steps, ...". Empty where there is nothing to say.
[[nodiscard]] QString stepTimeWords(const RunFigures& figures);
[[nodiscard]] QString bestLossWords(const RunFigures& figures);
/// `devices`: names by DeviceId.
[[nodiscard]] QString memoryWords(const RunFigures& figures,
                                  const std::vector<std::string>& devices);

} // namespace weft::ui
