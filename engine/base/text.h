// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers and tables as people read them: amounts in three digits with their unit, durations,
// columns that line up.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Three digits and the unit that suits, a thousand apart: 54.2 MB. Whole numbers of the first unit
/// stay whole.
[[nodiscard]] std::string scaledAmount(double amount, std::span<const std::string_view> units);

/// "12.3 µs", "850 ms", "12.3 s", "2 min 05 s", "3 h 12 min", "2 d 4 h"
[[nodiscard]] std::string durationText(double seconds);

/// "0:42", "1:02:03": for a progress line, where the width should hold still.
[[nodiscard]] std::string clockText(double seconds);

/// "1,234,567"
[[nodiscard]] std::string countText(std::int64_t count);

/// Seconds of Unix time in UTC: "2024-05-01T12:00:00Z".
[[nodiscard]] std::string timestampText(std::int64_t unixSeconds);

/// How many columns of a terminal a UTF-8 text takes (one per code point).
[[nodiscard]] std::size_t textWidth(std::string_view text);

/// The first code points of a UTF-8 text.
[[nodiscard]] std::string_view firstColumns(std::string_view text, std::size_t width);

/// As it is up to so many columns; beyond, cut, with "..." for the rest.
[[nodiscard]] std::string elided(std::string_view text, std::size_t width = 400);

enum class Align { left, right };

/// Rows of text whose columns line up; the widths follow the content.
class TextTable {
public:
    struct Column {
        std::string title;
        Align align = Align::left;
    };

    explicit TextTable(std::vector<Column> columns);
    /// Missing cells are empty; too many are a bug.
    void addRow(std::vector<std::string> cells);
    /// Title line (left out when all titles are empty), then the rows; every line ends with a
    /// newline.
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace weft
