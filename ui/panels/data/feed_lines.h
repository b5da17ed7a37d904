// SPDX-License-Identifier: Apache-2.0
#pragma once
// What feeds what, line by line: each field of the data with the input layer that takes it, fields
// that nothing takes, inputs that nothing feeds; what does not fit, and the field that would. Pure.

#include <weft/data_edits.h>

#include <QString>
#include <vector>

namespace weft::ui {

struct FeedLine {
    QString field; ///< empty: nothing feeds the input
    LayerId layer; ///< none: nothing takes the field
    QString input;
    QString given; ///< "1×28×28 f32": an example of the field; empty: not known
    QString taken; ///< the same as the input takes it
    FeedFit fit = FeedFit::fits;
    QString problem;  ///< what does not fit, in words; empty: nothing
    QString mend;     ///< what one click does about it; empty: nothing
    QString mendWith; ///< the field that it feeds then
    bool operator==(const FeedLine&) const = default;
};

/// `source`: nullptr where it could not be read, of which nothing is said here.
[[nodiscard]] std::vector<FeedLine> feedLines(const std::vector<InputFeed>& feeds,
                                              const SampleSource* source);
/// "1×28×28 f32", "i32, 10 classes"
[[nodiscard]] QString exampleText(const SampleField& field);

} // namespace weft::ui
