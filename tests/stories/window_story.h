// SPDX-License-Identifier: Apache-2.0
#pragma once
// A whole window under a test's hands: its own settings and folders, real mouse and key events, and
// pictures of what it shows. What it runs ends with the test, though a run outlives its window.

#include "shell/main_window.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft::test {

class WindowStory {
public:
    /// Settings and data of this user are left alone.
    explicit WindowStory(QSize size = {1600, 1000});
    ~WindowStory();

    [[nodiscard]] ui::MainWindow& window() { return *window_; }
    [[nodiscard]] ui::Look& look() { return look_; }
    [[nodiscard]] ui::CanvasPage& page() { return *window_->page(); }
    [[nodiscard]] const Design& design();
    [[nodiscard]] QString folder() const { return folder_.path(); }
    /// A design of projects/, copied into the story's folder and opened.
    void openSample(const QString& name);
    /// Until the live check has answered for the design as it stands.
    bool waitForCheck();
    /// Until all that is shown is there: the machine, the check that is made for it, what a step
    /// takes with each choice, examples of the data, what the pool draws.
    bool waitForAnswers();
    /// Through the command's own keys, menus or palette all the same.
    void command(const char* id);
    /// "M: layer.mute, layer.move" for two commands that answer one key.
    [[nodiscard]] QStringList keysGivenTwice();
    void click(LayerId layer, Qt::KeyboardModifiers modifiers = {});
    [[nodiscard]] QPoint centre(LayerId layer);
    [[nodiscard]] QPoint port(LayerId layer, bool isInput);
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {});
    /// The wheel turned over a widget that is seen; `at` is its own point. Positive: away from the
    /// hand.
    static void wheel(QWidget& over, QPoint at, int clicks, Qt::KeyboardModifiers modifiers = {});
    /// Files let go over the middle of the window.
    void drop(const QStringList& files);
    [[nodiscard]] LayerId layerNamed(const char* name);
    /// Into the field that has the focus.
    void type(const QString& text);
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
    /// `<name>.png` among the pictures of the build.
    void picture(const QString& name);

private:
    QTemporaryDir folder_;
    ui::Look look_;
    std::unique_ptr<ui::MainWindow> window_;
};

} // namespace weft::test
