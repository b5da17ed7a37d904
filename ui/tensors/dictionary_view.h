// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The dictionary of a sparse code as it is now: its atoms in a chosen order, and the chosen atom
// large, with its numbers.

#include "tensors/atom_mosaic.h"

class QComboBox;
class QLabel;
class QScrollArea;

namespace weft::ui {

class DictionaryView : public QWidget {
    Q_OBJECT

public:
    explicit DictionaryView(const Look& look, QWidget* parent = nullptr);

    /// nullptr: none; `use` per atom of the observed batch, empty: not known.
    void setShown(std::shared_ptr<const DictionaryShown> shown, std::vector<double> use);
    [[nodiscard]] const DictionaryShown* shown() const { return shown_.get(); }
    void setOrder(AtomOrder order);
    [[nodiscard]] AtomMosaic& mosaic() { return *mosaic_; }
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    void sort();
    void take(std::int64_t atom);
    void tellChosen();

    const Look& look_;
    std::shared_ptr<const DictionaryShown> shown_;
    std::vector<double> use_;
    QLabel* facts_;
    QComboBox* order_;
    QScrollArea* scroll_;
    AtomMosaic* mosaic_;
    QLabel* large_;
    QLabel* name_;
    QLabel* numbers_;
};

} // namespace weft::ui
