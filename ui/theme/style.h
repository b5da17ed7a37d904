// SPDX-License-Identifier: Apache-2.0
#pragma once
// The widget style: flat fills, one-pixel lines and the focus ring. Based on Fusion; reads the
// active theme at each painting, so that a change of theme needs no new style.

#include "theme/theme.h"

#include <QProxyStyle>
#include <functional>

namespace weft::ui {

class Style : public QProxyStyle {
    Q_OBJECT

public:
    /// Calls `theme` at every painting.
    explicit Style(std::function<const Theme&()> theme);

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                  const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                         const QSize& size, const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                       SubControl part, const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* result) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;

private:
    static bool has(const QStyleOption& option, StateFlag flag);
    void drawButton(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
    void drawTab(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
    void drawMenuItem(const QStyleOption& option, QPainter& painter) const;
    void drawMenuBarItem(const QStyleOption& option, QPainter& painter) const;
    void drawHeader(const QStyleOption& option, QPainter& painter) const;
    void drawProgress(const QStyleOption& option, QPainter& painter) const;
    void drawScrollBar(const QStyleOptionComplex& option, QPainter& painter,
                       const QWidget* widget) const;
    void drawCombo(const QStyleOptionComplex& option, QPainter& painter,
                   const QWidget* widget) const;
    void drawSpin(const QStyleOptionComplex& option, QPainter& painter,
                  const QWidget* widget) const;
    void drawItem(const QStyleOption& option, QPainter& painter) const;
    void drawChevron(const QStyleOption& option, QPainter& painter, bool isRight) const;
    void drawClose(const QStyleOption& option, QPainter& painter) const;
    void drawFocus(const QStyleOption& option, QPainter& painter) const;
    void drawIndicator(PrimitiveElement element, const QStyleOption& option,
                       QPainter& painter) const;

    std::function<const Theme&()> theme_; ///< the active theme
};

/// Draws this button in ink; at most one button of a view.
void makePrimary(QWidget& button); ///< filled with ink
/// Emphasis of text: secondary for labels, help and units.
enum class Tier : std::uint8_t { primary, secondary, tertiary };
void setTier(QWidget& label, Tier tier); ///< emphasis of its text
/// Returns HTML for a text of the engine, in which backticks enclose code.
[[nodiscard]] QString htmlOf(const QString& text);
/// Returns what a panel shows of a help text; the rest is in the tooltip, to leave room for fields.
[[nodiscard]] QString firstSentence(const QString& text);
/// Returns a tooltip that wraps; plain text would be one long line.
[[nodiscard]] QString paragraphs(const QString& text);

} // namespace weft::ui
