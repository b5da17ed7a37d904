// SPDX-License-Identifier: Apache-2.0
#pragma once
// Devices that a design declares and this machine does not have. They are planned from their data
// sheets, so that nothing is wrong with the design; it cannot be run here. Lives on the GUI thread.

#include "session/bench.h"

#include <QStringList>

namespace weft::ui {

/// Their names, in the design's order. Empty while the machine is not known, and where the design
/// is planned for another host.
[[nodiscard]] QStringList absentDevices(const Bench& bench, OpenDesign& design);
/// "cuda:0 and cuda:1 are not on this machine"; empty: none is absent.
[[nodiscard]] QString absentWords(const QStringList& devices);
/// Declares CPUs in the place of these devices; assignments follow.
Edited useCpus(Design& design, const QStringList& devices);

} // namespace weft::ui
