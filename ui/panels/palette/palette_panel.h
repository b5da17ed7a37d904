// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All layer kinds by category, with a search; dragged onto the canvas, or placed by Enter or a
// double click.

#include "session/panel.h"

class QLineEdit;
class QTreeView;
class QStandardItemModel;

namespace weft::ui {

class PalettePanel : public Panel {
    Q_OBJECT

public:
    explicit PalettePanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void place();

    QLineEdit* field_;
    QTreeView* tree_;
    QStandardItemModel* model_;
    std::size_t groups_ = 0;
};

} // namespace weft::ui
