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
    void setShown(std::shared_ptr<const DictionaryShown> shown, AtomNumbers numbers);
    [[nodiscard]] const DictionaryShown* shown() const { return shown_.get(); }
    /// Sets the counts of oriented, localised and band-pass atoms; ignored if `of` is no longer
    /// shown.
    void setFigures(const std::shared_ptr<const DictionaryShown>& of,
                    std::shared_ptr<const DictionaryFigures> figures);
    [[nodiscard]] const DictionaryFigures* figures() const { return figures_.get(); }
    [[nodiscard]] AtomMosaic& mosaic() { return *mosaic_; }
    /// Picture of all atoms in display order.
    [[nodiscard]] Picture picture() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void played(std::size_t frame);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void fillOrders();
    void permitOrders();
    /// Returns why this order is impossible, or an empty text.
    [[nodiscard]] QString whyNot(AtomOrder order) const;
    [[nodiscard]] std::size_t frames() const;
    void play();
    void showFrame();
    void showLarge();
    void chooseOrder();
    void sort();
    void take(std::int64_t atom);
    void tellChosen();
    void tellForm();

    const Look& look_;
    std::shared_ptr<const DictionaryShown> shown_;
    AtomNumbers ofAtoms_;
    std::shared_ptr<const DictionaryFigures> figures_;
    QLabel* facts_;
    QLabel* form_; ///< the figures on one line
    QComboBox* order_;
    AtomOrder wanted_ = AtomOrder::stored; ///< applied again once it is possible
    QToolButton* plays_;
    QTimer beat_;
    std::size_t frame_ = 0;
    QScrollArea* scroll_;
    AtomMosaic* mosaic_;
    QLabel* large_;
    QLabel* name_;
    QLabel* numbers_;
};

} // namespace weft::ui
