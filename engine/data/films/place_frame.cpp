// SPDX-License-Identifier: Apache-2.0
#include "data/films/place_frame.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Along one dim: where the frame begins in the picture, and which of its numbers that covers.
struct Reach {
    std::int64_t first = 0; ///< of the picture under the frame's number 0
    std::int64_t begin = 0; ///< of the frame's numbers
    std::int64_t end = 0;
};

std::int64_t firstOf(std::int64_t picture, std::int64_t frame, std::int64_t offset) {
    const std::int64_t spare = picture - frame;
    return (spare >= 0 ? spare / 2 : -((-spare) / 2)) + offset;
}

Reach reachOf(std::int64_t picture, std::int64_t frame, std::int64_t offset, std::int64_t shift,
              bool isPadded) {
    Reach reach{.first = firstOf(picture, frame, offset) + shift, .begin = 0, .end = frame};
    if (!isPadded) {
        reach.first = std::clamp<std::int64_t>(reach.first, 0, picture - frame);
    }
    reach.begin = std::clamp<std::int64_t>(-reach.first, 0, frame);
    reach.end = std::clamp<std::int64_t>(picture - reach.first, reach.begin, frame);
    return reach;
}

/// Luma as in ITU-R BT.601 where a grey number is asked of colours.
float sampleOf(const std::uint16_t* pixel, std::int64_t has, std::int64_t channels,
               std::int64_t channel) {
    if (channels == 1 && has == 3) {
        return 0.299F * pixel[0] + 0.587F * pixel[1] + 0.114F * pixel[2];
    }
    return pixel[has == 1 ? 0 : channel];
}

/// Calls `act(number of the frame)` for what the picture covers.
template <class Act>
void overCovered(const FrameForm& form, const Reach& down, const Reach& right,
                 const FrameView& view, const Act& act) {
    for (std::int64_t row = down.begin; row < down.end; ++row) {
        const std::int64_t toRow = view.isUpsideDown ? form.rows - 1 - row : row;
        for (std::int64_t column = right.begin; column < right.end; ++column) {
            const std::int64_t toColumn = view.isMirrored ? form.columns - 1 - column : column;
            act(row, column, static_cast<std::size_t>(toRow * form.columns + toColumn));
        }
    }
}

/// y = (x - mean) / deviation of all numbers for which `visit` calls.
template <class Visit>
void standardise(const Visit& visit) {
    double sum = 0;
    double squares = 0;
    std::int64_t count = 0;
    visit([&](float& x) {
        sum += x;
        ++count;
    });
    const double mean = count == 0 ? 0 : sum / static_cast<double>(count);
    visit([&](float& x) { squares += (x - mean) * (x - mean); });
    const double deviation = count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count));
    visit([&](float& x) {
        x = deviation > 1e-12 * std::abs(mean) ? static_cast<float>((x - mean) / deviation) : 0.0F;
    });
}

} // namespace

void ensureFits(const std::filesystem::path& path, const PictureForm& picture,
                const FrameForm& form) {
    if (form.isWhole && (picture.rows != form.rows || picture.columns != form.columns)) {
        throw Error(ErrorCode::format, {.file = path.string()},
                    fmt::format("is {} x {} pixels, and the first picture is {} x {}", picture.rows,
                                picture.columns, form.rows, form.columns),
                    "set size to what frames should have");
    }
    if (form.isPadded) {
        return;
    }
    const std::int64_t down = firstOf(picture.rows, form.rows, form.down);
    const std::int64_t right = firstOf(picture.columns, form.columns, form.right);
    if (down < 0 || right < 0 || down + form.rows > picture.rows ||
        right + form.columns > picture.columns) {
        throw Error(ErrorCode::format, {.file = path.string()},
                    fmt::format("is {} x {} pixels, and does not fill frames of {} x {}{}",
                                picture.rows, picture.columns, form.rows, form.columns,
                                form.down == 0 && form.right == 0 ? "" : " at that offset"),
                    "make size smaller, or set fit to pad");
    }
}

void placeFrame(const Still& picture, const FrameForm& form, const FrameView& view,
                std::span<float> x) {
    const Reach down = reachOf(picture.form.rows, form.rows, form.down, view.down, form.isPadded);
    const Reach right =
        reachOf(picture.form.columns, form.columns, form.right, view.right, form.isPadded);
    const auto plane = static_cast<std::size_t>(form.rows * form.columns);
    const std::int64_t has = picture.form.channels;
    const float scale = form.norm == FrameNorm::none ? 1.0F : 1.0F / picture.most;
    std::ranges::fill(x, 0.0F);
    overCovered(
        form, down, right, view, [&](std::int64_t row, std::int64_t column, std::size_t to) {
            const std::uint16_t* pixel =
                picture.samples.data() +
                static_cast<std::size_t>(
                    ((down.first + row) * picture.form.columns + right.first + column) * has);
            for (std::int64_t channel = 0; channel < form.channels; ++channel) {
                x[static_cast<std::size_t>(channel) * plane + to] =
                    scale * sampleOf(pixel, has, form.channels, channel);
            }
        });
    if (form.norm == FrameNorm::deviation) {
        standardise([&](const auto& act) {
            overCovered(form, down, right, view, [&](std::int64_t, std::int64_t, std::size_t to) {
                for (std::size_t at = to; at < x.size(); at += plane) {
                    act(x[at]);
                }
            });
        });
    }
}

void normaliseDeviation(std::span<float> x) {
    standardise([&](const auto& act) {
        for (float& each : x) {
            act(each);
        }
    });
}

} // namespace weft
