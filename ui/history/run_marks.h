// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a person says of a run: a note and a star, kept in the run's own folder (marks.json), so
// that they go where it goes.

#include <QString>

namespace weft::ui {

struct RunMarks {
    QString note = {};
    bool isStarred = false;
    bool operator==(const RunMarks&) const = default;
};

/// Nothing said where there is no file, or none that can be read.
[[nodiscard]] RunMarks readMarks(const QString& run);
/// Error{file} where the folder cannot be written.
void writeMarks(const QString& run, const RunMarks& marks);

} // namespace weft::ui
