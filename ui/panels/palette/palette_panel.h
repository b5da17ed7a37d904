// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel with all layer kinds by category and a search. A kind is placed by dragging, Enter or
// double click. A narrow panel shows a rail of icons instead.

#include "workspace/panel.h"

class QLineEdit;
class QTreeView;
class QStandardItemModel;

namespace weft::ui {

class PalettePanel : public Panel {
    Q_OBJECT

public:
    explicit PalettePanel(WindowContext& context, QWidget* parent = nullptr);
    /// Returns the selected kind, or "group:" and a group's name; empty: none.
    [[nodiscard]] QString chosen() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void refresh(unsigned causes) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillTree();
    void addSelectedKind();

    QWidget* wideForm_;
    QWidget* iconRail_;
    QLineEdit* searchField_;
    QTreeView* tree_;
    QStandardItemModel* model_;
    std::size_t groupCount_ = 0;
};

} // namespace weft::ui
