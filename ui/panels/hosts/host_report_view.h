// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a host has, as it last said: what a run there needs and whether it is found, its devices,
// the partitions of its queue. Before that, or where its line is lost, how things stand and the
// line that one types in a terminal.

#include "session/hosts.h"
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
    /// Whatever is drawn: what is the same is left alone, with what is chosen in it.
    struct Shown {
        Host host;
        QString state;
        QString fault;
        std::shared_ptr<const HostReport> report;
        bool isDark = true;
        bool operator==(const Shown&) const = default;
    };
    void build(const KnownHost& host);
    void addState(const KnownHost& host);
    void addLineToType(const KnownHost& host);
    void addFindings(const KnownHost& host);
    void addDevices(const HostReport& report);
    void addPartitions(const HostReport& report);
    /// `heads`: the title, then what each column has; `numbers`: columns that align at the right.
    void addTable(const QStringList& heads, const std::vector<QStringList>& rows,
                  const std::vector<int>& numbers);
    [[nodiscard]] QLabel* words(const QString& text) const;

    Look& look_;
    Shown shown_;
    QWidget* content_ = nullptr;
};

} // namespace weft::ui
