// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is said beside predicted numbers wherever they stand: whether they are those of the design
// as it is, of how much of it, and what memory is made of. Pure.

#include "document/checked_design.h"

#include <QString>

namespace weft::ui {

/// Words for numbers of an earlier revision.
[[nodiscard]] QString olderWords();
/// "of the part without errors, forward only"; empty: the whole design is planned, or nothing.
[[nodiscard]] QString partWords(const Preview& preview);

/// Bytes that the run takes of the device that gives most; 0: not known.
[[nodiscard]] double mostTaken(const Preview* withRun);
/// "The run takes 1.2 GB ... A training step holds ...": by a device's name, as far
/// as it is known.
[[nodiscard]] QString memoryWords(const CheckedDesign& known, const std::string& device);
[[nodiscard]] QString memoryWords(const DevicePreview& device, const RunPreview& run);

/// How often the sums of a layer travel, and are applied: "each step", "once in 3 updates".
[[nodiscard]] QString travelsOften(const SyncPreview& sync);
[[nodiscard]] QString appliedOften(const SyncPreview& sync);

} // namespace weft::ui
