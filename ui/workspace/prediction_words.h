// SPDX-License-Identifier: Apache-2.0
#pragma once
// Texts beside predicted numbers: whether they belong to an earlier revision or to a part of the
// design, and the breakdown of memory. Pure.

#include "document/checked_design.h"

#include <QString>

namespace weft::ui {

/// Returns the note for numbers of an earlier revision.
[[nodiscard]] QString olderWords();
/// Returns "of the part without errors, forward only"; empty if the whole design is planned, or
/// nothing.
[[nodiscard]] QString partWords(const Preview& preview);

/// Returns the bytes that the run needs on the device where it needs most; 0: unknown.
[[nodiscard]] double mostTaken(const Preview* withRun);
/// Returns the memory breakdown of a device, as far as it is known: "The run needs 1.2 GB ... A
/// training step needs ...".
[[nodiscard]] QString memoryWords(const CheckedDesign& known, const std::string& device);
[[nodiscard]] QString memoryWords(const DevicePreview& device, const RunPreview& run);

/// Returns how often the sums of a layer's gradients are reduced and applied: "each step", "once in
/// 3 updates".
[[nodiscard]] QString travelsOften(const SyncPreview& sync);
[[nodiscard]] QString appliedOften(const SyncPreview& sync);

} // namespace weft::ui
