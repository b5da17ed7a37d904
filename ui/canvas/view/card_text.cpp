// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/card_text.h"

#include "theme/quantity.h"
#include "workspace/prediction_words.h"

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("canvas", text); }

QString bytes(Bytes amount) { return quantity::bytes(static_cast<double>(amount.count)); }

QString flops(Flops amount) { return quantity::flops(static_cast<double>(amount.count)); }

/// Spells out a placement: "S(0) R" becomes "Split(0) Replicated".
QString placementInWords(const std::string& placement) {
    QStringList words;
    for (const QString& word : QString::fromStdString(placement).split(' ')) {
        words << (word.startsWith('S')   ? "Split" + word.mid(1)
                  : word.startsWith('P') ? QStringLiteral("Partial")
                                         : QStringLiteral("Replicated"));
    }
    return words.join(' ');
}

const PortPreview* outputOf(const LayerPreview* layer, const std::string& port) {
    if (layer == nullptr || layer->outputs.empty()) {
        return nullptr;
    }
    for (const PortPreview& one : layer->outputs) {
        if (one.port == port) {
            return &one;
        }
    }
    return &layer->outputs.front();
}

QString inShort(const PortPreview& port) {
    return QString::fromStdString(std::string(nameOf(port.dtype))) + ' ' +
           quantity::shapeInText(port.shape);
}

void addShapes(CardText& card, const LayerPreview& layer, LayerId id, const CheckedLayers& known,
               const Network& network) {
    for (const Wire& wire : network.wires) {
        const Layer* from = findLayer(network, wire.from.layer);
        if (wire.to.layer == id && from != nullptr) {
            if (const PortPreview* x = outputOf(known.find(*from), wire.from.port)) {
                card.rows.emplace_back(tr("In"), inShort(*x));
            }
        }
    }
    for (const PortPreview& y : layer.outputs) {
        card.rows.emplace_back(tr("Out"), inShort(y));
        if (!y.placement.empty() && layer.devices.size() > 1) {
            card.rows.emplace_back(tr("Placed"), placementInWords(y.placement));
        }
    }
}

/// Formats a predicted time with its range if that is known: "≈ 1.20 ms (1.02–1.51 ms)".
QString withBand(double predicted, double low, double high) {
    const QString time = quantity::predicted(quantity::time(predicted));
    return high > low ? time + " (" + quantity::timeBand(low, high) + ")" : time;
}

void addComputing(CardText& card, const NodeView& node) {
    if (node.predicted > 0) {
        card.rows.emplace_back(tr("Computing"),
                               withBand(node.predicted, node.predictedLow, node.predictedHigh));
    }
}

QString timeOf(const CollectiveStep& step) {
    return withBand(quantity::seconds(step.time), quantity::seconds(step.band.low),
                    quantity::seconds(step.band.high));
}

/// Adds a note if the times belong to an earlier revision of the design.
void addOlder(CardText& card, bool isOlder) {
    if (isOlder) {
        card.rows.emplace_back(tr("Predicted"), olderNote());
    }
}

} // namespace

CardText hoverCardText(const NodeView& node, const Layer& layer, const CheckedLayers& known,
                       const Network& network, const std::optional<LayerTime>& times) {
    CardText card{.title = node.name, .kind = node.kind};
    for (const auto& [name, value] : node.fields) {
        card.rows.emplace_back(name, value);
    }
    if (const LayerPreview* found = known.find(layer)) {
        addShapes(card, *found, node.id, known, network);
        const LayerStep* step = known.stepOf(*found);
        card.rows.emplace_back(tr("Parameters per device"), bytes(found->parameterBytes));
        if (step != nullptr) {
            card.rows.emplace_back(tr("Activations per device"), bytes(step->made));
        }
        card.rows.emplace_back(tr("Forward"), flops(found->forward));
        card.rows.emplace_back(tr("Backward"), flops(found->backward));
        addComputing(card, node);
        if (step != nullptr && step->communicate.count > 0) {
            card.rows.emplace_back(tr("Communicating"),
                                   quantity::predicted(quantity::time(step->communicate)));
        }
    } else {
        addComputing(card, node);
    }
    addOlder(card, node.isOlder);
    if (times) {
        const auto whole = quantity::seconds(times->compute());
        card.rows.emplace_back(tr("Computing, measured"),
                               node.isOutside(whole)
                                   ? tr("%1, outside the range").arg(quantity::time(whole))
                                   : quantity::time(whole));
        card.rows.emplace_back(tr("Forward, measured"), quantity::time(times->forward));
        card.rows.emplace_back(tr("dx and dW, measured"), quantity::time(times->backward));
        card.rows.emplace_back(tr("Update, measured"), quantity::time(times->update));
    }
    if (!node.marks.empty()) {
        card.problem = node.marks.front().text;
        card.fix = node.marks.front().fix;
        card.canMend = node.marks.front().canMend;
    }
    return card;
}

CardText hoverCardText(const BadgeView& badge, const Wire& wire, const CheckedLayers& known,
                       const Network& network) {
    CardText card{.title = badge.kind};
    const Layer* from = findLayer(network, wire.from.layer);
    const Layer* to = findLayer(network, wire.to.layer);
    if (from == nullptr || to == nullptr) {
        return card;
    }
    card.kind = QString::fromStdString(from->name + " → " + to->name);
    const CheckedLayers::Traffic traffic = known.trafficOn(wire, *from, *to);
    const auto add = [&](const QString& way, const CollectivePreview* one) {
        if (one != nullptr) {
            const CollectiveStep* step = known.stepOf(*one);
            card.rows.emplace_back(way, QString::fromStdString(one->kind) + " · " +
                                            bytes(one->sentPerDevice) +
                                            (step != nullptr ? " · " + timeOf(*step) : QString()));
        }
    };
    add(tr("Forward"), traffic.forward);
    add(tr("Backward"), traffic.backward);
    card.rows.emplace_back(tr("Bytes"), tr("sent per device and step"));
    addOlder(card, badge.isOlder);
    return card;
}

CardText hoverCardText(const SyncView& view, const Layer& layer, const CheckedLayers& known) {
    const LayerPreview* found = known.find(layer);
    CardText card{.title = tr("How %1 learns").arg(QString::fromStdString(layer.name)),
                  .kind = QString::fromStdString(view.badge.name)};
    if (found == nullptr || !found->sync) {
        return card;
    }
    const SyncPreview& sync = *found->sync;
    const auto add = [&](const QString& step, const QString& words) {
        card.rows.emplace_back(QStringLiteral("%1 ").arg(card.rows.size() + 1) + step, words);
    };
    add(tr("sum dW"), found->devices.size() > 1 ? tr("each device over its own elements")
                                                : tr("over all elements"));
    if (sync.name.empty()) {
        add(tr("send"), tr("nothing: one device holds all of it"));
    } else {
        add(QString::fromStdString(sync.kind),
            bytes(sync.sentPerDevice) + tr(" per device") +
                (sync.step ? " · " + timeOf(*sync.step) : QString()) + " · " +
                reduceIntervalText(sync));
    }
    add(tr("divide"), sync.isCounted     ? tr("by the count that the layer keeps")
                      : sync.updates > 1 ? tr("by %1 updates: their mean").arg(sync.updates)
                                         : tr("no: it is already a mean"));
    add(tr("apply"), QString::fromStdString(sync.applies) + " · " + applyIntervalText(sync));
    if (!sync.renormalises.empty()) {
        add(tr("renormalise"), QString::fromStdString(sync.renormalises));
    }
    return card;
}

QString wireLabel(const Wire& wire, const CheckedLayers& known, const Network& network) {
    const Layer* from = findLayer(network, wire.from.layer);
    const PortPreview* y = from == nullptr ? nullptr : outputOf(known.find(*from), wire.from.port);
    if (y == nullptr) {
        return {};
    }
    const double size =
        static_cast<double>(elementsOf(y->shape)) * static_cast<double>(byteSize(y->dtype));
    QString text = inShort(*y) + " · " + quantity::bytes(size);
    if (!y->placement.empty()) {
        text += " · " + placementInWords(y->placement);
    }
    return text;
}

} // namespace weft::ui
