// SPDX-License-Identifier: Apache-2.0
#pragma once
// All layer kinds by category, with a search; dragged onto the canvas, or placed by Enter or a
// double click. Where there is no room for names, a rail of pictures.

#include "session/panel.h"

class QLineEdit;
class QTreeView;
class QStandardItemModel;

namespace weft::ui {

class PalettePanel : public Panel {
    Q_OBJECT

public:
    explicit PalettePanel(Bench& bench, QWidget* parent = nullptr);
    /// A kind, "group:" before that of a group; empty: none.
    [[nodiscard]] QString chosen() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void refresh(unsigned causes) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void place();

    QWidget* whole_;
    QWidget* rail_;
    QLineEdit* field_;
    QTreeView* tree_;
    QStandardItemModel* model_;
    std::size_t groups_ = 0;
};

} // namespace weft::ui
