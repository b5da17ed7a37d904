// SPDX-License-Identifier: Apache-2.0
#include "screen.h"

#include <QFile>
#include <QIODevice>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTest>
#include <QtEndian>

namespace weft::test {

namespace {

constexpr int patience = 60'000; // milliseconds

} // namespace

QStringList Screen::missing() {
    QStringList names;
    for (const char* name : {"Xvfb", "xdotool"}) {
        if (QStandardPaths::findExecutable(QLatin1String(name)).isEmpty()) {
            names << QLatin1String(name);
        }
    }
    return names;
}

Screen::Screen(QSize size) {
    server_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    server_.start(QStringLiteral("Xvfb"),
                  {"-displayfd", "1", "-screen", "0",
                   QStringLiteral("%1x%2x24").arg(size.width()).arg(size.height()), "-fbdir",
                   folder_.path(), "-noreset"});
    if (server_.waitForReadyRead(patience)) {
        display_ = ":" + QString::fromLatin1(server_.readLine().trimmed());
    }
}

Screen::~Screen() {
    server_.terminate();
    server_.waitForFinished(patience);
}

QProcessEnvironment Screen::environment() const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("DISPLAY"), display_);
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    return environment;
}

bool Screen::hand(const QStringList& words) const {
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(QStringLiteral("xdotool"), words);
    return process.waitForFinished(patience) && process.exitCode() == 0;
}

bool Screen::waitForWindow(const QString& title) const {
    return QTest::qWaitFor(
        [&] {
            return hand({"search", "--onlyvisible", "--name", title});
        },
        patience);
}

void Screen::click(QPoint at) const {
    (void)hand({"mousemove", QString::number(at.x()), QString::number(at.y()), "click", "1"});
}

void Screen::key(const QString& name) const { (void)hand({"key", name}); }

void Screen::type(const QString& text) const { (void)hand({"type", "--delay", "20", text}); }

QImage Screen::picture() const {
    // The frame buffer as an XWD file: a header of big-endian words, colours, then pixels.
    QFile file(folder_.filePath(QStringLiteral("Xvfb_screen0")));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    const auto word = [&](int number) {
        return qFromBigEndian<quint32>(bytes.constData() + qsizetype{4} * number);
    };
    enum Word : int { headerSize = 0, width = 4, height = 5, bytesPerLine = 12, colours = 19 };
    constexpr quint32 colourBytes = 12;
    const quint32 offset = word(headerSize) + word(colours) * colourBytes;
    const QImage seen(reinterpret_cast<const uchar*>(bytes.constData()) + offset,
                      static_cast<int>(word(width)), static_cast<int>(word(height)),
                      static_cast<qsizetype>(word(bytesPerLine)), QImage::Format_RGB32);
    return seen.copy();
}

} // namespace weft::test
