// SPDX-License-Identifier: Apache-2.0
#pragma once
// A row for one possible assignment: radio button, x · W → y, word, bar of the whole step, step
// time and its change, sent bytes and peak memory. A narrow panel shows the numbers in two lines; a
// wide one adds the memory of each device.

#include "panels/assignment/choices.h"
#include "panels/assignment/price_choices.h"
#include "theme/look.h"
#include "widgets/value_drawing.h"

#include <QAbstractButton>

namespace weft::ui {

/// Column headers above the rows.
class ChoiceHeader : public QWidget {
    Q_OBJECT

public:
    explicit ChoiceHeader(Look& look, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void showNumbers(bool areShown);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitHeight();
    Look& look_;
    QString title_;
    bool showsNumbers_ = false;
};

class ChoiceRow : public QAbstractButton {
    Q_OBJECT

public:
    ChoiceRow(Look& look, const AssignmentChoice& choice, bool isPresent,
              QWidget* parent = nullptr);

    [[nodiscard]] const AssignmentChoice& choice() const { return choice_; }
    [[nodiscard]] const ChoicePrice& price() const { return price_; }
    /// `drawing`: the layer as it would be placed. `sendFrequency`: shown on a line of its own; how
    /// often something is sent if not once per step.
    void setPrice(const ChoicePrice& price, LayerDrawing drawing = {},
                  const QString& sendFrequency = {});
    [[nodiscard]] const QString& sendFrequency() const { return sendFrequency_; }
    /// `now`: the present step time. The bars are relative to the longest step and the largest
    /// memory of all choices.
    void setScale(double now, double longest, double mostMemory, bool isFastest);
    [[nodiscard]] bool isPresent() const { return isPresent_; }
    [[nodiscard]] bool isFastest() const { return isFastest_; }
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void pointedAt(); ///< the row is under the pointer or has the focus

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintDrawing(QPainter& painter);
    void paintTexts(QPainter& painter);
    void paintNumbers(QPainter& painter);
    void paintBar(QPainter& painter, const QRect& area) const;
    void paintFastestTag(QPainter& painter, const QRect& area) const;
    /// Draws one bar per device in the device's colour.
    void paintDeviceBars(QPainter& painter, const QRect& area) const;
    void updateAccessibleText();

    Look& look_;
    AssignmentChoice choice_;
    LayerDrawing drawing_;
    QString sendFrequency_;
    bool isPresent_;
    bool isFastest_ = false;
    ChoicePrice price_;
    double presentStep_ = 0;   ///< seconds
    double longestStep_ = 0;   ///< seconds, of all choices
    double largestMemory_ = 0; ///< bytes, of all choices
};

} // namespace weft::ui
