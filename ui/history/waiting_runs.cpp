// SPDX-License-Identifier: Apache-2.0
#include "history/waiting_runs.h"

#include "theme/look.h"
#include "theme/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace weft::ui {

WaitingRuns::WaitingRuns(RunControl& control, QWidget* parent)
    : QWidget(parent), control_(control), rows_(new QVBoxLayout(this)) {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(0);
    connect(&control_, &RunControl::changed, this, &WaitingRuns::refresh);
    refresh();
}

void WaitingRuns::refresh() {
    while (QLayoutItem* item = rows_->takeAt(0)) {
        item->widget()->deleteLater();
        item->widget()->hide();
        delete item;
    }
    for (const RunTicket& ticket : control_.tickets()) {
        const bool isSent = ticket.way == RunWay::host && ticket.state == TicketState::starting;
        if (ticket.state == TicketState::waiting || isSent) {
            addRow(ticket);
        }
    }
    setVisible(rows_->count() > 0);
}

void WaitingRuns::addRow(const RunTicket& ticket) {
    const Sizes& sizes = tokens().sizes;
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(sizes.space.l, sizes.space.xxs, sizes.space.m, sizes.space.xxs);
    layout->setSpacing(sizes.space.s);
    layout->addWidget(new QLabel(ticket.name, row));
    const bool isSent = ticket.way == RunWay::host;
    const QString sent = ticket.message.isEmpty()
                             ? tr("starts on %1").arg(ticket.host)
                             : tr("is sent to %1: %2").arg(ticket.host, ticket.message);
    auto* waits = new QLabel(isSent ? sent : tr("waits for its turn"), row);
    setTier(*waits, Tier::secondary);
    layout->addWidget(waits);
    layout->addStretch();
    const auto add = [&](const QString& text, const QString& help, auto run) {
        auto* button = new QPushButton(text, row);
        button->setToolTip(help);
        button->setFixedHeight(sizes.size.controlSmall);
        button->setFocusPolicy(Qt::TabFocus);
        // Queued, because the called function deletes the button with its row.
        connect(button, &QPushButton::clicked, this, run, Qt::QueuedConnection);
        layout->addWidget(button);
    };
    if (!isSent) {
        add(tr("Run beside"), tr("Starts immediately, beside the live run"),
            [this, number = ticket.number] { control_.startBeside(number); });
    }
    add(tr("Cancel"), tr("Removes the run from the queue"),
        [this, number = ticket.number] { control_.cancel(number); });
    rows_->addWidget(row);
}

} // namespace weft::ui
