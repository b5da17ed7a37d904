// SPDX-License-Identifier: Apache-2.0
#pragma once
// Examples of a data source as people look at them: a picture, a line of text or some numbers, and
// what it is called. Pure, for any thread.

#include <weft/samples.h>

#include <QImage>
#include <QString>
#include <vector>

namespace weft::ui {

struct ShownSample {
    QImage picture; ///< null: `text` stands for it
    QString text;
    QString label; ///< the class's name or number; empty: it has none
};

/// `frames`: successive ones that make an example, of which the first is shown.
[[nodiscard]] std::vector<ShownSample>
shownSamples(const SampleSource& source, const Samples& samples, std::int64_t frames = 1);
/// "images 1×28×28 f32 · labels i32, 10 classes": what an example is made of.
[[nodiscard]] QString fieldsOf(const SampleSource& source);

} // namespace weft::ui
