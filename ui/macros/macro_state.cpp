// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_state.h"

#include <algorithm>

namespace weft::ui {

namespace {

constexpr qsizetype farthest = 3; ///< number of wires that a reference may follow

/// Returns std::nullopt if the layer has no such neighbour or several.
std::optional<LayerId> only(const Network& network, LayerId layer, bool isDown) {
    std::optional<LayerId> found;
    for (const Wire& wire : network.wires) {
        if ((isDown ? wire.from.layer : wire.to.layer) != layer) {
            continue;
        }
        const LayerId other = isDown ? wire.to.layer : wire.from.layer;
        if (found && *found != other) {
            return std::nullopt;
        }
        found = other;
    }
    return found;
}

std::optional<LayerId> numbered(const std::vector<LayerInNetwork>& known, const MacroState& state,
                                const QString& number) {
    bool isNumber = false;
    const std::size_t place = number.toULong(&isNumber);
    if (!isNumber || place == 0 || place > known.size() || !(known[place - 1].path == state.path)) {
        return std::nullopt;
    }
    return known[place - 1].layer;
}

/// Returns the number of unambiguous steps along wires from one layer to the other; std::nullopt if
/// it is too far or ambiguous.
std::optional<qsizetype> steps(const Network& network, LayerId from, LayerId to, bool isDown) {
    std::optional<LayerId> at = from;
    for (qsizetype count = 0; at && count <= farthest; ++count) {
        if (*at == to) {
            return count;
        }
        at = only(network, *at, isDown);
    }
    return std::nullopt;
}

} // namespace

MacroState MacroState::atStart(const NetworkPath& path, std::vector<LayerId> selected) {
    MacroState state{
        .path = path, .selected = std::move(selected), .initialLayers = {}, .addedLayers = {}};
    for (const LayerId layer : state.selected) {
        state.initialLayers.push_back({path, layer});
    }
    return state;
}

std::optional<LayerId> resolveLayer(const Design& design, const MacroState& state,
                                    const QString& word) {
    const Network& network = networkAt(design, state.path);
    qsizetype end = word.size();
    while (end > 1 && (word[end - 1] == '>' || word[end - 1] == '<')) {
        --end;
    }
    const QString base = word.left(end);
    std::optional<LayerId> found;
    if (base.startsWith('$') || base.startsWith('+')) {
        found = numbered(base.startsWith('$') ? state.initialLayers : state.addedLayers, state,
                         base.mid(1));
    } else if (const Layer* named = findLayer(network, std::string_view(base.toStdString()))) {
        found = named->id;
    }
    for (qsizetype i = end; found && i < word.size(); ++i) {
        found = only(network, *found, word[i] == '>');
    }
    return found && findLayer(network, *found) != nullptr ? found : std::nullopt;
}

QString referenceTo(const Design& design, const MacroState& state, LayerId layer) {
    const Network& network = networkAt(design, state.path);
    QString best;
    const auto consider = [&](const std::vector<LayerInNetwork>& known, char mark) {
        for (std::size_t i = 0; i < known.size(); ++i) {
            for (const bool isDown : {true, false}) {
                const auto count =
                    known[i].path == state.path && findLayer(network, known[i].layer) != nullptr
                        ? steps(network, known[i].layer, layer, isDown)
                        : std::nullopt;
                const QString word =
                    mark + QString::number(i + 1) + QString(count.value_or(0), isDown ? '>' : '<');
                if (count && (best.isEmpty() || word.size() < best.size())) {
                    best = word;
                }
            }
        }
    };
    consider(state.addedLayers, '+');
    consider(state.initialLayers, '$');
    const Layer* named = findLayer(network, layer);
    return best.isEmpty() && named != nullptr ? QString::fromStdString(named->name) : best;
}

std::optional<Endpoint> resolveEndpoint(const Design& design, const MacroState& state,
                                        const QString& word) {
    const qsizetype dot = word.lastIndexOf('.');
    const auto layer = resolveLayer(design, state, word.left(dot));
    return dot < 0 || !layer ? std::nullopt
                             : std::optional(Endpoint{*layer, word.mid(dot + 1).toStdString()});
}

QString referenceTo(const Design& design, const MacroState& state, const Endpoint& end) {
    return referenceTo(design, state, end.layer) + '.' + QString::fromStdString(end.port);
}

void recordAddedLayers(MacroState& state, const Design& before, const Design& after) {
    if (!hasNetwork(before, state.path) || !hasNetwork(after, state.path)) {
        return;
    }
    const Network& network = networkAt(before, state.path);
    for (const Layer& layer : networkAt(after, state.path).layers) {
        if (findLayer(network, layer.id) == nullptr) {
            state.addedLayers.push_back({state.path, layer.id});
        }
    }
}

} // namespace weft::ui
