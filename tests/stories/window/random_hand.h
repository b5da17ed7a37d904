// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random clicks, drags, wheel turns, keys and sizes on a window, as its event system delivers them.
// Equal seeds choose equal events as long as the window shows the same. Dialogs and menus that an
// event opens are closed again, so that none waits for a person.

#include "shell/main_window.h"

#include <QPoint>
#include <QTimer>
#include <random>

namespace weft::test {

class RandomHand {
public:
    RandomHand(ui::MainWindow& window, unsigned seed);

    /// One event.
    void act();
    /// From 0 to below `count`.
    [[nodiscard]] int below(int count);

private:
    void dismiss() const;
    [[nodiscard]] QPoint somewhere();
    [[nodiscard]] Qt::KeyboardModifiers modifiers();
    void click();
    void drag();
    void wheel();
    void press();
    void resize();

    ui::MainWindow& window_;
    std::mt19937 random_;
    QTimer dismisses_;
    std::vector<QKeySequence> keys_; ///< keys of the window's commands
};

} // namespace weft::test
