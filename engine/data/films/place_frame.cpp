// SPDX-License-Identifier: Apache-2.0
#include "data/films/place_frame.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft {

namespace {

/// Along one dim: where the frame begins in the picture, and which of its numbers that covers.
struct Reach {
    std::int64_t first = 0; ///< of the picture under the frame's number 0
    std::int64_t begin = 0; ///< of the frame's numbers
    std::int64_t end = 0;
};

std::int64_t firstOf(std::int64_t picture, std::int64_t frame, std::int64_t offset) {
    return (picture - frame) / 2 + offset;
}

/// Along one dim: the numbers that a frame reaches in a picture, shifted either way.
struct Strip {
    std::int64_t begin = 0;
    std::int64_t size = 0;
    std::int64_t offset = 0; ///< of the frame's middle from the strip's
};

Strip stripOf(std::int64_t picture, std::int64_t frame, std::int64_t offset, std::int64_t jitter) {
    const std::int64_t first = firstOf(picture, frame, offset);
    Strip strip;
    strip.begin = std::clamp<std::int64_t>(first - jitter, 0, picture - 1);
    const std::int64_t end =
        std::clamp<std::int64_t>(first + frame + jitter, strip.begin + 1, picture);
    strip.size = end - strip.begin;
    strip.offset = first - strip.begin - firstOf(strip.size, frame, 0);
    return strip;
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

} // namespace

void ensureFits(const std::filesystem::path& path, const PictureForm& picture,
                const FrameForm& form) {
    if (form.isWhole && (picture.rows != form.rows || picture.columns != form.columns)) {
        throw Error(ErrorCode::format, {.file = path.string()},
                    fmt::format("is {} x {} pixels, and the first picture is {} x {}", picture.rows,
                                picture.columns, form.rows, form.columns),
                    "set size to what frames should have");
    }
    const std::int64_t down = firstOf(picture.rows, form.rows, form.down);
    const std::int64_t right = firstOf(picture.columns, form.columns, form.right);
    if (form.isPadded) {
        const auto misses = [](std::int64_t first, std::int64_t frame, std::int64_t size) {
            return first >= size || first + frame <= 0;
        };
        if (misses(down, form.rows, picture.rows) || misses(right, form.columns, picture.columns)) {
            throw Error(ErrorCode::format, {.file = path.string()},
                        fmt::format("is {} x {} pixels, and frames at that offset show nothing of "
                                    "it",
                                    picture.rows, picture.columns),
                        "make offset smaller");
        }
        return;
    }
    if (down < 0 || right < 0 || down + form.rows > picture.rows ||
        right + form.columns > picture.columns) {
        throw Error(ErrorCode::format, {.file = path.string()},
                    fmt::format("is {} x {} pixels, and does not fill frames of {} x {}{}",
                                picture.rows, picture.columns, form.rows, form.columns,
                                form.down == 0 && form.right == 0 ? "" : " at that offset"),
                    form.down == 0 && form.right == 0
                        ? "make size smaller, or set fit to pad"
                        : "make offset or size smaller, or set fit to pad");
    }
}

FrameCut cutFrame(const Still& picture, const FrameForm& form, std::int64_t jitter) {
    const Strip rows = stripOf(picture.form.rows, form.rows, form.down, jitter);
    const Strip columns = stripOf(picture.form.columns, form.columns, form.right, jitter);
    FrameCut cut{
        .picture = {.form = {rows.size, columns.size, picture.form.channels}, .most = picture.most},
        .down = rows.offset,
        .right = columns.offset};
    const std::int64_t channels = picture.form.channels;
    cut.picture.samples.reserve(static_cast<std::size_t>(rows.size * columns.size * channels));
    for (std::int64_t row = rows.begin; row < rows.begin + rows.size; ++row) {
        const auto from =
            picture.samples.begin() + (row * picture.form.columns + columns.begin) * channels;
        cut.picture.samples.insert(cut.picture.samples.end(), from, from + columns.size * channels);
    }
    return cut;
}

void placeFrame(const FrameCut& cut, const FrameForm& form, const FrameView& view,
                std::span<float> x) {
    const Still& picture = cut.picture;
    const Reach down = reachOf(picture.form.rows, form.rows, cut.down, view.down, form.isPadded);
    const Reach right =
        reachOf(picture.form.columns, form.columns, cut.right, view.right, form.isPadded);
    const auto plane = static_cast<std::size_t>(form.rows * form.columns);
    const std::int64_t has = picture.form.channels;
    std::ranges::fill(x, std::numeric_limits<float>::quiet_NaN());
    for (std::int64_t row = down.begin; row < down.end; ++row) {
        const std::int64_t toRow = view.isUpsideDown ? form.rows - 1 - row : row;
        for (std::int64_t column = right.begin; column < right.end; ++column) {
            const std::int64_t toColumn = view.isMirrored ? form.columns - 1 - column : column;
            const std::uint16_t* pixel =
                picture.samples.data() +
                static_cast<std::size_t>(
                    ((down.first + row) * picture.form.columns + right.first + column) * has);
            for (std::int64_t channel = 0; channel < form.channels; ++channel) {
                x[static_cast<std::size_t>(channel) * plane +
                  static_cast<std::size_t>(toRow * form.columns + toColumn)] =
                    sampleOf(pixel, has, form.channels, channel);
            }
        }
    }
    normaliseFrame(x, form.norm, picture.most);
}

} // namespace weft
