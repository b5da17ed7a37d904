// SPDX-License-Identifier: Apache-2.0
#include "data/films/place_frame.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Along one dim: the start of the frame in the picture, and the frame indices that it covers.
struct Reach {
    std::int64_t first = 0; ///< picture index under frame index 0
    std::int64_t begin = 0; ///< frame indices
    std::int64_t end = 0;
};

std::int64_t firstOf(std::int64_t picture, std::int64_t frame, std::int64_t offset) {
    return (picture - frame) / 2 + offset;
}

/// Along one dim: the picture indices that the frame reaches under any shift.
struct Strip {
    std::int64_t begin = 0;
    std::int64_t size = 0;
    std::int64_t offset = 0; ///< distance of the frame's centre from the strip's
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

/// Converts colour to grey by the luma of ITU-R BT.601.
float sampleOf(const std::uint16_t* pixel, std::int64_t has, std::int64_t channels,
               std::int64_t channel) {
    if (channels == 1 && has == 3) {
        return 0.299F * pixel[0] + 0.587F * pixel[1] + 0.114F * pixel[2];
    }
    return pixel[has == 1 ? 0 : channel];
}

} // namespace

PictureForm scaledForm(const PictureForm& picture, const FrameForm& form) {
    if (form.isStretched) {
        return {.rows = form.rows, .columns = form.columns, .channels = picture.channels};
    }
    if (!form.isScaled) {
        return picture;
    }
    PictureForm scaled{.rows = form.rows, .columns = form.columns, .channels = picture.channels};
    const bool isTaller = picture.rows * form.columns > form.rows * picture.columns;
    const auto inProportion = [](std::int64_t size, std::int64_t to, std::int64_t from) {
        return std::max<std::int64_t>(1, (2 * size * to + from) / (2 * from));
    };
    if (isTaller == form.isPadded) {
        scaled.columns = inProportion(picture.columns, form.rows, picture.rows);
    } else {
        scaled.rows = inProportion(picture.rows, form.columns, picture.columns);
    }
    return scaled;
}

namespace {

/// The crop of a frame from a picture in both directions.
struct CutOut {
    PictureForm scaled;
    std::int64_t down = 0;
    std::int64_t right = 0;

    CutOut(const PictureForm& picture, const FrameForm& form)
        : scaled(scaledForm(picture, form)),
          down(firstOf(scaled.rows, form.rows, form.down)),
          right(firstOf(scaled.columns, form.columns, form.right)) {}

    [[nodiscard]] bool showsAny(const FrameForm& form) const {
        const auto meets = [](std::int64_t first, std::int64_t frame, std::int64_t size) {
            return first < size && first + frame > 0;
        };
        return meets(down, form.rows, scaled.rows) && meets(right, form.columns, scaled.columns);
    }
    [[nodiscard]] bool isFilled(const FrameForm& form) const {
        return down >= 0 && right >= 0 && down + form.rows <= scaled.rows &&
               right + form.columns <= scaled.columns;
    }
};

/// Returns the value of `fit` with which the picture suits the frame: "pad", or "contain" if the
/// form scales pictures; both fill the rest with zeros.
std::string mendingFit(const PictureForm& picture, FrameForm form) {
    form.isScaled = form.isScaled || form.isWhole;
    form.isPadded = true;
    form.isWhole = false;
    const char* fit = form.isScaled ? "contain" : "pad";
    return CutOut(picture, form).showsAny(form) ? fit : "";
}

std::string remedyOf(const std::string& fit, const FrameForm& form) {
    const bool isMoved = form.down != 0 || form.right != 0;
    if (form.isWhole) {
        const char* byHand = "size to the size of the frames";
        return fit.empty()
                   ? fmt::format("set {}", byHand)
                   : fmt::format(
                         "set fit to {}, or to cover, which scale all pictures to the first, or {}",
                         fit, byHand);
    }
    if (fit.empty()) {
        return "make offset smaller";
    }
    if (form.isScaled) {
        return fmt::format("set fit to {}, or make offset smaller", fit);
    }
    return fmt::format("set fit to {}, which pads pictures with zeros, or to cover, which enlarges "
                       "them, or make size{} smaller",
                       fit, isMoved ? " or offset" : "");
}

} // namespace

std::optional<FrameMismatch> frameMismatch(const PictureForm& picture, const FrameForm& form) {
    const CutOut cut(picture, form);
    FrameMismatch misfit;
    std::string problem;
    if (form.isWhole && (picture.rows != form.rows || picture.columns != form.columns)) {
        misfit.attribute = "size";
        problem = fmt::format("the first picture is {} x {}", form.rows, form.columns);
    } else if (!cut.showsAny(form)) {
        misfit.attribute = "offset";
        problem = "a frame at that offset contains no part of it";
    } else if (!form.isPadded && !cut.isFilled(form)) {
        misfit.attribute = "fit";
        problem = fmt::format("does not fill frames of {} x {}{}", form.rows, form.columns,
                              form.down == 0 && form.right == 0 ? "" : " at that offset");
    } else {
        return std::nullopt;
    }
    misfit.problem =
        fmt::format("is {} x {} pixels, and {}", picture.rows, picture.columns, problem);
    misfit.fit = misfit.attribute == "offset" ? "" : mendingFit(picture, form);
    misfit.remedy = remedyOf(misfit.fit, form);
    return misfit;
}

void ensureFits(const std::filesystem::path& path, const PictureForm& picture,
                const FrameForm& form) {
    if (const std::optional<FrameMismatch> misfit = frameMismatch(picture, form)) {
        throw Error(ErrorCode::format, {.file = path.string()}, misfit->problem, misfit->remedy);
    }
}

namespace {

/// Along one dim: the source pixels that a pixel of the scaled picture covers, with weights.
struct Covered {
    std::int64_t first = 0;
    std::vector<double> shares;
};

std::vector<Covered> coveredBy(const Strip& strip, std::int64_t picture, std::int64_t scaled) {
    std::vector<Covered> all;
    const double step = static_cast<double>(picture) / static_cast<double>(scaled);
    for (std::int64_t k = strip.begin; k < strip.begin + strip.size; ++k) {
        const double begin = static_cast<double>(k) * step;
        const double end = begin + step;
        Covered covered{.first = std::min(static_cast<std::int64_t>(begin), picture - 1),
                        .shares = {}};
        for (std::int64_t pixel = covered.first; pixel < picture; ++pixel) {
            const auto at = static_cast<double>(pixel);
            const double part = std::min(end, at + 1) - std::max(begin, at);
            if (part <= 0 && !covered.shares.empty()) {
                break;
            }
            covered.shares.push_back(std::max(part, 0.0) / step);
        }
        all.push_back(std::move(covered));
    }
    return all;
}

/// Scales rows and columns; each pixel is the mean of the source pixels it covers.
Still scaled(const Still& picture, const std::vector<Covered>& rows,
             const std::vector<Covered>& columns) {
    constexpr double finest = 65535; // precision of means between the picture's sample values
    const auto channels = static_cast<std::size_t>(picture.form.channels);
    Still made{.form = {static_cast<std::int64_t>(rows.size()),
                        static_cast<std::int64_t>(columns.size()), picture.form.channels},
               .most = static_cast<std::uint16_t>(finest),
               .samples = {}};
    made.samples.reserve(rows.size() * columns.size() * channels);
    std::vector<double> sums(columns.size() * channels);
    for (const Covered& row : rows) {
        std::ranges::fill(sums, 0);
        for (std::size_t k = 0; k < row.shares.size(); ++k) {
            const std::uint16_t* from =
                picture.samples.data() + (static_cast<std::size_t>(row.first) + k) *
                                             static_cast<std::size_t>(picture.form.columns) *
                                             channels;
            for (std::size_t column = 0; column < columns.size(); ++column) {
                const Covered& covered = columns[column];
                const std::uint16_t* pixel =
                    from + static_cast<std::size_t>(covered.first) * channels;
                for (std::size_t s = 0; s < covered.shares.size() * channels; ++s) {
                    sums[column * channels + s % channels] +=
                        row.shares[k] * covered.shares[s / channels] * pixel[s];
                }
            }
        }
        for (const double sum : sums) {
            const double sample = std::min(sum / picture.most, 1.0) * finest;
            made.samples.push_back(static_cast<std::uint16_t>(std::lround(sample)));
        }
    }
    return made;
}

Still cut(const Still& picture, const Strip& rows, const Strip& columns) {
    Still made{.form = {rows.size, columns.size, picture.form.channels},
               .most = picture.most,
               .samples = {}};
    const std::int64_t channels = picture.form.channels;
    made.samples.reserve(static_cast<std::size_t>(rows.size * columns.size * channels));
    for (std::int64_t row = rows.begin; row < rows.begin + rows.size; ++row) {
        const auto from =
            picture.samples.begin() + (row * picture.form.columns + columns.begin) * channels;
        made.samples.insert(made.samples.end(), from, from + columns.size * channels);
    }
    return made;
}

} // namespace

FrameCut cutFrame(const Still& picture, const FrameForm& form, std::int64_t jitter) {
    const PictureForm whole = scaledForm(picture.form, form);
    const Strip rows = stripOf(whole.rows, form.rows, form.down, jitter);
    const Strip columns = stripOf(whole.columns, form.columns, form.right, jitter);
    FrameCut made{.picture = {}, .down = rows.offset, .right = columns.offset};
    made.picture = whole == picture.form
                       ? cut(picture, rows, columns)
                       : scaled(picture, coveredBy(rows, picture.form.rows, whole.rows),
                                coveredBy(columns, picture.form.columns, whole.columns));
    return made;
}

void writeView(const FrameCut& cut, const FrameForm& form, const FrameView& view,
               std::span<float> x) {
    const Still& picture = cut.picture;
    const Reach down = reachOf(picture.form.rows, form.rows, cut.down, view.down, form.isPadded);
    const Reach right =
        reachOf(picture.form.columns, form.columns, cut.right, view.right, form.isPadded);
    const auto plane = static_cast<std::size_t>(form.rows * form.columns);
    const std::int64_t has = picture.form.channels;
    std::ranges::fill(x, form.background > 0 ? static_cast<float>(form.background * picture.most)
                                             : std::numeric_limits<float>::quiet_NaN());
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
