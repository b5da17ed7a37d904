// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"

#include <weft/error.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace weft {

std::string scaledAmount(double amount, std::span<const std::string_view> units) {
    const double size = std::abs(amount);
    if (size < 1000 && size == std::floor(size)) {
        return fmt::format("{:.0f} {}", amount, units.front());
    }
    double scale = 1;
    std::size_t unit = 0;
    // 999.6 is written as 1.00 of the next unit, so units change where three digits round up.
    while (unit + 1 < units.size() && size / scale >= 999.5) {
        scale *= 1000;
        ++unit;
    }
    const double shown = size / scale;
    const int decimals = shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", amount / scale, decimals, units[unit]);
}

std::string durationText(double seconds) {
    if (!std::isfinite(seconds)) {
        return "unknown";
    }
    if (seconds < 0) {
        return "-" + durationText(-seconds);
    }
    if (seconds < 59.95) {
        static constexpr std::array<std::string_view, 4> units{"ns", "µs", "ms", "s"};
        return scaledAmount(std::round(seconds * 1e9), units);
    }
    const auto whole = static_cast<std::int64_t>(std::llround(std::min(seconds, 9e15)));
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    const std::int64_t minutes = (whole + 30) / 60;
    if (minutes < 1440) {
        return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
    }
    const std::int64_t hours = (minutes + 30) / 60;
    return fmt::format("{} d {} h", hours / 24, hours % 24);
}

std::string clockText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) {
        return "-:--";
    }
    const auto whole = static_cast<std::int64_t>(std::llround(std::min(seconds, 9e15)));
    if (whole < 3600) {
        return fmt::format("{}:{:02}", whole / 60, whole % 60);
    }
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string countText(std::int64_t count) {
    std::string text = fmt::format("{}", count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t at = text.size(); at > first + 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

std::string timestampText(std::int64_t unixSeconds) {
    const auto time = static_cast<std::time_t>(unixSeconds);
    std::tm parts{};
    if (gmtime_r(&time, &parts) == nullptr) {
        return "unknown";
    }
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", parts);
}

std::size_t textWidth(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
    }));
}

std::string_view firstColumns(std::string_view text, std::size_t width) {
    std::size_t at = 0;
    while (at < text.size()) {
        const bool isBegin = (static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U;
        if (isBegin && width-- == 0) {
            break;
        }
        ++at;
    }
    return text.substr(0, at);
}

std::string elided(std::string_view text, std::size_t width) {
    const std::string_view kept = firstColumns(text, width);
    return kept.size() == text.size() ? std::string(text) : std::string(kept) + "...";
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::addRow(std::vector<std::string> cells) {
    ensure(cells.size() <= columns_.size(),
           "a row has at most as many cells as its table has columns");
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    std::vector<std::string> titles;
    bool titled = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        titles.push_back(columns_[c].title);
        titled = titled || !columns_[c].title.empty();
        widths.push_back(textWidth(columns_[c].title));
        for (const auto& row : rows_) {
            widths[c] = std::max(widths[c], textWidth(row[c]));
        }
    }
    std::string out;
    const auto addLine = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const std::string blanks(widths[c] - textWidth(cells[c]), ' ');
            line += c == 0 ? "" : "  ";
            line += columns_[c].align == Align::right ? blanks + cells[c] : cells[c] + blanks;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    };
    if (titled) {
        addLine(titles);
    }
    std::for_each(rows_.begin(), rows_.end(), addLine);
    return out;
}

} // namespace weft
