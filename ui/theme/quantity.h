// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formats numbers for reading: three digits, SI prefix, narrow no-break space, and typographic
// minus, times and almost-equal signs. Decimal point and grouping follow the locale.

#include <weft/types.h>

#include <QString>

namespace weft::ui::quantity {

[[nodiscard]] inline double seconds(Nanoseconds time) {
    return static_cast<double>(time.count) / 1e9;
}

[[nodiscard]] QString bytes(double bytes);  ///< "6.29 MB"
[[nodiscard]] QString time(double seconds); ///< "0.57 ms", "2 min 43 s"
[[nodiscard]] inline QString time(Nanoseconds time) { return quantity::time(seconds(time)); }
[[nodiscard]] QString timeBand(double low, double high); ///< "44.0–51.2 ms", seconds
[[nodiscard]] QString predicted(const QString& number);  ///< "≈ 46.4 ms"
[[nodiscard]] QString count(double count);               ///< "9999", "16 612", "61.1 M"
[[nodiscard]] QString counted(double number, const QString& one,
                              const QString& many);                ///< "2 cores"
[[nodiscard]] QString number(double value, int digits = 3);        ///< "−0.912", "1.2e−05"
[[nodiscard]] QString percent(double share);                       ///< "12 %", "1.4 %"
[[nodiscard]] QString signedPercent(double share);                 ///< "+12 %", "−3.1 %"
[[nodiscard]] QString rate(double perSecond, const QString& what); ///< "1.20 k examples/s"
[[nodiscard]] QString flops(double flops);                         ///< "3.66 GFLOP"
/// Formats as "512×192×27×27" for nodes; the other form "[512, 9216]" is for sentences.
[[nodiscard]] QString shape(const Shape& shape);       ///< "512×192×27×27"
[[nodiscard]] QString shapeInText(const Shape& shape); ///< "[512, 9216]"
/// The text for a missing number: an en dash.
[[nodiscard]] QString none(); ///< an en dash

} // namespace weft::ui::quantity
