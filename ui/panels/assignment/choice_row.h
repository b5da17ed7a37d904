// SPDX-License-Identifier: Apache-2.0
#pragma once
// One possible assignment as a row: radio, x · W → y, word, bar of the whole step; its time and the
// change it would make, what is sent and what the run takes of the device that gives most. In a
// narrow panel the numbers stand in two lines; in a wide one the memory of each device is beside
// them.

#include "panels/assignment/choices.h"
#include "panels/assignment/price_choices.h"
#include "theme/look.h"
#include "widgets/value_drawing.h"

#include <QAbstractButton>

namespace weft::ui {

/// The names of the numbers, above the rows and in their columns.
class ChoiceHead : public QWidget {
    Q_OBJECT

public:
    explicit ChoiceHead(Look& look, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void showNumbers(bool areShown);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    Look& look_;
    QString title_;
    bool areNumbers_ = false;
};

class ChoiceRow : public QAbstractButton {
    Q_OBJECT

public:
    ChoiceRow(Look& look, const AssignmentChoice& choice, bool isPresent,
              QWidget* parent = nullptr);

    [[nodiscard]] const AssignmentChoice& choice() const { return choice_; }
    [[nodiscard]] const ChoicePrice& price() const { return price_; }
    /// `drawing`: of the layer as it would be placed. `sends`: how often it would send what, where
    /// that is not once in a step; a line of its own.
    void setPrice(const ChoicePrice& price, LayerDrawing drawing = {}, const QString& sends = {});
    [[nodiscard]] const QString& sends() const { return sends_; }
    /// The step as it is now, and the longest step and the most memory of all choices, which the
    /// bars are measured by.
    void setScale(double now, double longest, double mostMemory, bool isFastest);
    [[nodiscard]] bool isPresent() const { return isPresent_; }
    [[nodiscard]] bool isFastest() const { return isFastest_; }
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    /// The pointer is over it, or it has the focus.
    void lookedAt();

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintDrawing(QPainter& painter);
    void paintWords(QPainter& painter);
    void paintNumbers(QPainter& painter);
    void paintBar(QPainter& painter, const QRect& room) const;
    void paintTag(QPainter& painter, const QRect& room) const;
    /// A bar per device, in its colour.
    void paintEach(QPainter& painter, const QRect& room) const;
    void say();

    Look& look_;
    AssignmentChoice choice_;
    LayerDrawing drawing_;
    QString sends_;
    bool isPresent_;
    bool isFastest_ = false;
    ChoicePrice price_;
    double now_ = 0;
    double longest_ = 0;
    double mostMemory_ = 0;
};

} // namespace weft::ui
