// SPDX-License-Identifier: Apache-2.0
#include "tryit/typical_picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

/// Supersampling: drawn pixels per pixel of the network's input.
constexpr int fineness = 8;
/// Pixels with more ink belong to the figure, others to its soft edge.
constexpr double inkBorder = 0.5;

/// A picture as ink per pixel, from 0 to 1.
struct Ink {
    int rows = 0;
    int columns = 0;
    std::vector<double> pixels;

    [[nodiscard]] double at(int row, int column) const {
        return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)];
    }
};

/// Size, line width and centre of the figure in one picture, measured as in TypicalPicture.
struct Figure {
    double extent = 0;
    double pen = 0;
    QPointF middle;
};

Figure figureIn(const Ink& ink) {
    double mass = 0;
    double edge = 0;
    QPointF sum;
    QRect box;
    for (int row = 0; row < ink.rows; ++row) {
        for (int column = 0; column < ink.columns; ++column) {
            const double here = ink.at(row, column);
            const double right = column + 1 < ink.columns ? ink.at(row, column + 1) : 0;
            const double below = row + 1 < ink.rows ? ink.at(row + 1, column) : 0;
            mass += here;
            edge += std::hypot(right - here, below - here);
            sum += here * QPointF(column + 0.5, row + 0.5);
            if (here >= inkBorder) {
                box |= QRect(column, row, 1, 1);
            }
        }
    }
    if (mass <= 0 || edge <= 0) {
        return {};
    }
    // A line has two edges: its width is its area divided by half of their length.
    return {double(std::max(box.width(), box.height())), 2 * mass / edge, sum / mass};
}

double median(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, half);
    return *half;
}

/// Returns the fraction of border pixels that are nearer to the largest number than to the
/// smallest.
double brightBorder(const std::vector<Ink>& pictures) {
    double bright = 0;
    double count = 0;
    for (const Ink& ink : pictures) {
        for (int row = 0; row < ink.rows; ++row) {
            const bool isRim = row == 0 || row + 1 == ink.rows;
            for (int column = 0; column < ink.columns;
                 column += isRim ? 1 : std::max(1, ink.columns - 1)) {
                bright += ink.at(row, column) > 0.5 ? 1 : 0;
                ++count;
            }
        }
    }
    return count > 0 ? bright / count : 0;
}

/// Averages the channels and scales from the smallest number of all pictures to the largest.
std::vector<Ink> inksOf(const TensorNumbers& examples, int channels, int rows, int columns) {
    const auto [least, most] = std::ranges::minmax(examples.numbers);
    const double range = std::max(1e-9, double(most) - double(least));
    const auto plane = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    std::vector<Ink> pictures(examples.numbers.size() /
                                  (plane * static_cast<std::size_t>(channels)),
                              Ink{rows, columns, std::vector<double>(plane, 0.0)});
    for (std::size_t i = 0; i < pictures.size() * plane * static_cast<std::size_t>(channels); ++i) {
        const std::size_t picture = i / (plane * static_cast<std::size_t>(channels));
        pictures[picture].pixels[i % plane] +=
            (double(examples.numbers[i]) - double(least)) / (range * channels);
    }
    return pictures;
}

QRectF boundsOf(const Strokes& strokes) {
    QRectF bounds;
    bool isFirst = true;
    for (const QPolygonF& stroke : strokes) {
        for (const QPointF& point : stroke) {
            // QRectF::united ignores empty boxes, but a single point counts too.
            bounds = isFirst ? QRectF(point, point)
                             : QRectF(QPointF(std::min(bounds.left(), point.x()),
                                              std::min(bounds.top(), point.y())),
                                      QPointF(std::max(bounds.right(), point.x()),
                                              std::max(bounds.bottom(), point.y())));
            isFirst = false;
        }
    }
    return bounds;
}

/// Draws in 1 on 0 with `fineness` pixels per pixel of the network, independent of the theme.
QImage penned(const TypicalPicture& typical, const Strokes& strokes, const QTransform& toPixels,
              double width) {
    QImage image(typical.columns * fineness, typical.rows * fineness, QImage::Format_Grayscale8);
    image.fill(0);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(fineness, fineness);
    painter.setPen(
        QPen(QColor::fromRgbF(1, 1, 1), width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF& stroke : strokes) {
        const QPolygonF line = toPixels.map(stroke);
        if (line.size() == 1) {
            painter.drawPoint(line.front());
        } else {
            painter.drawPolyline(line);
        }
    }
    return image;
}

Ink inkOf(const QImage& grey) {
    Ink ink{grey.height(), grey.width(), {}};
    for (int row = 0; row < ink.rows; ++row) {
        const uchar* line = grey.constScanLine(row);
        std::transform(line, line + ink.columns, std::back_inserter(ink.pixels),
                       [](uchar value) { return value / 255.0; });
    }
    return ink;
}

QImage shrunk(const QImage& fine, const TypicalPicture& typical) {
    return fine
        .scaled(typical.columns, typical.rows, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_Grayscale8);
}

} // namespace

TypicalPicture mnistPicture(int channels, int rows, int columns) {
    TypicalPicture typical;
    const double scale = double(std::min(rows, columns)) / typical.rows;
    typical.rows = rows;
    typical.columns = columns;
    typical.channels = channels;
    typical.extent *= scale;
    typical.pen *= scale;
    typical.middle = {columns / 2.0, rows / 2.0};
    return typical;
}

TypicalPicture typicalPictureOf(const TensorNumbers& examples) {
    const std::size_t dims = examples.shape.size();
    const int channels = dims == 4 ? static_cast<int>(examples.shape[1]) : 1;
    TypicalPicture typical = mnistPicture(channels, static_cast<int>(examples.shape[dims - 2]),
                                          static_cast<int>(examples.shape[dims - 1]));
    if (examples.numbers.empty()) {
        return typical;
    }
    std::vector<Ink> pictures = inksOf(examples, channels, typical.rows, typical.columns);
    // The border shows the background.
    const double border = brightBorder(pictures);
    constexpr double evenGround = 0.05;
    typical.isInkDark = border > 1 - evenGround;
    typical.areFigures = typical.isInkDark || border < evenGround;
    std::vector<double> extents;
    std::vector<double> pens;
    std::vector<double> across;
    std::vector<double> down;
    for (Ink& ink : pictures) {
        if (typical.isInkDark) {
            std::ranges::transform(ink.pixels, ink.pixels.begin(), [](double x) { return 1 - x; });
        }
        if (const Figure figure = figureIn(ink); figure.extent > 0) {
            extents.push_back(figure.extent);
            pens.push_back(figure.pen);
            across.push_back(figure.middle.x());
            down.push_back(figure.middle.y());
        }
    }
    // Pictures with thick ink are not drawn figures.
    typical.areFigures = typical.areFigures && !extents.empty() &&
                         median(pens) < 0.3 * std::min(typical.rows, typical.columns);
    if (typical.areFigures) {
        typical.extent = median(extents);
        typical.pen = median(pens);
        typical.middle = {median(across), median(down)};
    }
    return typical;
}

QImage drawAs(const TypicalPicture& typical, const Strokes& strokes) {
    QTransform toPixels = QTransform::fromScale(typical.columns, typical.rows);
    double pen = typical.pen;
    QImage picture;
    if (typical.areFigures && !strokes.empty()) {
        // Draws, measures the result like the examples, and draws again with the deviation
        // corrected.
        double extent = typical.extent;
        QPointF middle = typical.middle;
        constexpr int rounds = 4;
        for (int round = 0; round < rounds; ++round) {
            const QRectF bounds = boundsOf(strokes);
            const double longer =
                std::max(bounds.width() * typical.columns, bounds.height() * typical.rows);
            const double scale = std::max(1.0, extent - pen) / std::max(longer, 1e-3);
            // A dot is not enlarged.
            const double grown = longer < 0.5 ? 1 : scale;
            toPixels = QTransform::fromTranslate(-bounds.center().x(), -bounds.center().y()) *
                       QTransform::fromScale(grown * typical.columns, grown * typical.rows) *
                       QTransform::fromTranslate(middle.x(), middle.y());
            picture = shrunk(penned(typical, strokes, toPixels, pen), typical);
            const Figure figure = figureIn(inkOf(picture));
            if (figure.extent <= 0) {
                break;
            }
            middle += typical.middle - figure.middle;
            extent += typical.extent - figure.extent;
            pen = std::clamp(pen * typical.pen / figure.pen, 0.5 * typical.pen, 2 * typical.pen);
        }
    } else {
        picture = shrunk(penned(typical, strokes, toPixels, pen), typical);
    }
    if (typical.isInkDark) {
        picture.invertPixels();
    }
    return typical.channels == 1 ? picture : picture.convertToFormat(QImage::Format_RGB888);
}

} // namespace weft::ui
