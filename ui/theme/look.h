// SPDX-License-Identifier: Apache-2.0
#pragma once
// The active theme: the desktop's or a chosen one. One object per program, on the GUI thread; views
// read it when they paint and listen to `changed`.

#include "theme/theme.h"

#include <QFont>
#include <QObject>
#include <memory>

class QApplication;

namespace weft::ui {

class DesktopScheme;

class Look : public QObject {
    Q_OBJECT

public:
    enum class Choice : std::uint8_t { desktop, dark, light }; ///< `desktop`: like the desktop

    explicit Look(QObject* parent = nullptr);
    ~Look() override;

    [[nodiscard]] const Theme& theme() const { return *theme_; }
    [[nodiscard]] static const Sizes& sizes() { return tokens().sizes; }
    [[nodiscard]] Choice choice() const { return choice_; }
    void choose(Choice choice); ///< saved

    /// Applies palette, style and font to all widgets, now and after each change.
    void applyLook(QApplication& application); ///< now and after each change

    /// Returns the first installed family of the tokens; sizes are those of `Sizes::Type`.
    [[nodiscard]] static QFont sans(int px, int weight = 400); ///< sans-serif font
    [[nodiscard]] static QFont mono(int px, int weight = 400); ///< monospace font

Q_SIGNALS:
    void changed(); ///< repaint

private:
    void update(); ///< sets the theme and notifies all views

    Choice choice_ = Choice::desktop; ///< the user's
    const Theme* theme_;              ///< the active theme
    bool isDesktopDark_ = true;       ///< the desktop prefers dark
    QApplication* application_ = nullptr;
    std::unique_ptr<DesktopScheme> scheme_; ///< the desktop's preference
};

} // namespace weft::ui
