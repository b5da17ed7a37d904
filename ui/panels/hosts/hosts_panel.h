// SPDX-License-Identifier: Apache-2.0
#pragma once
// The machines that runs can be sent to, as this user has them: how each is reached and jobs begin
// there, how its line stands, and what it has. Nothing is asked of a host that nobody asks.

#include "session/panel.h"

#include <vector>

class QBoxLayout;
class QPushButton;
class QStackedLayout;
class QTreeWidget;

namespace weft::ui {

class HostForm;
class HostReportView;

class HostsPanel : public Panel {
    Q_OBJECT

public:
    explicit HostsPanel(Bench& bench, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void refresh(unsigned causes) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeLine();
    QWidget* makeList();
    QWidget* makeReport();
    void fillList();
    void showChosen();
    void beginNew();
    void removeChosen();
    [[nodiscard]] const KnownHost* chosen() const;

    QBoxLayout* columns_;
    QTreeWidget* list_;
    QBoxLayout* pair_ = nullptr;  ///< fields and report
    std::vector<QWidget*> lines_; ///< behind the list, between the pair
    int countBeside_ = 0;         ///< of those, that part what stands side by side
    QStackedLayout* right_;
    HostForm* form_;
    HostReportView* report_;
    QPushButton* remove_ = nullptr;
    QPushButton* check_ = nullptr;
    QPushButton* connect_ = nullptr;
    QPushButton* install_ = nullptr;
    QPushButton* nodes_ = nullptr;
    QPushButton* stop_ = nullptr; ///< of what takes long there
    QPushButton* close_ = nullptr;
    QWidget* ofOne_ = nullptr; ///< what is shown of a host that is kept
    QString name_;             ///< of the chosen one; empty: none
    bool isNew_ = false;       ///< one is being added
};

} // namespace weft::ui
