// SPDX-License-Identifier: Apache-2.0
#include <weft/pictures.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace weft {

namespace {

using Colour = std::array<std::uint8_t, 3>;

/// Distinguishable with red-green colour blindness (Okabe and Ito 2008).
constexpr std::array<Colour, 6> colours = {
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}}};

struct Extent {
    double left = 0;
    double right = 1;
    double low = 0;
    double high = 1;
};

Extent extentOf(const std::vector<MetricSeries>& all) {
    Extent extent;
    bool isFirst = true;
    for (const MetricSeries& series : all) {
        for (std::size_t k = 0; k < series.values.size(); ++k) {
            if (!std::isfinite(series.values[k])) {
                continue;
            }
            const auto step = static_cast<double>(series.steps[k]);
            extent.left = isFirst ? step : std::min(extent.left, step);
            extent.right = isFirst ? step : std::max(extent.right, step);
            extent.low = isFirst ? series.values[k] : std::min(extent.low, series.values[k]);
            extent.high = isFirst ? series.values[k] : std::max(extent.high, series.values[k]);
            isFirst = false;
        }
    }
    extent.right = std::max(extent.right, extent.left + 1);
    extent.high = extent.high > extent.low ? extent.high : extent.low + 1;
    return extent;
}

struct Pixel {
    std::int64_t row = 0;
    std::int64_t column = 0;
};

Pixel pixelOf(const Extent& extent, std::int64_t step, double value, std::int64_t rows,
              std::int64_t columns) {
    const double x = (static_cast<double>(step) - extent.left) / (extent.right - extent.left);
    const double y = (value - extent.low) / (extent.high - extent.low);
    return {std::lround((1 - y) * static_cast<double>(rows - 1)),
            std::lround(x * static_cast<double>(columns - 1))};
}

void dot(Picture& picture, Pixel at, const Colour& colour) {
    for (std::int64_t channel = 0; channel < 3; ++channel) {
        picture.pixels[static_cast<std::size_t>(
            (channel * picture.rows + at.row) * picture.columns + at.column)] =
            colour[static_cast<std::size_t>(channel)];
    }
}

void line(Picture& picture, Pixel from, Pixel to, const Colour& colour) {
    const auto steps =
        std::max<std::int64_t>({1, std::abs(to.row - from.row), std::abs(to.column - from.column)});
    for (std::int64_t k = 0; k <= steps; ++k) {
        dot(picture,
            {from.row + (to.row - from.row) * k / steps,
             from.column + (to.column - from.column) * k / steps},
            colour);
    }
}

} // namespace

Picture curves(const std::vector<MetricSeries>& series, std::int64_t rows, std::int64_t columns) {
    Picture picture{3, rows, columns,
                    std::vector<std::uint8_t>(static_cast<std::size_t>(3 * rows * columns), 255)};
    const Extent extent = extentOf(series);
    for (std::size_t s = 0; s < series.size(); ++s) {
        const Colour& colour = colours[s % colours.size()];
        bool hasBefore = false;
        Pixel before;
        for (std::size_t k = 0; k < series[s].values.size(); ++k) {
            if (!std::isfinite(series[s].values[k])) {
                hasBefore = false;
                continue;
            }
            const Pixel at =
                pixelOf(extent, series[s].steps[k], series[s].values[k], rows, columns);
            line(picture, hasBefore ? before : at, at, colour);
            before = at;
            hasBefore = true;
        }
    }
    return picture;
}

std::string curveText(const MetricSeries& series, int rows, int columns) {
    const Extent extent = extentOf({series});
    std::vector<std::string> lines(static_cast<std::size_t>(rows),
                                   std::string(static_cast<std::size_t>(columns), ' '));
    for (std::size_t k = 0; k < series.values.size(); ++k) {
        if (std::isfinite(series.values[k])) {
            const Pixel at = pixelOf(extent, series.steps[k], series.values[k], rows, columns);
            lines[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)] = '*';
        }
    }
    std::string text =
        series.metric.name + (series.split == Split::evaluate ? " (evaluation)\n" : "\n");
    for (int row = 0; row < rows; ++row) {
        const std::string label = row == 0          ? fmt::format("{:.4g}", extent.high)
                                  : row == rows - 1 ? fmt::format("{:.4g}", extent.low)
                                                    : std::string();
        std::string& drawn = lines[static_cast<std::size_t>(row)];
        drawn.erase(drawn.find_last_not_of(' ') + 1);
        text += fmt::format("{:>10} |{}\n", label, drawn);
    }
    text += fmt::format("{:>10} +{}\n", "", std::string(static_cast<std::size_t>(columns), '-'));
    const std::string last = fmt::format("{:.0f}", extent.right);
    text += fmt::format("{:>12}{:<{}}{}\n", "", fmt::format("{:.0f}", extent.left),
                        columns - static_cast<int>(last.size()), last);
    return text;
}

} // namespace weft
