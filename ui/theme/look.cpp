// SPDX-License-Identifier: Apache-2.0
#include "theme/look.h"

#include "theme/desktop_scheme.h"
#include "theme/style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>

namespace weft::ui {

namespace {

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& colour) {
        palette.setColor(role, colour);
    };
    set(QPalette::Window, theme.surface.dock);
    set(QPalette::WindowText, theme.text.primary);
    set(QPalette::Base, theme.surface.field);
    set(QPalette::AlternateBase, theme.surface.dock);
    set(QPalette::Text, theme.text.primary);
    set(QPalette::PlaceholderText, theme.text.tertiary);
    set(QPalette::Button, theme.surface.raised);
    set(QPalette::ButtonText, theme.text.primary);
    set(QPalette::BrightText, theme.text.secondary); // used for secondary labels
    set(QPalette::ToolTipBase, theme.surface.overlay);
    set(QPalette::ToolTipText, theme.text.primary);
    set(QPalette::Highlight, theme.accent.selectionFill);
    set(QPalette::HighlightedText, theme.text.primary);
    set(QPalette::Link, theme.text.primary);
    set(QPalette::LinkVisited, theme.text.secondary);
    set(QPalette::Light, theme.line.normal);
    set(QPalette::Midlight, theme.line.subtle);
    set(QPalette::Mid, theme.line.normal);
    set(QPalette::Dark, theme.line.normal);
    set(QPalette::Shadow, theme.line.normal);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        palette.setColor(QPalette::Disabled, role, theme.text.disabled);
    }
    return palette;
}

/// Returns the first installed family; a system font if the list begins with its placeholder.
QString familyOf(const QStringList& families, QFontDatabase::SystemFont system) {
    for (const QString& family : families) {
        if (QFontDatabase::hasFamily(family)) {
            return family;
        }
    }
    return QFontDatabase::systemFont(system).family();
}

QFont fontOf(const QString& family, int px, int weight) {
    QFont font(family);
    font.setPixelSize(px);
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

} // namespace

Look::Look(QObject* parent) : QObject(parent), theme_(&tokens().dark) {}

Look::~Look() = default;

void Look::choose(Choice choice) {
    choice_ = choice;
    update();
}

void Look::applyLook(QApplication& application) {
    application_ = &application;
    // Before the program sets its own palette, the palette is the desktop's.
    const QPalette desktop = QApplication::palette();
    isDesktopDark_ = desktop.color(QPalette::WindowText).lightness() >
                     desktop.color(QPalette::Window).lightness();
    QApplication::setStyle(new Style([this]() -> const Theme& { return theme(); }));
    scheme_ = std::make_unique<DesktopScheme>([this](bool isDark) {
        isDesktopDark_ = isDark;
        update();
    });
    update();
}

QFont Look::sans(int px, int weight) {
    static const QString family = familyOf(sizes().type.sans, QFontDatabase::GeneralFont);
    return fontOf(family, px, weight);
}

QFont Look::mono(int px, int weight) {
    static const QString family = familyOf(sizes().type.mono, QFontDatabase::FixedFont);
    return fontOf(family, px, weight);
}

void Look::update() {
    const bool isDark = choice_ == Choice::dark || (choice_ == Choice::desktop && isDesktopDark_);
    theme_ = isDark ? &tokens().dark : &tokens().light;
    if (application_ != nullptr) {
        QApplication::setPalette(paletteOf(*theme_));
        QApplication::setFont(sans(sizes().type.body));
    }
    emit changed();
}

} // namespace weft::ui
