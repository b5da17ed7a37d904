// SPDX-License-Identifier: Apache-2.0
#include "panels/hosts/host_report_view.h"

#include "panels/hosts/host_words.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int nameWidth = 92;

QString text(const std::string& value) { return QString::fromStdString(value); }

QString countText(std::int64_t count) { return quantity::count(static_cast<double>(count)); }

QString bytesText(Bytes bytes) {
    return bytes.count > 0 ? quantity::bytes(static_cast<double>(bytes.count)) : quantity::none();
}

} // namespace

HostReportView::HostReportView(Look& look, QWidget* parent) : QScrollArea(parent), look_(look) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Report of the host"));
}

void HostReportView::showHost(const KnownHost& host) {
    ShownContent shown{host.host, stateOf(host, look_.theme()).text, faultOf(host), host.report,
                       look_.theme().isDark};
    if (content_ != nullptr && shown == shownContent_) {
        return;
    }
    shownContent_ = std::move(shown);
    build(host);
}

void HostReportView::build(const KnownHost& host) {
    const Sizes& sizes = tokens().sizes;
    content_ = new QWidget(this);
    auto* rows = new QVBoxLayout(content_);
    rows->setContentsMargins(sizes.space.l, sizes.space.xs, sizes.space.l, sizes.space.m);
    rows->setSpacing(sizes.space.s);
    addState(host);
    if (isLost(host)) {
        addCommandToType(host);
    }
    if (host.report != nullptr) {
        addFindings(host);
        addDevices(*host.report);
        addPartitions(*host.report);
    }
    rows->addStretch();
    setWidget(content_); // deletes the old content
}

QLabel* HostReportView::makeLabel(const QString& text) const {
    auto* label = new QLabel(text, content_);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void HostReportView::addState(const KnownHost& host) {
    const HostState state = stateOf(host, look_.theme());
    auto* row = new QHBoxLayout;
    row->setSpacing(tokens().sizes.space.s);
    auto* mark = new QLabel(content_);
    mark->setPixmap(symbol(state.icon, tokens().sizes.size.icon, state.tint, devicePixelRatioF()));
    row->addWidget(mark, 0, Qt::AlignTop);
    const QString fault = faultOf(host);
    QString said = state.text.left(1).toUpper() + state.text.mid(1);
    if (!fault.isEmpty()) {
        said += QStringLiteral(": ") + fault;
    } else if (host.report == nullptr && !host.isReportRequested) {
        said +=
            QStringLiteral(". ") +
            tr("Check requests a report: devices, queues, disk space, and what a run would lack.");
    }
    QLabel* label = makeLabel(said);
    label->setObjectName(QStringLiteral("state"));
    row->addWidget(label, 1);
    static_cast<QVBoxLayout*>(content_->layout())->addLayout(row);
}

void HostReportView::addCommandToType(const KnownHost& host) {
    const QString line = QStringLiteral("weft host check ") + host.name();
    auto* row = new QHBoxLayout;
    row->setSpacing(tokens().sizes.space.m);
    auto* before = new QLabel(tr("In a terminal"), content_);
    setTier(*before, Tier::tertiary);
    row->addWidget(before);
    QLabel* typed = makeLabel(line);
    typed->setObjectName(QStringLiteral("line to type"));
    typed->setWordWrap(false);
    typed->setFont(Look::mono(tokens().sizes.type.small));
    row->addWidget(typed);
    auto* copy = new QPushButton(tr("Copy"), content_);
    copy->setObjectName(QStringLiteral("copy"));
    copy->setToolTip(tr("Copies the command. In a terminal, ssh can ask for a password or a code "
                        "and shows all its messages."));
    copy->setAccessibleName(tr("Copy %1").arg(line));
    connect(copy, &QPushButton::clicked, this,
            [line] { QGuiApplication::clipboard()->setText(line); });
    row->addWidget(copy);
    row->addStretch();
    static_cast<QVBoxLayout*>(content_->layout())->addLayout(row);
}

void HostReportView::addFindings(const KnownHost& host) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = tokens().sizes;
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, sizes.space.xs, 0, sizes.space.xs);
    grid->setHorizontalSpacing(sizes.space.s);
    grid->setVerticalSpacing(sizes.space.xs);
    grid->setColumnMinimumWidth(1, nameWidth);
    grid->setColumnStretch(2, 1);
    for (const Feature& one : hostFindings(host.host, *host.report)) {
        const int row = grid->rowCount();
        auto* mark = new QLabel(content_);
        mark->setPixmap(
            symbol(one.isFound ? QStringLiteral("states/good") : QStringLiteral("actions/close"),
                   sizes.size.icon, one.isFound ? theme.semantic.ok : theme.text.tertiary,
                   devicePixelRatioF()));
        mark->setAccessibleName(one.isFound ? tr("found") : tr("missing"));
        grid->addWidget(mark, row, 0, Qt::AlignTop);
        auto* name = new QLabel(text(one.name), content_);
        setTier(*name, Tier::secondary);
        grid->addWidget(name, row, 1, Qt::AlignTop);
        grid->addWidget(makeLabel(text(one.detail)), row, 2);
        if (!one.remedy.empty()) {
            QLabel* remedy = makeLabel(text(one.remedy));
            remedy->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                            Qt::TextSelectableByKeyboard);
            setTier(*remedy, Tier::tertiary);
            grid->addWidget(remedy, row + 1, 2);
        }
    }
    static_cast<QVBoxLayout*>(content_->layout())->addLayout(grid);
}

void HostReportView::addDevices(const HostReport& report) {
    std::vector<QStringList> rows;
    for (const DeviceSheet& sheet : report.machine.machine.devices) {
        // The reference device serves tests only and is not offered.
        if (!sheet.name.starts_with("reference:")) {
            rows.push_back({text(sheet.name), text(sheet.model),
                            sheet.bus ? quantity::none() : countText(sheet.cores),
                            bytesText(sheet.memory)});
        }
    }
    addTable({tr("Devices"), tr("model"), tr("cores"), tr("memory")}, rows, {2, 3});
}

void HostReportView::addPartitions(const HostReport& report) {
    std::vector<QStringList> rows;
    for (const SlurmPartition& one : report.partitions) {
        QStringList more;
        more << (one.isDefault ? tr("default") : QString()) << text(one.extras)
             << (one.isUp ? QString() : tr("takes no jobs now"));
        more.removeAll(QString());
        rows.push_back({text(one.name), more.join(QStringLiteral(", ")),
                        tr("%1 of %2").arg(countText(one.idle), countText(one.nodes)),
                        countText(one.cores), bytesText(one.memory),
                        one.limit.empty() ? quantity::none() : text(one.limit)});
    }
    addTable({tr("Partitions"), {}, tr("idle"), tr("cores"), tr("memory"), tr("limit")}, rows,
             {2, 3, 4, 5});
}

void HostReportView::addTable(const QStringList& heads, const std::vector<QStringList>& rows,
                              const std::vector<int>& numbers) {
    if (rows.empty()) {
        return;
    }
    const Sizes& sizes = tokens().sizes;
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, sizes.space.m, 0, 0);
    grid->setHorizontalSpacing(sizes.space.l);
    grid->setVerticalSpacing(sizes.space.xs);
    grid->setColumnStretch(1, 1);
    for (int at = 0; at < heads.size(); ++at) {
        const bool isNumber = std::ranges::find(numbers, at) != numbers.end();
        const Qt::Alignment side = isNumber ? Qt::AlignRight : Qt::AlignLeft;
        auto* head = new QLabel(heads[at], content_);
        head->setFont(at == 0 ? Look::sans(sizes.type.body, sizes.type.semibold)
                              : Look::sans(sizes.type.small));
        setTier(*head, at == 0 ? Tier::primary : Tier::tertiary);
        grid->addWidget(head, 0, at, side);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            QLabel* cell = makeLabel(rows[row][at]);
            cell->setWordWrap(at == 1);
            if (isNumber) {
                cell->setFont(Look::mono(sizes.type.small));
            }
            setTier(*cell, at == 1 ? Tier::secondary : Tier::primary);
            grid->addWidget(cell, static_cast<int>(row) + 1, at, at == 1 ? Qt::Alignment() : side);
        }
    }
    static_cast<QVBoxLayout*>(content_->layout())->addLayout(grid);
}

} // namespace weft::ui
