// SPDX-License-Identifier: Apache-2.0
#pragma once
// One column per batch element: device, input, reconstruction, residual, code (of all atoms or of
// one), energy per iteration, and numbers. A click selects an element, Ctrl+click a second one to
// compare; wheel, arrow keys and scroll bar reach the elements that do not fit.

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

    /// `hues`: palette index of each element's device, -1: none. nullptr: shows nothing.
    void setShown(std::shared_ptr<const SparseDisplay> shown, std::vector<int> hues);
    void setFrame(std::size_t frame); ///< shows this frame of pictures that have several
    void setAtom(std::int64_t atom);  ///< shows the code of one atom; -1: the sum over all atoms
    [[nodiscard]] std::int64_t atom() const { return atom_; }
    [[nodiscard]] int chosen() const { return selectedElement_; }
    void choose(int element);
    /// The element to compare with the selected one; -1: none. Choosing it again clears it.
    [[nodiscard]] int second() const { return comparedElement_; }
    void chooseSecond(int element);
    [[nodiscard]] int first() const; ///< first visible element
    [[nodiscard]] int count() const; ///< number of visible elements
    /// Returns the rectangle of an element's column; empty if it is not visible.
    [[nodiscard]] QRect column(int element) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void elementsChanged(); ///< the selected or the visible elements have changed
    void atomReleased();    ///< escape: the code of all atoms shall be shown again

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
        energy, ///< energy by iteration
        steps,  ///< step size by iteration
        active, ///< share of non-zero codes
        signalToNoise,
        peakToNoise
    };
    struct Band {
        Row row;
        int top;
        int height;
    };
    [[nodiscard]] std::vector<Band> bands() const;
    [[nodiscard]] int side() const; ///< side of a picture in pixels
    [[nodiscard]] int elements() const;
    [[nodiscard]] int heightWithoutPictures() const;
    [[nodiscard]] int hue(int element) const; ///< palette index of its device; -1: none
    void drawAtomCode();
    void updateScrollBar();
    void bringIntoView(int element);
    void reportElements();
    void paintSelection(QPainter& painter, int element, Qt::PenStyle line) const;
    void paintLabels(QPainter& painter, const Band& band) const;
    void paintCell(QPainter& painter, const Band& band, int element) const;
    void paintCurve(QPainter& painter, const QRect& box, Row row, int element) const;
    [[nodiscard]] const std::vector<QImage>* picturesOf(Row row) const;
    [[nodiscard]] QString title(Row row) const;
    [[nodiscard]] QString note(Row row) const;
    [[nodiscard]] QString help(Row row) const;
    [[nodiscard]] QString valueText(Row row, int element) const;
    [[nodiscard]] QString decibelText(Row row, std::size_t element) const;
    void updateAccessibleName();

    const Look& look_;
    std::shared_ptr<const SparseDisplay> shown_;
    std::vector<int> deviceHues_;
    std::int64_t atom_ = -1;        ///< atom whose code is shown; -1: sum of all
    Reel atomCode_;                 ///< code of the atom `atom_`
    Range energyRange_, stepRange_; ///< over all elements
    int selectedElement_ = 0;
    int comparedElement_ = -1;
    std::size_t frame_ = 0;
    QScrollBar* scrollBar_;
};

} // namespace weft::ui
