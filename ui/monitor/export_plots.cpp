// SPDX-License-Identifier: Apache-2.0
#include "monitor/export_plots.h"

#include <weft/error.h>
#include <weft/output_file.h>

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <charconv>
#include <limits>

namespace weft::ui {

namespace {

constexpr double imageRatio = 2;

QByteArray pngOf(const std::vector<ExportedPlot>& plots, const QSize& size, const Theme& theme) {
    QImage all(size * imageRatio, QImage::Format_RGB32);
    all.setDevicePixelRatio(imageRatio);
    all.fill(theme.surface.dock);
    QPainter painter(&all);
    for (const ExportedPlot& plot : plots) {
        QImage one(plot.place.size() * imageRatio, QImage::Format_RGB32);
        one.setDevicePixelRatio(imageRatio);
        drawPixels(one, plot.place.size(), *plot.picture, theme);
        painter.drawImage(plot.place.topLeft(), one);
    }
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    all.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(const std::vector<ExportedPlot>& plots, const QSize& size, const Theme& theme) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(plots.empty() ? QString() : plots.front().picture->title);
    QPainter painter(&generator);
    for (const ExportedPlot& plot : plots) {
        painter.save();
        painter.translate(plot.place.topLeft());
        drawLines(painter, plot.place.size(), *plot.picture, theme);
        painter.restore();
    }
    painter.end();
    return bytes;
}

/// Returns the shortest text that parses to the same number.
QByteArray numberText(double value) {
    char text[32];
    const auto [end, fault] = std::to_chars(text, text + sizeof text, value);
    return {text, end - text};
}

QByteArray quoted(const QString& text) {
    QString inside = text;
    return '"' + inside.replace('"', QStringLiteral("\"\"")).toUtf8() + '"';
}

} // namespace

QByteArray csvOf(const std::vector<DrawnCurve>& curves) {
    QByteArray csv("step,epoch,seconds");
    std::vector<std::size_t> next(curves.size(), 0);
    for (const DrawnCurve& curve : curves) {
        csv += ',' + quoted(curve.name);
    }
    csv += '\n';
    while (true) {
        std::int64_t step = std::numeric_limits<std::int64_t>::max();
        const DrawnCurve* first = nullptr;
        std::size_t at = 0;
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const Series& series = *curves[i].series;
            if (next[i] < series.size() && series.step(next[i]) < step) {
                step = series.step(next[i]);
                first = &curves[i];
                at = next[i];
            }
        }
        if (first == nullptr) {
            return csv;
        }
        csv += QByteArray::number(static_cast<qlonglong>(step)) + ',' +
               numberText(first->series->x(XAxis::epoch, at)) + ',' +
               numberText(first->series->x(XAxis::time, at));
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const Series& series = *curves[i].series;
            csv += ',';
            if (next[i] < series.size() && series.step(next[i]) == step) {
                csv += numberText(series.values().at(next[i]++));
            }
        }
        csv += '\n';
    }
}

void exportPlots(const std::vector<ExportedPlot>& plots, const QSize& size, const Theme& theme,
                 const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("png")) {
        bytes = pngOf(plots, size, theme);
    } else if (ending == QLatin1String("svg")) {
        bytes = svgOf(plots, size, theme);
    } else if (ending == QLatin1String("csv")) {
        std::vector<DrawnCurve> all;
        for (const ExportedPlot& plot : plots) {
            for (DrawnCurve curve : plot.picture->curves) {
                curve.name = plot.picture->title + ' ' + curve.name;
                all.push_back(curve);
            }
        }
        bytes = csvOf(all);
    } else {
        throw Error(ErrorCode::usage, Where{.file = file.toStdString()},
                    "the suffix names no known format", "choose .png, .svg or .csv");
    }
    writeOutput(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace weft::ui
