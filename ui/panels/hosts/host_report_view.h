// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows a host's last report: requirements of a run and whether they are found, devices, and
// partitions of the queue. Before the first report or without a connection, shows the state and the
// command to type in a terminal.

#include "launch/hosts.h"
#include "theme/look.h"

#include <QScrollArea>

class QGridLayout;
class QLabel;

namespace weft::ui {

class HostReportView : public QScrollArea {
    Q_OBJECT

public:
    explicit HostReportView(Look& look, QWidget* parent = nullptr);
    void showHost(const KnownHost& host);

private:
    /// Everything that is drawn; equal content is not rebuilt, so that its selection is kept.
    struct ShownContent {
        Host host;
        QString state;
        QString fault;
        std::shared_ptr<const HostReport> report;
        bool isDark = true;
        bool operator==(const ShownContent&) const = default;
    };
    void build(const KnownHost& host);
    void addState(const KnownHost& host);
    void addCommandToType(const KnownHost& host);
    void addFindings(const KnownHost& host);
    void addDevices(const HostReport& report);
    void addPartitions(const HostReport& report);
    /// `heads`: the title, then the column headers. `numbers`: right-aligned columns.
    void addTable(const QStringList& heads, const std::vector<QStringList>& rows,
                  const std::vector<int>& numbers);
    [[nodiscard]] QLabel* makeLabel(const QString& text) const;

    Look& look_;
    ShownContent shownContent_;
    QWidget* content_ = nullptr;
};

} // namespace weft::ui
