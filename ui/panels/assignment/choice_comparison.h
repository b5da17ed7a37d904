// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compares a choice with the present assignment: the layer and its neighbours before and after, the
// numbers of the whole step, the ways for its input to cross the boundary, and the button that
// applies the choice.

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
    QString title; ///< name of the assignment
    ChoicePrice price;
};

struct ComparedChoice {
    NetworkPath path;
    LayerId layer;
    ComparedSide now, proposed;
};

/// A way for one wire to cross the boundary, with the predicted step time.
struct BoundaryChoice {
    QString scheme; ///< value in the wire
    QString word;   ///< readable name
    ChoicePrice price;
    bool isPresent = false;
};

class ChoiceComparison : public QWidget {
    Q_OBJECT

public:
    ChoiceComparison(Look& look, Kinds kinds, QWidget* parent = nullptr);

    void compare(const ComparedChoice& compared); ///< disables the button if both are the same
    /// `title`: such as "pool5 → dense6"; empty: no communication there.
    void setBoundary(const QString& title, const std::vector<BoundaryChoice>& choices);

Q_SIGNALS:
    void useWanted(); ///< the compared choice shall be applied
    void boundaryWanted(const QString& scheme);

private:
    void buildNumbers(QBoxLayout& layout);
    void showNumbers(const ComparedChoice& compared);

    struct NumberLine {
        QLabel* now = nullptr;
        QLabel* proposed = nullptr;
        QLabel* change = nullptr;
    };

    Look& look_;
    QLabel* comparedLabel_; ///< name of the compared choice
    BeforeAfter* drawings_;
    QWidget* boundaryBox_;
    QLabel* boundaryTitle_;
    QBoxLayout* boundaryRow_;
    QLabel* proposedHeader_ = nullptr;
    std::array<NumberLine, 3> numberLines_; ///< step time, sent bytes, memory
    QPushButton* useButton_;
};

} // namespace weft::ui
