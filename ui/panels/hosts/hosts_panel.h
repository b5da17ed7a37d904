// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel for the user's hosts, on which runs can be started: connection settings, start of jobs,
// state of the connection, and the last report. A host is contacted only on request.

#include "workspace/panel.h"

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
    QBoxLayout* pair_ = nullptr;  ///< form and report
    std::vector<QWidget*> lines_; ///< separators after the list and inside the pair
    int countBeside_ = 0;         ///< number of separators between parts that are side by side
    QStackedLayout* right_;
    HostForm* form_;
    HostReportView* report_;
    QPushButton* remove_ = nullptr;
    QPushButton* check_ = nullptr;
    QPushButton* connect_ = nullptr;
    QPushButton* install_ = nullptr;
    QPushButton* nodes_ = nullptr;
    QPushButton* stop_ = nullptr; ///< cancels a long operation on the host
    QPushButton* close_ = nullptr;
    QWidget* ofOne_ = nullptr; ///< widgets for a saved host
    QString name_;             ///< name of the selected host; empty: none
    bool isNew_ = false;       ///< a host is being added
};

} // namespace weft::ui
