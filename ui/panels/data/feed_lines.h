// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists which input each field of the data feeds, with unused fields, inputs without a field,
// mismatches, and fields that would match. Pure.

#include <weft/data_edits.h>

#include <QString>
#include <vector>

namespace weft::ui {

struct FeedLine {
    QString field;      ///< empty: the input has no field
    LayerId layer;      ///< invalid: the field is unused
    QString input;      ///< name of the input
    QString fieldShape; ///< an example of the field, such as "1×28×28 f32"; empty: unknown
    QString inputShape; ///< shape and type that the input takes
    FeedFit fit = FeedFit::fits;
    QString problem;  ///< description of a mismatch; empty: none
    QString fixText;  ///< text of the fix; empty: none
    QString fixField; ///< field that the fix chooses
    bool operator==(const FeedLine&) const = default;
};

/// Returns a line per input and per unused field. `source`: nullptr if it could not be read; then
/// fields are not checked.
[[nodiscard]] std::vector<FeedLine> feedLines(const std::vector<InputFeed>& feeds,
                                              const SampleSource* source);
/// Returns a text such as "1×28×28 f32" or "i32, 10 classes".
[[nodiscard]] QString exampleText(const SampleField& field);

} // namespace weft::ui
