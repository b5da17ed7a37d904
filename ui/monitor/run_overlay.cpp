// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/run_overlay.h"

namespace weft::ui {

RunOverlay::RunOverlay(MonitorView& view, QObject* parent) : QObject(parent), view_(view) {
    connect(&view_, &MonitorView::overlayUnwanted, this, [this] { show({}); });
}

RunOverlay::~RunOverlay() { view_.overlay({}); }

QStringList RunOverlay::folders() const {
    QStringList folders;
    for (const auto& hub : hubs_) {
        folders << hub->folder();
    }
    return folders;
}

void RunOverlay::show(const QStringList& folders) {
    // The view lets go of the old ones first.
    view_.overlay({});
    hubs_.clear();
    for (const QString& folder : folders) {
        auto hub = std::make_unique<RunHub>();
        connect(hub.get(), &RunHub::grown, this, [this](const RunGrowth& growth) {
            if (growth.hasSteps) {
                view_.refresh();
            }
        });
        hub->open(folder);
        hubs_.push_back(std::move(hub));
    }
    lay();
}

void RunOverlay::lay() {
    std::vector<OverlaidRun> runs;
    runs.reserve(hubs_.size());
    for (const auto& hub : hubs_) {
        runs.push_back({hub->name(), hub.get(), static_cast<int>(runs.size())});
    }
    view_.overlay(std::move(runs));
}

} // namespace weft::ui
