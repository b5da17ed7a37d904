// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensors/sparse_pictures.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr std::int64_t mostPictureSide = 256; ///< no column is wider

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

template <class ScaleOf>
std::vector<QImage> planesOf(const TensorNumbers& tensor, const ScaleOf& scaleOfPlane) {
    std::vector<QImage> pictures;
    if (tensor.shape.size() != 4 || tensor.numbers.empty()) {
        return pictures;
    }
    const auto each = static_cast<std::size_t>(elementsOf(tensor.shape) / tensor.shape[0]);
    for (std::int64_t place = 0; place < tensor.shape[0]; ++place) {
        const float* begin = tensor.numbers.data() + static_cast<std::size_t>(place) * each;
        const PlaneView plane{begin, tensor.shape[1], tensor.shape[2], tensor.shape[3]};
        pictures.push_back(pictureOf(plane, scaleOfPlane(begin, begin + each)));
    }
    return pictures;
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

std::vector<QImage> picturesOf(const TensorNumbers& tensor, const PictureScale& scale) {
    return planesOf(tensor, [&](const float*, const float*) { return scale; });
}

std::vector<QImage> atomPictures(const TensorNumbers& weight) {
    return planesOf(weight, [](const float* begin, const float* end) {
        double most = 0;
        for (const float* number = begin; number != end; ++number) {
            most = std::isfinite(*number) ? std::max(most, std::abs(double(*number))) : most;
        }
        return PictureScale{-most, most};
    });
}

double gainOf(const PictureScale& input, const PictureScale& residual) {
    const double most = std::max(input.most, -input.least);
    const double left = std::max(residual.most, -residual.least);
    if (most <= 0 || left <= 0) {
        return 1;
    }
    const double unit = std::pow(10, std::floor(std::log10(most / left)) - 1);
    return std::floor(most / left / unit) * unit;
}

} // namespace weft::ui
