// SPDX-License-Identifier: Apache-2.0
#pragma once
// The dictionary of a sparse code: its atoms in a chosen order, and the selected atom enlarged with
// its numbers. Atoms with several frames are animated.

#include "tensors/atom_mosaic.h"
#include <weft/atoms.h>

#include <QTimer>

class QComboBox;
class QLabel;
class QScrollArea;
class QToolButton;

namespace weft::ui {

class DictionaryView : public QWidget {
    Q_OBJECT

public:
    explicit DictionaryView(const Look& look, QWidget* parent = nullptr);

    /// nullptr: shows nothing. `numbers`: use and gain of the atoms in the observed step; empty:
    /// unknown.
    void setShown(std::shared_ptr<const DictionaryDisplay> shown, AtomNumbers numbers);
    [[nodiscard]] const DictionaryDisplay* shown() const { return shown_.get(); }
    /// Sets the counts of oriented, localised and band-pass atoms; ignored if `of` is no longer
    /// shown.
    void setFigures(const std::shared_ptr<const DictionaryDisplay>& of,
                    std::shared_ptr<const DictionaryFigures> figures);
    [[nodiscard]] const DictionaryFigures* figures() const { return figures_.get(); }
    [[nodiscard]] AtomMosaic& mosaic() { return *mosaic_; }
    [[nodiscard]] Picture picture() const; ///< picture of all atoms in display order
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void played(std::size_t frame); ///< the animation shows this frame

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void fillOrders();
    void enableOrders();
    /// Returns why this order is impossible, or an empty text.
    [[nodiscard]] QString whyNot(AtomOrder order) const;
    [[nodiscard]] std::size_t frames() const; ///< number of frames per atom
    void updateAnimation();
    void showFrame();
    void showEnlargedAtom();
    void chooseOrder();
    void sortAtoms();
    void selectAtom(std::int64_t atom);
    void showSelectedAtom();
    void showFigures();

    const Look& look_;
    std::shared_ptr<const DictionaryDisplay> shown_;
    AtomNumbers atomNumbers_;
    std::shared_ptr<const DictionaryFigures> figures_;
    QLabel* factsLabel_;
    QLabel* figuresLabel_; ///< the figures on one line
    QComboBox* orderList_;
    AtomOrder wantedOrder_ = AtomOrder::stored; ///< applied again once it is possible
    QToolButton* playButton_;
    QTimer frameTimer_;
    std::size_t frame_ = 0;
    QScrollArea* scroll_;
    AtomMosaic* mosaic_;
    QLabel* enlargedAtom_;
    QLabel* nameLabel_;
    QLabel* numbersLabel_;
};

} // namespace weft::ui
