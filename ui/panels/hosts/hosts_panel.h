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
    explicit HostsPanel(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void refresh(unsigned causes) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeSeparator();
    QWidget* makeList();
    QWidget* makeReport();
    void fillList();
    void showSelected();
    void startNewHost();
    void removeSelected();
    [[nodiscard]] const KnownHost* selectedHost() const;

    QBoxLayout* columns_; ///< list, form and report
    QTreeWidget* list_;
    QBoxLayout* formAndReport_ = nullptr;
    std::vector<QWidget*> separators_; ///< separators after the list and inside the pair
    int visibleSeparators_ = 0;        ///< number of separators between parts that are side by side
    QStackedLayout* rightStack_;
    HostForm* form_;
    HostReportView* report_;
    QPushButton* removeButton_ = nullptr;
    QPushButton* checkButton_ = nullptr;
    QPushButton* connectButton_ = nullptr;
    QPushButton* installButton_ = nullptr;
    QPushButton* queryNodesButton_ = nullptr;
    QPushButton* stopButton_ = nullptr; ///< cancels a long operation on the host
    QPushButton* disconnectButton_ = nullptr;
    QWidget* hostWidgets_ = nullptr; ///< widgets for a saved host
    QString selectedName_;           ///< name of the selected host; empty: none
    bool isAdding_ = false;          ///< a host is being added
};

} // namespace weft::ui
