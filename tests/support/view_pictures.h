// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures of views among those of the build, for people to look at; what a screen of two pixels
// per point shows has `-200` in its name.

#include "support/places.h"
#include "theme/look.h"

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QTest>
#include <QWidget>

namespace weft::test {

[[nodiscard]] inline QString pictureFile(const QString& name) {
    const QString folder = QString::fromStdString((buildFolder() / "pictures").string());
    QDir().mkpath(folder);
    return folder + "/" + name + (qApp->devicePixelRatio() > 1 ? "-200" : "") + ".png";
}

/// In the pixels of the screen, none of them painted twice: of neighbours that differ as many lie
/// within two by two pixels as across them.
[[nodiscard]] inline bool isSharp(const QImage& picture) {
    int within = 0;
    int across = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x + 2 < picture.width(); x += 2) {
            within += picture.pixel(x, y) != picture.pixel(x + 1, y) ? 1 : 0;
            across += picture.pixel(x + 1, y) != picture.pixel(x + 2, y) ? 1 : 0;
        }
    }
    return 2 * within > across;
}

inline QImage savePicture(QWidget& view, const QString& name) {
    QApplication::processEvents();
    QImage picture = view.grab().toImage();
    // A function that returns a value cannot use the macros that end the test.
    QTest::qVerify(picture.save(pictureFile(name)), "saved", qPrintable(name), __FILE__, __LINE__);
    return picture;
}

/// `<name>-dark` and `<name>-light`; they differ.
inline void saveBothThemes(ui::Look& look, QWidget& view, const QString& name) {
    look.choose(ui::Look::Choice::dark);
    const QImage dark = savePicture(view, name + "-dark");
    look.choose(ui::Look::Choice::light);
    QVERIFY(savePicture(view, name + "-light") != dark);
}

} // namespace weft::test
