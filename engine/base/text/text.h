// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formats numbers and tables for people: amounts with three digits and a unit, durations, aligned
// columns.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Three digits with the best of units a thousand apart: 54.2 MB. Integers of the first unit stay
/// exact.
[[nodiscard]] std::string scaledAmount(double amount, std::span<const std::string_view> units);

/// "12.3 µs", "850 ms", "12.3 s", "2 min 05 s", "3 h 12 min", "2 d 4 h"
[[nodiscard]] std::string durationText(double seconds); ///< "2 min 05 s"

/// "0:42", "1:02:03": for progress lines, with a stable width.
[[nodiscard]] std::string clockText(double seconds); ///< "1:02:03"

[[nodiscard]] std::string countText(std::int64_t count); ///< "1,234,567"

/// Formats Unix time as UTC: "2024-05-01T12:00:00Z".
[[nodiscard]] std::string timestampText(std::int64_t unixSeconds); ///< "2024-05-01T12:00:00Z"

/// Terminal columns of a UTF-8 text (one per code point).
[[nodiscard]] std::size_t textWidth(std::string_view text); ///< in terminal columns

/// Returns the first `width` code points of a UTF-8 text.
[[nodiscard]] std::string_view firstColumns(std::string_view text, std::size_t width);

/// Cuts the text to `width` columns, ending in "..." if it is longer.
[[nodiscard]] std::string elided(std::string_view text, std::size_t width = 400); ///< ends in "..."

enum class Align { left, right };

/// A table with aligned columns whose widths follow the content.
class TextTable {
public:
    struct Column {
        std::string title; ///< text above the column
        Align align = Align::left;
    };

    explicit TextTable(std::vector<Column> columns);
    /// Missing cells are empty; surplus cells are a bug.
    void addRow(std::vector<std::string> cells);
    /// Returns the title line (unless all titles are empty) and the rows, each ending with a
    /// newline.
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace weft
