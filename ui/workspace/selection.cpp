// SPDX-License-Identifier: Apache-2.0
#include "workspace/selection.h"

#include <algorithm>

namespace weft::ui {

Selection::Selection(DesignDocument& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document, &DesignDocument::changed, this, &Selection::deselectRemoved);
}

const Network& Selection::network() const { return networkAt(document_.design(), path_); }

void Selection::enter(const NetworkPath& path) {
    if (path == path_ || !hasNetwork(document_.design(), path)) {
        return;
    }
    path_ = path;
    set({}, {}, {});
    emit pathChanged();
}

void Selection::clear() { set({}, {}, {}); }

void Selection::select(const std::vector<LayerId>& layers) {
    set({layers.begin(), layers.end()}, layers.empty() ? LayerId{} : layers.back(), {});
}

void Selection::add(const std::vector<LayerId>& layers) {
    std::set<LayerId> all = layers_;
    all.insert(layers.begin(), layers.end());
    set(std::move(all), layers.empty() ? current_ : layers.back(), {});
}

void Selection::toggle(LayerId layer) {
    std::set<LayerId> all = layers_;
    if (all.erase(layer) > 0) {
        set(all, all.empty() ? LayerId{} : *all.rbegin(), {});
    } else {
        all.insert(layer);
        set(std::move(all), layer, {});
    }
}

void Selection::selectWire(const Wire& wire) { set({}, {}, wire); }

void Selection::growUpstream() { grow(true); }

void Selection::growDownstream() { grow(false); }

void Selection::grow(bool isUpstream) {
    std::set<LayerId> all = layers_;
    for (bool isMore = true; isMore;) {
        isMore = false;
        for (const Wire& wire : network().wires) {
            const LayerId here = isUpstream ? wire.to.layer : wire.from.layer;
            const LayerId there = isUpstream ? wire.from.layer : wire.to.layer;
            isMore = (all.contains(here) && all.insert(there).second) || isMore;
        }
    }
    set(std::move(all), current_, {});
}

void Selection::set(std::set<LayerId> layers, LayerId current, std::optional<Wire> wire) {
    if (layers == layers_ && current == current_ && wire == wire_) {
        return;
    }
    layers_ = std::move(layers);
    current_ = current;
    wire_ = std::move(wire);
    emit changed();
}

void Selection::deselectRemoved() {
    if (!hasNetwork(document_.design(), path_)) {
        enter({});
        return;
    }
    std::set<LayerId> left;
    for (const Layer& layer : network().layers) {
        if (layers_.contains(layer.id)) {
            left.insert(layer.id);
        }
    }
    const LayerId current = left.contains(current_) ? current_
                            : left.empty()          ? LayerId{}
                                                    : *left.rbegin();
    // The wire may have other reroute points now.
    const auto wire = std::ranges::find_if(network().wires, [this](const Wire& one) {
        return wire_ && one.from == wire_->from && one.to == wire_->to;
    });
    set(std::move(left), current,
        wire == network().wires.end() ? std::nullopt : std::optional(*wire));
}

} // namespace weft::ui
