// SPDX-License-Identifier: Apache-2.0
#pragma once
// The atoms of a dictionary side by side, in an order, with a bar of how much each is used; one of
// them is chosen. By click or arrow keys it is followed too, until it is clicked again or Escape is
// pressed. As high as they need: it stands in something that scrolls.

#include "tensors/sparse_shown.h"

#include <QWidget>
#include <memory>

namespace weft::ui {

class Look;

class AtomMosaic : public QWidget {
    Q_OBJECT

public:
    explicit AtomMosaic(const Look& look, QWidget* parent = nullptr);

    /// `use`: per atom; empty: not known.
    void setAtoms(std::shared_ptr<const DictionaryShown> shown, std::vector<double> use);
    void setOrder(std::vector<std::int64_t> order);
    /// Which is painted, round and round.
    void setFrame(std::size_t frame);
    [[nodiscard]] const std::vector<std::int64_t>& order() const { return order_; }
    [[nodiscard]] std::int64_t chosen() const { return chosen_; }
    /// The chosen one, or -1.
    [[nodiscard]] std::int64_t followedAtom() const { return isFollowed_ ? chosen_ : -1; }
    /// Chooses it as well; -1: none is followed any more, the chosen one stays.
    void follow(std::int64_t atom);
    [[nodiscard]] QRect place(std::int64_t atom) const;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(std::int64_t atom);
    void followed(std::int64_t atom); ///< -1: none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] static int across(int width);
    [[nodiscard]] QRect placeAt(std::size_t position) const;
    [[nodiscard]] std::int64_t atomAt(QPoint point) const; ///< -1: none
    void paintAtom(QPainter& painter, const QRect& box, std::int64_t atom) const;

    const Look& look_;
    std::shared_ptr<const DictionaryShown> shown_;
    std::vector<double> use_;
    double mostUse_ = 0;
    std::vector<std::int64_t> order_;
    std::int64_t chosen_ = 0;
    bool isFollowed_ = false;
    std::size_t frame_ = 0;
};

} // namespace weft::ui
