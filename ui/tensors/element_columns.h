// SPDX-License-Identifier: Apache-2.0
#pragma once
// A column per element of a batch: its device, input, reconstruction, residual, code (of all atoms
// or of one), energy over the iterations, its numbers. A click follows an element, with Ctrl a
// second one beside it; wheel, arrow keys and the bar leaf through those beyond the width.

#include "tensors/sparse_shown.h"
#include "widgets/axis.h"

#include <QWidget>
#include <memory>

class QScrollBar;

namespace weft::ui {

class Look;

class ElementColumns : public QWidget {
    Q_OBJECT

public:
    explicit ElementColumns(const Look& look, QWidget* parent = nullptr);

    /// `hues`: the palette's slot of each element's device, -1: none. nullptr: nothing.
    void setShown(std::shared_ptr<const SparseShown> shown, std::vector<int> hues);
    /// Which is painted of what has several, round and round.
    void setFrame(std::size_t frame);
    /// Whose code is shown; -1: that of all, added up.
    void setAtom(std::int64_t atom);
    [[nodiscard]] std::int64_t atom() const { return atom_; }
    [[nodiscard]] int chosen() const { return chosen_; }
    void choose(int element);
    /// Compared with the chosen one; -1: none is. The same again takes it back.
    [[nodiscard]] int second() const { return second_; }
    void chooseSecond(int element);
    /// The elements whose columns are in view.
    [[nodiscard]] int first() const;
    [[nodiscard]] int count() const;
    /// Where the column of an element is; empty: it is not in view.
    [[nodiscard]] QRect column(int element) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Another element is followed, or others are in view.
    void leafed();
    /// Escape: the code of all atoms is wanted again.
    void atomLeft();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Row : std::uint8_t {
        element,
        input,
        reconstruction,
        residual,
        code,
        energy,
        steps,
        active,
        signalToNoise,
        peakToNoise
    };
    struct Band {
        Row row;
        int top;
        int height;
    };
    [[nodiscard]] std::vector<Band> bands() const;
    [[nodiscard]] int side() const; ///< of a picture
    [[nodiscard]] int elements() const;
    [[nodiscard]] int heightButPictures() const;
    [[nodiscard]] int hue(int element) const;
    void drawAtom();
    void share();
    void bringIntoView(int element);
    void tellLeafed();
    void paintFollowed(QPainter& painter, int element, Qt::PenStyle line) const;
    void paintLabels(QPainter& painter, const Band& band) const;
    void paintCell(QPainter& painter, const Band& band, int element) const;
    void paintCourse(QPainter& painter, const QRect& box, Row row, int element) const;
    [[nodiscard]] const std::vector<QImage>* picturesOf(Row row) const;
    [[nodiscard]] QString title(Row row) const;
    [[nodiscard]] QString note(Row row) const;
    [[nodiscard]] QString help(Row row) const;
    [[nodiscard]] QString valueText(Row row, int element) const;
    [[nodiscard]] QString decibelText(Row row, std::size_t element) const;
    void describe();

    const Look& look_;
    std::shared_ptr<const SparseShown> shown_;
    std::vector<int> hues_;
    std::int64_t atom_ = -1;
    Reel atomCode_;                 ///< of that atom alone
    Range energyRange_, stepRange_; ///< of all elements
    int chosen_ = 0;
    int second_ = -1;
    std::size_t frame_ = 0;
    QScrollBar* bar_;
};

} // namespace weft::ui
