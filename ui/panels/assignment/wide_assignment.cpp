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

void AssignmentPanel::buildScope() {
    const Layer& shown = *layer();
    const auto selected = design()->selection().layers().size();
    scopeList_->clear();
    scopeList_->addItem(QString::fromStdString(shown.name), static_cast<int>(ChoiceScope::layer));
    if (selected > 1) {
        scopeList_->addItem(tr("selection (%1)").arg(selected),
                            static_cast<int>(ChoiceScope::selection));
        scopeList_->setCurrentIndex(1);
    }
    const auto alike =
        std::ranges::count(design()->selection().network().layers, shown.kind, &Layer::kind);
    if (alike > 1 && shown.kind != groupKind) {
        scopeList_->addItem(tr("all %1 (%2)").arg(QString::fromStdString(shown.kind)).arg(alike),
                            static_cast<int>(ChoiceScope::kind));
    }
}

std::vector<LayerId> AssignmentPanel::targetLayers() const {
    const Selection& selection = design()->selection();
    // Without the list of scopes, a choice applies to the selection.
    if (scopeBox_->isHidden()) {
        return selection.list();
    }
    switch (static_cast<ChoiceScope>(scopeList_->currentData().toInt())) {
    case ChoiceScope::layer: return {selection.current()};
    case ChoiceScope::selection: break;
    case ChoiceScope::kind: {
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
    fitToSize();
    if (wasShown == comparisonScroll_->isHidden() && layer() != nullptr) {
        buildChoices();
    }
}

void AssignmentPanel::fitToSize() {
    const bool isBeside = width() >= widthForBeside;
    const bool hasChoices = layer() != nullptr && allDevices().size() > 1;
    const bool isShown =
        hasChoices && (isBeside || (width() >= widthToCompare && height() >= heightToCompare));
    comparisonScroll_->setVisible(isShown);
    scopeBox_->setVisible(isShown);
    body_->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

const ChoiceRow* AssignmentPanel::comparedRow() const {
    if (comparedIndex_ >= 0) {
        return choiceRows_[static_cast<std::size_t>(comparedIndex_)];
    }
    const ChoiceRow* best = nullptr;
    for (const ChoiceRow* row : choiceRows_) {
        const ChoicePrice& price = row->price();
        if (price.step > 0 && !row->isPresent() && !price.overflows() &&
            (best == nullptr || price.step < best->price().step)) {
            best = row;
        }
    }
    return best;
}

void AssignmentPanel::showComparison() {
    if (comparisonScroll_->isHidden() || choiceRows_.empty()) {
        return;
    }
    const auto presentRow = std::ranges::find_if(choiceRows_, &ChoiceRow::isPresent);
    const ComparedSide now{isMixed()                         ? tr("as each inner layer")
                           : presentRow == choiceRows_.end() ? tr("follows its input")
                                                             : (*presentRow)->choice().title,
                           presentPrice_};
    const ChoiceRow* wanted = comparedRow();
    comparison_->compare({design()->selection().path(), design()->selection().current(), now,
                          wanted == nullptr || wanted->isPresent()
                              ? now
                              : ComparedSide{wanted->choice().title, wanted->price()}});
}

const Wire* AssignmentPanel::boundaryWire() const {
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

void AssignmentPanel::addBoundaryChoices(PriceQuestion& question) {
    boundaryPrices_.clear();
    if (const Wire* wire = comparisonScroll_->isHidden() ? nullptr : boundaryWire()) {
        for (const char* scheme : schemes) {
            question.choices.emplace_back(
                [path = design()->selection().path(), to = wire->to, scheme](Design& target) {
                    return setScheme(target, path, to, scheme);
                });
        }
        boundaryPrices_.resize(schemes.size());
    }
}

void AssignmentPanel::showBoundary() {
    const Wire* wire = boundaryPrices_.empty() ? nullptr : boundaryWire();
    std::vector<BoundaryChoice> ways;
    QString title;
    if (wire != nullptr) {
        const Layer* from = findLayer(design()->selection().network(), wire->from.layer);
        title = QString::fromStdString(from->name + " → " + layer()->name);
        for (std::size_t i = 0; i < boundaryPrices_.size(); ++i) {
            const QString scheme = QLatin1String(schemes[i]);
            ways.push_back({scheme, scheme.isEmpty() ? tr("cheapest") : scheme, boundaryPrices_[i],
                            wire->scheme == schemes[i]});
        }
    }
    comparison_->setBoundary(title, ways);
}

void AssignmentPanel::setBoundaryScheme(const QString& scheme) {
    const Wire* wire = boundaryWire();
    if (wire == nullptr) {
        return;
    }
    design()->document().edit(tr("Boundary"), [path = design()->selection().path(), to = wire->to,
                                               scheme = scheme.toStdString()](Design& target) {
        return setScheme(target, path, to, scheme);
    });
}

} // namespace weft::ui
