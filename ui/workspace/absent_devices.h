// SPDX-License-Identifier: Apache-2.0
#pragma once
// Devices that a design declares but this machine lacks. They are planned from their data sheets,
// so the design has no error, but cannot run here. Lives on the GUI thread.

#include "workspace/window_context.h"

#include <QStringList>

namespace weft::ui {

/// Returns their names in the design's order. Empty until the machine is known, or if the design is
/// planned for another host.
[[nodiscard]] QStringList absentDevices(const WindowContext& context, OpenDesign& design);
/// Returns a text such as "cuda:0 and cuda:1 are not on this machine"; empty if no device is
/// absent.
[[nodiscard]] QString absentText(const QStringList& devices);
/// Replaces these devices by CPUs in the declarations and assignments.
Edited replaceByCpus(Design& design, const QStringList& devices);

} // namespace weft::ui
