// SPDX-License-Identifier: Apache-2.0
// The additional parts of a wide assignment panel: the comparison of a choice with the present
// assignment, the ways to cross into the layer, and the layers that a choice applies to.
#include "canvas/scene/known_layers.h"
#include "panels/assignment/assignment_panel.h"
#include "panels/assignment/choice_comparison.h"
#include "panels/assignment/choice_row.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QScrollArea>
#include <algorithm>
#include <array>

namespace weft::ui {

namespace {

/// From this width and a least height on, the panel compares the choice with the present assignment
/// below the list. From the second width on, the comparison is beside the list, which then has its
/// widest form.
constexpr int widthToCompare = 640;
constexpr int heightToCompare = 520;
constexpr int widthForBeside = 1104;

/// Values as stored in a wire.
constexpr std::array schemes{"", "whole"};

} // namespace

void AssignmentPanel::buildReach() {
    const Layer& shown = *layer();
    const auto selected = design()->selection().layers().size();
    reach_->clear();
    reach_->addItem(QString::fromStdString(shown.name), static_cast<int>(Reach::layer));
    if (selected > 1) {
        reach_->addItem(tr("selection (%1)").arg(selected), static_cast<int>(Reach::selection));
        reach_->setCurrentIndex(1);
    }
    const auto alike =
        std::ranges::count(design()->selection().network().layers, shown.kind, &Layer::kind);
    if (alike > 1 && shown.kind != groupKind) {
        reach_->addItem(tr("all %1 (%2)").arg(QString::fromStdString(shown.kind)).arg(alike),
                        static_cast<int>(Reach::kind));
    }
}

std::vector<LayerId> AssignmentPanel::targets() const {
    const Selection& selection = design()->selection();
    // Hidden widgets are not counted.
    if (reachBox_->isHidden()) {
        return selection.list();
    }
    switch (static_cast<Reach>(reach_->currentData().toInt())) {
    case Reach::layer: return {selection.current()};
    case Reach::selection: break;
    case Reach::kind: {
        std::vector<LayerId> alike;
        for (const Layer& one : selection.network().layers) {
            if (one.kind == layer()->kind) {
                alike.push_back(one.id);
            }
        }
        return alike;
    }
    }
    return selection.list();
}

void AssignmentPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    const bool wasShown = !comparisonScroll_->isHidden();
    fit();
    if (wasShown == comparisonScroll_->isHidden() && layer() != nullptr) {
        buildChoices();
    }
}

void AssignmentPanel::fit() {
    const bool isBeside = width() >= widthForBeside;
    const bool hasChoices = layer() != nullptr && allDevices().size() > 1;
    const bool isShown =
        hasChoices && (isBeside || (width() >= widthToCompare && height() >= heightToCompare));
    comparisonScroll_->setVisible(isShown);
    reachBox_->setVisible(isShown);
    body_->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

const ChoiceRow* AssignmentPanel::compared() const {
    if (looked_ >= 0) {
        return choices_[static_cast<std::size_t>(looked_)];
    }
    const ChoiceRow* best = nullptr;
    for (const ChoiceRow* row : choices_) {
        const ChoicePrice& price = row->price();
        if (price.step > 0 && !row->isPresent() && !price.overflows() &&
            (best == nullptr || price.step < best->price().step)) {
            best = row;
        }
    }
    return best;
}

void AssignmentPanel::compare() {
    if (comparisonScroll_->isHidden() || choices_.empty()) {
        return;
    }
    const auto present = std::ranges::find_if(choices_, &ChoiceRow::isPresent);
    const ComparedSide now{isMixed()                   ? tr("as each inner layer")
                           : present == choices_.end() ? tr("follows its input")
                                                       : (*present)->choice().title,
                           now_};
    const ChoiceRow* wanted = compared();
    comparison_->compare({design()->selection().path(), design()->selection().current(), now,
                          wanted == nullptr || wanted->isPresent()
                              ? now
                              : ComparedSide{wanted->choice().title, wanted->price()}});
}

const Wire* AssignmentPanel::boundary() const {
    if (layer() == nullptr) {
        return nullptr;
    }
    const Design& shown = design()->document().design();
    const Network& network = design()->selection().network();
    const auto checked = design()->check().answer();
    const CheckedLayers known(shown, design()->selection().path(), checked->preview.get());
    for (const Wire& wire : network.wires) {
        if (wire.to.layer != layer()->id) {
            continue;
        }
        const CollectivePreview* travels =
            known.trafficOn(wire, *findLayer(network, wire.from.layer), *layer()).forward;
        if (!wire.scheme.empty() || (travels != nullptr && travels->sentPerDevice.count > 0)) {
            return &wire;
        }
    }
    return nullptr;
}

void AssignmentPanel::askBoundary(PriceQuestion& question) {
    boundaries_.clear();
    if (const Wire* wire = comparisonScroll_->isHidden() ? nullptr : boundary()) {
        for (const char* scheme : schemes) {
            question.choices.emplace_back(
                [path = design()->selection().path(), to = wire->to, scheme](Design& target) {
                    return setScheme(target, path, to, scheme);
                });
        }
        boundaries_.resize(schemes.size());
    }
}

void AssignmentPanel::showBoundary() {
    const Wire* wire = boundaries_.empty() ? nullptr : boundary();
    std::vector<BoundaryChoice> ways;
    QString title;
    if (wire != nullptr) {
        const Layer* from = findLayer(design()->selection().network(), wire->from.layer);
        title = QString::fromStdString(from->name + " → " + layer()->name);
        for (std::size_t i = 0; i < boundaries_.size(); ++i) {
            const QString scheme = QLatin1String(schemes[i]);
            ways.push_back({scheme, scheme.isEmpty() ? tr("cheapest") : scheme, boundaries_[i],
                            wire->scheme == schemes[i]});
        }
    }
    comparison_->setBoundary(title, ways);
}

void AssignmentPanel::cross(const QString& scheme) {
    const Wire* wire = boundary();
    if (wire == nullptr) {
        return;
    }
    design()->document().edit(tr("Boundary"), [path = design()->selection().path(), to = wire->to,
                                               scheme = scheme.toStdString()](Design& target) {
        return setScheme(target, path, to, scheme);
    });
}

} // namespace weft::ui
