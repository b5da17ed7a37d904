// SPDX-License-Identifier: Apache-2.0
#pragma once
// Texts beside predicted numbers: whether they belong to an earlier revision or to a part of the
// design, and the breakdown of memory. Pure.

#include "document/checked_design.h"

#include <QString>

namespace weft::ui {

[[nodiscard]] QString olderNote(); ///< for numbers of an earlier revision
/// Returns "of the part without errors, forward only"; empty if the whole design is planned, or
/// nothing.
[[nodiscard]] QString
partialPlanNote(const Preview& preview); ///< empty: all is planned, or nothing

[[nodiscard]] double peakRunBytes(const Preview* withRun); ///< most bytes on one device; 0: unknown
/// Returns the memory breakdown of a device, as far as it is known: "The run needs 1.2 GB ... A
/// training step needs ...".
[[nodiscard]] QString memoryText(const CheckedDesign& known, const std::string& device);
[[nodiscard]] QString memoryText(const DevicePreview& device, const RunPreview& run);

/// Returns how often the sums of a layer's gradients are reduced and applied: "each step", "once in
/// 3 updates".
[[nodiscard]] QString reduceIntervalText(const SyncPreview& sync); ///< such as "once in 3 steps"
[[nodiscard]] QString applyIntervalText(const SyncPreview& sync);  ///< such as "once in 3 updates"

} // namespace weft::ui
