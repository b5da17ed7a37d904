// SPDX-License-Identifier: Apache-2.0
#include "tensors/sparse_pictures.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr std::int64_t mostPictureSide = 256; ///< upper limit of a column's width

constexpr int mosaicTile = 48; ///< pixels of an atom's frame, if it has fewer numbers
constexpr int mosaicSpace = 2;
constexpr std::uint8_t mosaicGap = 255;

struct PlaneView {
    const float* numbers;
    std::int64_t channels, rows, columns;

    [[nodiscard]] double at(std::int64_t channel, std::int64_t row, std::int64_t column) const {
        return numbers[(channel * rows + row) * columns + column];
    }
    [[nodiscard]] double mean(std::int64_t row, std::int64_t column) const {
        double sum = 0;
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            sum += at(channel, row, column);
        }
        return sum / static_cast<double>(channels);
    }
};

int byteOf(double number, const PictureScale& scale) {
    const double span = scale.most - scale.least;
    if (!std::isfinite(number) || span <= 0) {
        return 128;
    }
    return static_cast<int>(std::lround(std::clamp((number - scale.least) / span, 0.0, 1.0) * 255));
}

QImage pictureOf(const PlaneView& plane, const PictureScale& scale) {
    const std::int64_t every = std::max<std::int64_t>(
        1, (std::max(plane.rows, plane.columns) + mostPictureSide - 1) / mostPictureSide);
    QImage image(static_cast<int>((plane.columns + every - 1) / every),
                 static_cast<int>((plane.rows + every - 1) / every), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const std::int64_t row = y * every;
            const std::int64_t column = x * every;
            if (plane.channels == 3) {
                line[x] = qRgb(byteOf(plane.at(0, row, column), scale),
                               byteOf(plane.at(1, row, column), scale),
                               byteOf(plane.at(2, row, column), scale));
            } else {
                const int grey = byteOf(plane.mean(row, column), scale);
                line[x] = qRgb(grey, grey, grey);
            }
        }
    }
    return image;
}

bool arePlayed(std::int64_t channels, std::int64_t frames) {
    return channels == frames || channels == 3 * frames;
}

template <class ScaleOf>
Reel planesOf(const TensorNumbers& tensor, std::int64_t wanted, const ScaleOf& scaleOfPlace) {
    if (tensor.shape.size() != 4 || tensor.numbers.empty()) {
        return {};
    }
    const std::int64_t frames = arePlayed(tensor.shape[1], wanted) ? wanted : 1;
    const std::int64_t channels = tensor.shape[1] / frames;
    const auto each = static_cast<std::size_t>(elementsOf(tensor.shape) / tensor.shape[0]);
    Reel reel(static_cast<std::size_t>(frames));
    for (std::int64_t place = 0; place < tensor.shape[0]; ++place) {
        const float* begin = tensor.numbers.data() + static_cast<std::size_t>(place) * each;
        const PictureScale scale = scaleOfPlace(begin, begin + each);
        for (std::vector<QImage>& frame : reel) {
            const PlaneView plane{begin, channels, tensor.shape[2], tensor.shape[3]};
            frame.push_back(pictureOf(plane, scale));
            begin += each / reel.size();
        }
    }
    return reel;
}

} // namespace

PictureScale scaleOf(const TensorNumbers& tensor) {
    double least = 0;
    double most = 0;
    for (const float number : tensor.numbers) {
        if (std::isfinite(number)) {
            least = std::min(least, static_cast<double>(number));
            most = std::max(most, static_cast<double>(number));
        }
    }
    if (least < 0) {
        most = std::max(most, -least);
        return {-most, most};
    }
    return {0, most};
}

Reel picturesOf(const TensorNumbers& tensor, const PictureScale& scale, std::int64_t frames) {
    return planesOf(tensor, frames, [&](const float*, const float*) { return scale; });
}

Reel atomPictures(const TensorNumbers& weight, std::int64_t frames) {
    return planesOf(weight, frames, [](const float* begin, const float* end) {
        double most = 0;
        for (const float* number = begin; number != end; ++number) {
            most = std::isfinite(*number) ? std::max(most, std::abs(double(*number))) : most;
        }
        return PictureScale{-most, most};
    });
}

Picture mosaicOf(const Reel& reel, const std::vector<std::int64_t>& order) {
    if (reel.empty() || reel.front().empty() || order.empty()) {
        return {1, 1, 1, {mosaicGap}};
    }
    const QSize one = reel.front().front().size();
    const int scale = std::max(1, mosaicTile / std::max(one.width(), one.height()));
    const QSize frame = one * scale;
    const QSize tile(frame.width() * static_cast<int>(reel.size()), frame.height());
    const auto count = static_cast<int>(order.size());
    const int across = std::clamp(
        static_cast<int>(std::ceil(std::sqrt(double(count) * tile.height() / tile.width()))), 1,
        count);
    const int down = (count + across - 1) / across;
    Picture picture{3,
                    down * (tile.height() + mosaicSpace) - mosaicSpace,
                    across * (tile.width() + mosaicSpace) - mosaicSpace,
                    {}};
    const std::int64_t each = picture.rows * picture.columns;
    picture.pixels.assign(static_cast<std::size_t>(3 * each), mosaicGap);
    for (int place = 0; place < count; ++place) {
        const auto which = static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
        const std::int64_t top = place / across * (tile.height() + mosaicSpace);
        const std::int64_t left = place % across * (tile.width() + mosaicSpace);
        for (int y = 0; y < tile.height(); ++y) {
            for (int x = 0; x < tile.width(); ++x) {
                const QImage& image = reel[static_cast<std::size_t>(x / frame.width())][which];
                const QRgb pixel = image.pixel(x % frame.width() / scale, y / scale);
                const std::int64_t at = (top + y) * picture.columns + left + x;
                picture.pixels[static_cast<std::size_t>(at)] =
                    static_cast<std::uint8_t>(qRed(pixel));
                picture.pixels[static_cast<std::size_t>(each + at)] =
                    static_cast<std::uint8_t>(qGreen(pixel));
                picture.pixels[static_cast<std::size_t>(2 * each + at)] =
                    static_cast<std::uint8_t>(qBlue(pixel));
            }
        }
    }
    return picture;
}

double residualAmplification(const PictureScale& input, const PictureScale& residual) {
    const double most = std::max(input.most, -input.least);
    const double left = std::max(residual.most, -residual.least);
    if (most <= 0 || left <= 0) {
        return 1;
    }
    const double unit = std::pow(10, std::floor(std::log10(most / left)) - 1);
    return std::floor(most / left / unit) * unit;
}

} // namespace weft::ui
