// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the program that trained a run wrote to its own output: why it gave up where its log could
// not take that any more, as on a full disk. Kept among this user's cached files, so that a window
// that is opened later finds it too.

#include <QString>

namespace weft::ui {

/// The folder for designs that wait for their run and for outputs of programs; made where it is
/// not there.
[[nodiscard]] QString workFolder();
/// Path without ending for the files of one start of a run; `number` tells starts of one window
/// apart.
[[nodiscard]] QString workFileOf(const QString& run, int number);
/// The last lines that a program said, without its name.
[[nodiscard]] QString lastWordsIn(const QString& output);
/// The error with which the program of a run gave up, of its newest start; empty where it said
/// none, or its output is not there. `since`: milliseconds since the epoch; what was written before
/// is of an earlier attempt.
[[nodiscard]] QString errorOfProgram(const QString& run, qint64 since);

} // namespace weft::ui
