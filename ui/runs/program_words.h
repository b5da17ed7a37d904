// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of the process of a run, with the error that ended it if the run's log could not store
// it, for example on a full disk. Stored in the user's cache, so that a window opened later finds
// it too.

#include <QString>

namespace weft::ui {

/// Returns the folder for designs of waiting runs and for outputs of processes; creates it if
/// necessary.
[[nodiscard]] QString workFolder();
/// Returns the path, without suffix, of the files for one start of a run; `number` distinguishes
/// the starts of one window.
[[nodiscard]] QString workFileOf(const QString& run, int number);
/// Returns the last lines that a process printed, without its name.
[[nodiscard]] QString lastOutputLines(const QString& outputFile);
/// Returns the error that ended the newest process of a run; empty if there is no error or no
/// output. `since`: milliseconds since the epoch; ignores older output, which belongs to an earlier
/// attempt.
[[nodiscard]] QString errorOfProgram(const QString& run, qint64 since);

} // namespace weft::ui
