// SPDX-License-Identifier: Apache-2.0
#pragma once
// A screen of its own (Xvfb), with hands (xdotool) and an eye; ends with this.

#include <QImage>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace weft::test {

class Screen {
public:
    /// Programs that are not there; none: there can be a screen.
    [[nodiscard]] static QStringList missing();

    explicit Screen(QSize size);
    ~Screen();

    [[nodiscard]] bool isThere() const { return !display_.isEmpty(); }
    /// For programs that are to be shown on it.
    [[nodiscard]] QProcessEnvironment environment() const;
    /// Until a window of this title is seen.
    [[nodiscard]] bool waitForWindow(const QString& title) const;
    void click(QPoint at) const;
    /// As xdotool names them: "ctrl+s".
    void key(const QString& name) const;
    void type(const QString& text) const;
    [[nodiscard]] QImage picture() const;

private:
    [[nodiscard]] bool hand(const QStringList& words) const;

    QTemporaryDir folder_;
    QProcess server_;
    QString display_;
};

} // namespace weft::test
