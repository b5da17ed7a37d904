// SPDX-License-Identifier: Apache-2.0
#include "random_hand.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDrag>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>
#include <array>

namespace weft::test {

namespace {

constexpr int dismissAfter = 3; // milliseconds
constexpr int smallestTarget = 8;
constexpr QSize smallest(700, 480);
constexpr QSize largest(1400, 900);

} // namespace

RandomHand::RandomHand(ui::MainWindow& window, unsigned seed) : window_(window), random_(seed) {
    const ui::CommandSet& commands = window.context().commands;
    for (const ui::CommandInfo& info : commands.all()) {
        for (const QKeySequence& key : commands.find(info.id)->shortcuts()) {
            keys_.push_back(key);
        }
    }
    QObject::connect(&dismisses_, &QTimer::timeout, &dismisses_, [this] { dismiss(); });
    dismisses_.start(dismissAfter);
}

/// A drag and drop, a menu and a dialog each run an event loop of their own until they end.
void RandomHand::dismiss() const {
    QDrag::cancel();
    if (QWidget* popup = QApplication::activePopupWidget()) {
        popup->close();
    } else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
        dialog->reject();
    } else if (QWidget* modal = QApplication::activeModalWidget()) {
        modal->close();
    }
}

int RandomHand::below(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }

/// Half of the points lie anywhere, half in a widget that has none inside, so that small ones are
/// met too.
QPoint RandomHand::somewhere() {
    if (below(2) == 0) {
        return {below(window_.width()), below(window_.height())};
    }
    std::vector<QWidget*> targets;
    for (auto* widget : window_.findChildren<QWidget*>()) {
        if (widget->isVisible() && widget->window() == &window_ &&
            widget->width() >= smallestTarget && widget->height() >= smallestTarget &&
            !widget->visibleRegion().isEmpty() &&
            widget->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly) == nullptr) {
            targets.push_back(widget);
        }
    }
    if (targets.empty()) {
        return window_.rect().center();
    }
    const QWidget* target =
        targets[static_cast<std::size_t>(below(static_cast<int>(targets.size())))];
    return target->mapTo(&window_, QPoint(below(target->width()), below(target->height())));
}

Qt::KeyboardModifiers RandomHand::modifiers() {
    constexpr std::array all{Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                             Qt::ControlModifier};
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
}

void RandomHand::act() {
    if (!window_.isVisible()) {
        window_.show(); // an event closed it
    }
    const int choice = below(100);
    if (choice < 38) {
        click();
    } else if (choice < 52) {
        drag();
    } else if (choice < 72) {
        wheel();
    } else if (choice < 97) {
        press();
    } else {
        resize();
    }
    QCoreApplication::processEvents();
}

void RandomHand::click() {
    const int choice = below(10);
    const QPoint point = somewhere();
    const Qt::KeyboardModifiers with = modifiers();
    QWindow* window = window_.windowHandle();
    if (choice == 0) {
        QTest::mouseDClick(window, Qt::LeftButton, with, point);
    } else if (choice == 1) {
        QTest::mouseMove(window, point);
    } else {
        QTest::mouseClick(window, choice == 2 ? Qt::RightButton : Qt::LeftButton, with, point);
    }
}

void RandomHand::drag() {
    const Qt::MouseButton button = below(4) == 0 ? Qt::MiddleButton : Qt::LeftButton;
    const Qt::KeyboardModifiers with = modifiers();
    const QPoint from = somewhere();
    const QPoint to = somewhere();
    constexpr int stops = 3;
    QWindow* window = window_.windowHandle();
    QTest::mousePress(window, button, with, from);
    for (int i = 1; i <= stops; ++i) {
        QTest::mouseMove(window, from + (to - from) * i / stops);
    }
    QTest::mouseRelease(window, button, with, to);
}

void RandomHand::wheel() {
    const QPoint point = somewhere();
    const int turned = 120 * (below(2) == 0 ? 1 : -1) * (1 + below(5));
    QWheelEvent event(point, window_.mapToGlobal(point), {}, {0, turned}, Qt::NoButton, modifiers(),
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(window_.windowHandle(), &event);
}

void RandomHand::press() {
    constexpr std::array plain{Qt::Key_Tab,    Qt::Key_Escape,  Qt::Key_Return, Qt::Key_Space,
                               Qt::Key_Left,   Qt::Key_Right,   Qt::Key_Up,     Qt::Key_Down,
                               Qt::Key_Home,   Qt::Key_End,     Qt::Key_Delete, Qt::Key_Backspace,
                               Qt::Key_PageUp, Qt::Key_PageDown};
    QWindow* window = window_.windowHandle();
    const int choice = below(3);
    if (choice == 0) {
        QTest::keyClick(window, plain[static_cast<std::size_t>(below(plain.size()))], modifiers());
    } else if (choice == 1) {
        const int key = below(2) == 0 ? Qt::Key_A + below(26) : Qt::Key_0 + below(10);
        QTest::keyClick(window, static_cast<Qt::Key>(key),
                        below(4) == 0 ? Qt::ShiftModifier : Qt::NoModifier);
    } else {
        const QKeySequence& keys =
            keys_[static_cast<std::size_t>(below(static_cast<int>(keys_.size())))];
        for (int i = 0; i < keys.count(); ++i) {
            const QKeyCombination one = keys[static_cast<uint>(i)];
            QTest::keyClick(window, one.key(), one.keyboardModifiers());
        }
    }
}

void RandomHand::resize() {
    window_.resize(smallest.width() + below(largest.width() - smallest.width()),
                   smallest.height() + below(largest.height() - smallest.height()));
}

} // namespace weft::test
