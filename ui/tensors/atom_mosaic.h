// SPDX-License-Identifier: Apache-2.0
#pragma once
// The atoms of a dictionary side by side in a given order, each with a bar for its use; one of them
// is selected. A click or an arrow key also follows the atom in the other views, until a second
// click or Escape. Takes its full height, since it is inside a scroll area.

#include "tensors/sparse_shown.h"

#include <QWidget>
#include <memory>

namespace weft::ui {

class Look;

class AtomMosaic : public QWidget {
    Q_OBJECT

public:
    explicit AtomMosaic(const Look& look, QWidget* parent = nullptr);

    /// `use`: per atom; empty: unknown.
    void setAtoms(std::shared_ptr<const DictionaryDisplay> shown, std::vector<double> use);
    void setOrder(std::vector<std::int64_t> order);
    void setFrame(std::size_t frame); ///< shows this frame of atoms that have several
    [[nodiscard]] const std::vector<std::int64_t>& order() const { return order_; }
    [[nodiscard]] std::int64_t chosen() const { return chosen_; } ///< the selected atom
    /// The followed atom, or -1.
    [[nodiscard]] std::int64_t followedAtom() const { return isFollowed_ ? chosen_ : -1; }
    /// Selects the atom as well; -1: follows none and keeps the selection.
    void follow(std::int64_t atom);
    [[nodiscard]] QRect atomRect(std::int64_t atom) const; ///< where the atom is drawn

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(std::int64_t atom);   ///< the user selected this atom
    void followed(std::int64_t atom); ///< -1: none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] static int columnsFor(int width);
    [[nodiscard]] QRect rectOfPosition(std::size_t position) const;
    [[nodiscard]] std::int64_t atomAt(QPoint point) const; ///< -1: none
    void paintAtom(QPainter& painter, const QRect& box, std::int64_t atom) const;

    const Look& look_;
    std::shared_ptr<const DictionaryDisplay> shown_;
    std::vector<double> use_;
    double largestUse_ = 0;
    std::vector<std::int64_t> order_;
    std::int64_t chosen_ = 0;
    bool isFollowed_ = false;
    std::size_t frame_ = 0;
};

} // namespace weft::ui
