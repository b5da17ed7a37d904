// SPDX-License-Identifier: Apache-2.0
#include "monitor/run_overlay.h"

#include "theme/theme.h"

#include <set>

namespace weft::ui {

RunOverlay::RunOverlay(MonitorView& view, QObject* parent) : QObject(parent), view_(view) {
    connect(&view_, &MonitorView::overlayUnwanted, this, [this] { show({}); });
}

QStringList RunOverlay::folders() const {
    QStringList folders;
    for (const auto& hub : hubs_) {
        folders << hub->folder();
    }
    return folders;
}

void RunOverlay::show(const QStringList& folders) {
    // The view must release the old runs first.
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
    giveColours(this->folders());
    showRuns();
}

/// Gives new runs a colour in the order of their names, which is the order of their start. Unused
/// colours are taken first.
void RunOverlay::giveColours(QStringList folders) {
    constexpr int colours = Theme::deviceColours;
    folders.sort();
    std::set<int> ever;
    for (const auto& [folder, colour] : colours_) {
        ever.insert(colour);
    }
    std::set<int> here;
    QStringList without;
    for (const QString& folder : folders) {
        const auto known = colours_.find(folder);
        if (known == colours_.end() || !here.insert(known->second).second) {
            without << folder;
        }
    }
    for (const QString& folder : without) {
        int colour = 0;
        while (colour < colours && ever.contains(colour)) {
            ++colour;
        }
        if (colour == colours) {
            colour = 0;
            while (here.contains(colour)) {
                ++colour;
            }
        }
        here.insert(colour);
        ever.insert(colour);
        colours_[folder] = colour;
    }
}

void RunOverlay::showRuns() {
    std::vector<OverlaidRun> runs;
    runs.reserve(hubs_.size());
    for (const auto& hub : hubs_) {
        runs.push_back({hub->name(), hub.get(), colours_.at(hub->folder())});
    }
    view_.overlay(std::move(runs));
}

} // namespace weft::ui
