// SPDX-License-Identifier: Apache-2.0
#include "shell/export_picture.h"

#include "shell/main_window.h"
#include <weft/error.h>
#include <weft/output_file.h>

#include <QBuffer>
#include <QFileDialog>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace weft::ui {

namespace {

constexpr double margin = 24;
constexpr double mostPixels = 16000; ///< longest side of a PNG

void paintAll(CanvasPage& page, QPainter& painter, const Viewport& viewport, QSize pixels) {
    CanvasPainter canvas;
    CanvasView& view = page.view();
    // The picture includes the run's data on the layers, but no interaction state.
    CanvasState state;
    state.measured = view.state().measured;
    state.longest = view.state().longest;
    const QRect whole({}, pixels);
    canvas.paint(painter, view.list(), viewport, state, view.theme(), whole);
    view.live().drawLiveData(painter, whole, {view.list(), viewport, state, view.theme()});
}

/// Returns the file's content in the format of its suffix; empty if memory runs out.
QByteArray pictureOf(CanvasPage& page, const QString& file) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QRectF area = page.view().list().bounds().adjusted(-margin, -margin, margin, margin);
    Viewport at;
    at.origin = area.topLeft();
    const QSize size = area.size().toSize();
    if (file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(size);
        svg.setViewBox(QRect({}, size));
        svg.setTitle(page.design().document().title());
        QPainter painter(&svg);
        paintAll(page, painter, at, size);
        painter.end();
        return bytes;
    }
    if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        QPdfWriter pdf(&buffer);
        constexpr int dotsPerInch = 96;
        constexpr double pointsPerInch = 72;
        pdf.setPageMargins({});
        pdf.setPageSize(QPageSize(QSizeF(size) * pointsPerInch / dotsPerInch, QPageSize::Point, {},
                                  QPageSize::ExactMatch));
        pdf.setResolution(dotsPerInch);
        QPainter painter(&pdf);
        paintAll(page, painter, at, size);
        painter.end();
        return bytes;
    }
    at.ratio = std::min(2.0, mostPixels / std::max(size.width(), size.height()));
    QImage image((QSizeF(size) * at.ratio).toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    paintAll(page, painter, at, image.size());
    painter.end();
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

void savePictureOf(CanvasPage& page, const QString& file) {
    const QByteArray bytes = pictureOf(page, file);
    if (bytes.isEmpty()) {
        throw Error(ErrorCode::memory, Where{.file = file.toStdString()},
                    "the picture cannot be painted", "free some memory, or draw less");
    }
    writeOutput(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

void savePictureOf(MainWindow& window) {
    CanvasPage* page = window.page();
    if (page == nullptr || page->view().list().nodes.empty()) {
        return;
    }
    QString chosen;
    QString file = QFileDialog::getSaveFileName(
        &window, MainWindow::tr("Save canvas as picture"),
        page->design().document().title().remove(QStringLiteral(".weft")) + ".svg",
        MainWindow::tr("Drawings (*.svg);;Pictures (*.png);;Pages (*.pdf)"), &chosen);
    if (file.isEmpty()) {
        return;
    }
    if (!file.contains('.')) {
        file += chosen.contains(QLatin1String("png"))   ? ".png"
                : chosen.contains(QLatin1String("pdf")) ? ".pdf"
                                                        : ".svg";
    }
    try {
        savePictureOf(*page, file);
        emit window.context().notice(MainWindow::tr("Saved %1").arg(file), false);
    } catch (const Error& error) {
        emit window.context().notice(QString::fromUtf8(error.what()), true);
    }
}

} // namespace weft::ui
