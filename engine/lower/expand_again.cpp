// SPDX-License-Identifier: Apache-2.0
// Expands what an edit reached: a small design of the layers that were touched, with those at the
// other ends of their wires, goes the ordinary way; all other layers are moved. Where something is
// wrong, or groups, mutes and bypasses lead wires elsewhere, the whole is expanded anew.
#include "design/document.h"
#include "lower/expand.h"
#include <weft/design_file.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>

namespace weft {

namespace {

constexpr std::size_t nowhere = ExpandedDesign::nowhere;

/// What one list has that another lacks, where most stands in the same order.
template <class T, class Same>
bool findChanges(const std::vector<T>& was, const std::vector<T>& is, const Same& isSame,
                 std::vector<std::size_t>& then, std::vector<std::size_t>& gone) {
    constexpr std::size_t farthest = 8;
    const auto within = [&](const std::vector<T>& list, std::size_t from, const T& wanted) {
        const std::size_t end = std::min(list.size(), from + farthest);
        for (std::size_t k = from; k < end; ++k) {
            if (isSame(list[k], wanted)) {
                return k;
            }
        }
        return nowhere;
    };
    then.assign(is.size(), nowhere);
    std::size_t old = 0;
    for (std::size_t k = 0; k < is.size(); ++k) {
        const std::size_t found = within(was, old, is[k]);
        if (found == nowhere) {
            continue;
        }
        for (; old < found; ++old) {
            gone.push_back(old);
        }
        then[k] = old++;
    }
    for (; old < was.size(); ++old) {
        gone.push_back(old);
    }
    return gone.size() <= farthest;
}

bool isPlain(const Layer& layer) {
    return layer.kind != groupKind && layer.group.empty() && !layer.muted && !layer.bypassed;
}

class Again {
public:
    Again(const Design& design, const std::vector<LayerKindInfo>& kinds, const Design& before,
          ExpandedDesign& last)
        : design_(design), kinds_(kinds), before_(before), last_(last) {}

    std::optional<ExpandedDesign> run() {
        if (!isAlike() || !findTouched() || !expandTouched() || !sort()) {
            return {};
        }
        return assembled();
    }

private:
    /// Each layer of the file is one of the expanded list, nothing was wrong, and only layers and
    /// wires differ.
    [[nodiscard]] bool isAlike() const {
        return last_.problems.empty() && !last_.sharesWeights &&
               last_.order.size() == before_.network.layers.size() && before_.groups.empty() &&
               design_.groups.empty() && design_.devices == before_.devices &&
               design_.assignment == before_.assignment && design_.data.feeds == before_.data.feeds;
    }

    bool findTouched() {
        const auto& layers = design_.network.layers;
        std::vector<std::size_t> gone;
        const auto isOne = [](const Layer& a, const Layer& b) { return a.id == b.id; };
        if (!findChanges(before_.network.layers, layers, isOne, then_, gone)) {
            return false;
        }
        isTouched_.assign(layers.size(), false);
        for (std::size_t k = 0; k < layers.size(); ++k) {
            const Layer* was = then_[k] == nowhere ? nullptr : &before_.network.layers[then_[k]];
            if (was == nullptr || was->name != layers[k].name ||
                !computesTheSame(*was, layers[k])) {
                if (!touch(k) || !canBeCalled(k, was)) {
                    return false;
                }
            }
        }
        return std::ranges::none_of(gone,
                                    [&](std::size_t old) {
                                        const Layer& layer = before_.network.layers[old];
                                        return isFed(layer.name) || isWired(layer.id);
                                    }) &&
               findTouchedWires();
    }

    bool touch(std::size_t layer) {
        constexpr std::size_t most = 32;
        if (!isTouched_[layer]) {
            isTouched_[layer] = true;
            touched_.push_back(layer);
        }
        return touched_.size() <= most && isPlain(design_.network.layers[layer]);
    }

    [[nodiscard]] bool isFed(const std::string& name) const {
        return design_.data.feeds.contains(name);
    }

    [[nodiscard]] bool isWired(LayerId id) const {
        return std::ranges::any_of(design_.network.wires, [&](const Wire& wire) {
            return wire.from.layer == id || wire.to.layer == id;
        });
    }

    /// Its name is its own, and no feed asked for it by another.
    [[nodiscard]] bool canBeCalled(std::size_t layer, const Layer* was) const {
        const std::string& name = design_.network.layers[layer].name;
        if (was != nullptr && was->name == name) {
            return was->kind == design_.network.layers[layer].kind || !isFed(name);
        }
        return (was == nullptr || !isFed(was->name)) &&
               std::ranges::count(design_.network.layers, name, &Layer::name) == 1;
    }

    bool findTouchedWires() {
        const auto isOne = [](const Wire& a, const Wire& b) { return computesTheSame(a, b); };
        std::vector<std::size_t> then;
        std::vector<std::size_t> gone;
        if (!findChanges(before_.network.wires, design_.network.wires, isOne, then, gone)) {
            return false;
        }
        for (std::size_t k = 0; k < then.size(); ++k) {
            if (then[k] == nowhere && !touchEnd(design_.network.wires[k])) {
                return false;
            }
        }
        return std::ranges::all_of(gone, [&](std::size_t old) {
            const Wire& wire = before_.network.wires[old];
            const bool isGone = positionOf(wire.to.layer) == nowhere;
            return (isGone || touchEnd(wire)) &&
                   (positionOf(wire.from.layer) == nowhere || isWired(wire.from.layer));
        });
    }

    bool touchEnd(const Wire& wire) {
        const std::size_t layer = positionOf(wire.to.layer);
        return layer != nowhere && touch(layer);
    }

    [[nodiscard]] std::size_t positionOf(LayerId id) const {
        const auto& layers = design_.network.layers;
        const auto found = std::ranges::find(layers, id, &Layer::id);
        return found == layers.end() ? nowhere : static_cast<std::size_t>(found - layers.begin());
    }

    /// What is wrong with the layers around is not: their own wires are left out.
    bool expandTouched() {
        Design window;
        window.version = design_.version;
        window.devices = design_.devices;
        window.assignment = design_.assignment;
        std::vector<bool> isNear = isTouched_;
        const auto& layers = design_.network.layers;
        std::vector<LayerId> ids;
        ids.reserve(touched_.size());
        for (const std::size_t layer : touched_) {
            ids.push_back(layers[layer].id);
        }
        const auto isOneOf = [&](LayerId id) { return std::ranges::find(ids, id) != ids.end(); };
        for (const Wire& wire : design_.network.wires) {
            if (!isOneOf(wire.from.layer) && !isOneOf(wire.to.layer)) {
                continue;
            }
            for (const Endpoint* end : {&wire.from, &wire.to}) {
                const std::size_t at = positionOf(end->layer);
                if (at == nowhere || end->port.empty()) {
                    return false;
                }
                isNear[at] = true;
            }
            window.network.wires.push_back(wire);
        }
        for (std::size_t k = 0; k < layers.size(); ++k) {
            if (isNear[k]) {
                window.network.layers.push_back(layers[k]);
                near_.push_back(k);
            }
        }
        window_ = expand(window, kinds_);
        const bool isWrong = std::ranges::any_of(window_.problems, [&](const Diagnostic& problem) {
            return problem.layer.isNone() || isOneOf(problem.layer);
        });
        return !isWrong && !window_.sharesWeights && window_.order.size() == near_.size();
    }

    /// By layer of the file those that feed it; then an order as in `expand`.
    bool sort() {
        const std::size_t count = design_.network.layers.size();
        std::vector<std::size_t> now(before_.network.layers.size(), nowhere);
        for (std::size_t k = 0; k < count; ++k) {
            if (then_[k] != nowhere) {
                now[then_[k]] = k;
            }
        }
        last_.order.swap(lastOrder_);
        expandedAt_.assign(count, nowhere);
        sources_.assign(count, {});
        for (std::size_t p = 0; p < lastOrder_.size(); ++p) {
            const std::size_t layer = now[lastOrder_[p]];
            if (layer == nowhere || isTouched_[layer]) {
                continue;
            }
            expandedAt_[layer] = p;
            for (const ExpandedInput& input : last_.layers[p].inputs) {
                sources_[layer].push_back(now[lastOrder_[input.from]]);
            }
        }
        for (std::size_t p = 0; p < window_.order.size(); ++p) {
            const std::size_t layer = near_[window_.order[p]];
            if (isTouched_[layer]) {
                expandedAt_[layer] = p;
                for (const ExpandedInput& input : window_.layers[p].inputs) {
                    sources_[layer].push_back(near_[window_.order[input.from]]);
                }
            }
        }
        return order();
    }

    bool order() {
        const std::size_t count = sources_.size();
        std::vector<std::size_t> missing(count, 0);
        std::vector<std::vector<std::size_t>> fed(count);
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
        for (std::size_t k = 0; k < count; ++k) {
            missing[k] = sources_[k].size();
            for (const std::size_t source : sources_[k]) {
                if (source == nowhere) {
                    return false;
                }
                fed[source].push_back(k);
            }
            if (missing[k] == 0) {
                ready.push(k);
            }
        }
        while (!ready.empty()) {
            const std::size_t k = ready.top();
            ready.pop();
            order_.push_back(k);
            for (const std::size_t next : fed[k]) {
                if (--missing[next] == 0) {
                    ready.push(next);
                }
            }
        }
        return order_.size() == count;
    }

    ExpandedDesign assembled() {
        ExpandedDesign made;
        made.layers.reserve(order_.size());
        std::vector<std::size_t> place(order_.size(), 0);
        for (const std::size_t layer : order_) {
            const std::size_t at = expandedAt_[layer];
            place[layer] = made.layers.size();
            ExpandedLayer& moved = made.layers.emplace_back(
                std::move(isTouched_[layer] ? window_.layers[at] : last_.layers[at]));
            for (std::size_t k = 0; k < moved.inputs.size(); ++k) {
                moved.inputs[k].from = place[sources_[layer][k]];
            }
            made.was.push_back(isTouched_[layer] ? nowhere : at);
        }
        made.order = std::move(order_);
        return made;
    }

    const Design& design_;
    const std::vector<LayerKindInfo>& kinds_;
    const Design& before_;
    ExpandedDesign& last_;
    std::vector<std::size_t> then_; ///< by layer of the file: its position in the file before
    std::vector<bool> isTouched_;   ///< by layer of the file
    std::vector<std::size_t> touched_;
    ExpandedDesign window_;
    std::vector<std::size_t> near_; ///< by layer of the window: its position in the file
    std::vector<std::size_t> lastOrder_;
    std::vector<std::size_t> expandedAt_; ///< by layer of the file: in the window or the last list
    std::vector<std::vector<std::size_t>> sources_; ///< by layer of the file
    std::vector<std::size_t> order_;
};

} // namespace

ExpandedDesign expandAgain(const Design& design, const std::vector<LayerKindInfo>& kinds,
                           const Design& before, ExpandedDesign& last) {
    auto again = Again(design, kinds, before, last).run();
    return again ? std::move(*again) : expand(design, kinds);
}

} // namespace weft
