// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts examples of a data source for display: a picture, a line of text or some numbers, with a
// label. Pure; callable from any thread.

#include <weft/samples.h>

#include <QImage>
#include <QString>
#include <vector>

namespace weft::ui {

struct ShownSample {
    QImage picture; ///< null: `text` is shown instead
    QString text;
    QString label; ///< name or number of the class; empty: none
};

/// Converts examples for display. `frames`: number of successive frames in an example, of which the
/// first is shown.
[[nodiscard]] std::vector<ShownSample>
shownSamples(const SampleSource& source, const Samples& samples, std::int64_t frames = 1);
/// Returns the fields of an example: "images 1×28×28 f32 · labels i32, 10 classes".
[[nodiscard]] QString fieldsText(const SampleSource& source);

} // namespace weft::ui
