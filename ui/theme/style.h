// SPDX-License-Identifier: Apache-2.0
#pragma once
// How controls are drawn: flat fills, lines of one pixel, the focus ring. A style over Fusion that
// reads the worn theme each time it paints, so that a change of theme needs no new style.

#include "theme/theme.h"

#include <QProxyStyle>
#include <functional>

namespace weft::ui {

class Style : public QProxyStyle {
    Q_OBJECT

public:
    /// `theme` is asked at every painting.
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

    std::function<const Theme&()> theme_;
};

/// The one button of a view that is drawn in ink.
void makePrimary(QWidget& button);
/// A text of a quieter tier: labels of forms, help, units.
enum class Tier : std::uint8_t { primary, secondary, tertiary };
void setTier(QWidget& label, Tier tier);
/// Plain text as a tool tip that is wrapped; as it is it would stand in one line, however long.
[[nodiscard]] QString paragraphs(const QString& text);

} // namespace weft::ui
