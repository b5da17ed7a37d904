// SPDX-License-Identifier: Apache-2.0
#pragma once
// The user's note and star of a run, stored in the run's folder (marks.json), so that they are
// copied with the run.

#include <QString>

namespace weft::ui {

struct RunMarks {
    QString note = {};
    bool isStarred = false;
    bool operator==(const RunMarks&) const = default;
};

/// Returns empty marks if there is no readable file.
[[nodiscard]] RunMarks readMarks(const QString& run);
/// Throws Error{file} if the folder is not writable.
void writeMarks(const QString& run, const RunMarks& marks);

} // namespace weft::ui
