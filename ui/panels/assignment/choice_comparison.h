// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would change: the layer among its neighbours as it is and as it would be, side by side, and
// the numbers of the whole step under them; how its input crosses the boundary; the button that
// takes the choice.

#include "panels/assignment/price_choices.h"
#include "theme/look.h"

#include <QWidget>
#include <array>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace weft::ui {

class BeforeAfter;

struct ComparedSide {
    QString title;
    ChoicePrice price;
};

struct ComparedChoice {
    NetworkPath path;
    LayerId layer;
    ComparedSide now, would;
};

/// A way for one wire to cross, and what the step takes with it.
struct BoundaryChoice {
    QString scheme; ///< as the wire has it
    QString word;   ///< as people read it
    ChoicePrice price;
    bool isPresent = false;
};

class ChoiceComparison : public QWidget {
    Q_OBJECT

public:
    ChoiceComparison(Look& look, Kinds kinds, QWidget* parent = nullptr);

    /// Where both are the same there is nothing to use.
    void compare(const ComparedChoice& compared);
    /// `title`: "pool5 → dense6"; empty: nothing crosses there.
    void setBoundary(const QString& title, const std::vector<BoundaryChoice>& choices);

Q_SIGNALS:
    void useWanted();
    void boundaryWanted(const QString& scheme);

private:
    void buildNumbers(QBoxLayout& layout);
    void showNumbers(const ComparedChoice& compared);

    struct Line {
        QLabel* now = nullptr;
        QLabel* would = nullptr;
        QLabel* change = nullptr;
    };

    Look& look_;
    QLabel* which_;
    BeforeAfter* drawing_;
    QWidget* boundary_;
    QLabel* boundaryTitle_;
    QBoxLayout* boundaryRow_;
    QLabel* ifHead_ = nullptr;
    std::array<Line, 3> lines_; ///< step, sent, memory
    QPushButton* use_;
};

} // namespace weft::ui
