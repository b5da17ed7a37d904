// SPDX-License-Identifier: Apache-2.0
#include "design/edit/fragment.h"

#include "base/text/expression.h"
#include "design/edit/editing.h"
#include "design/names.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Splits an expression into names and the text between them; numbers such as 1e5 contain no names.
template <class OnName, class OnRest>
void walk(std::string_view text, OnName onName, OnRest onRest) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t start = at;
        if (isLetter(text[at])) {
            while (at < text.size() && (isLetter(text[at]) || isDigit(text[at]))) {
                ++at;
            }
            onName(text.substr(start, at - start));
        } else if (isDigit(text[at]) || text[at] == '.') {
            while (at < text.size() &&
                   (isLetter(text[at]) || isDigit(text[at]) || text[at] == '.')) {
                ++at;
            }
            onRest(text.substr(start, at - start));
        } else {
            onRest(text.substr(at++, 1));
        }
    }
}

} // namespace

std::set<std::string> namesIn(std::string_view expression) {
    std::set<std::string> names;
    walk(
        expression, [&](std::string_view name) { names.emplace(name); }, [](std::string_view) {});
    return names;
}

std::string substituted(std::string_view expression,
                        const std::map<std::string, std::string>& texts) {
    std::string result;
    walk(
        expression,
        [&](std::string_view name) {
            const auto text = texts.find(std::string(name));
            if (text == texts.end()) {
                result += name;
            } else {
                const bool isPlain = std::ranges::all_of(
                    text->second, [](char c) { return isDigit(c) || isLetter(c) || c == '.'; });
                result += isPlain ? text->second : "(" + text->second + ")";
            }
        },
        [&](std::string_view rest) { result += rest; });
    return result;
}

Network fragmentOf(const Network& network, const std::vector<LayerId>& layers) {
    const std::set<LayerId> chosen(layers.begin(), layers.end());
    Network fragment;
    for (const Layer& layer : network.layers) {
        if (chosen.contains(layer.id)) {
            fragment.layers.push_back(layer);
        }
    }
    for (const Wire& wire : network.wires) {
        if (chosen.contains(wire.from.layer) && chosen.contains(wire.to.layer)) {
            fragment.wires.push_back(wire);
        }
    }
    for (const Frame& frame : network.frames) {
        const bool isInside = std::ranges::all_of(
            frame.layers, [&](LayerId layer) { return chosen.contains(layer); });
        if (!frame.layers.empty() && isInside) {
            fragment.frames.push_back(frame);
        }
    }
    return fragment;
}

std::map<LayerId, LayerId> addFragment(Network& network, const Network& fragment, Point offset) {
    const auto moved = [&](Point point) { return Point{point.x + offset.x, point.y + offset.y}; };
    NameMaker names(network);
    std::map<LayerId, LayerId> ids;
    std::map<std::string, std::string> renamed;
    const std::size_t first = network.layers.size();
    LayerId free = freeLayerId(network);
    for (const Layer& layer : fragment.layers) {
        Layer copy = layer;
        copy.id = free;
        copy.name = names.unique(layer.name);
        if (layer.position) {
            copy.position = moved(*layer.position);
        }
        ids.emplace(layer.id, copy.id);
        renamed.emplace(layer.name, copy.name);
        network.layers.push_back(std::move(copy));
        // The next id is free as well, unless the range of ids is exhausted.
        const bool isLast = free.value + 1 == LayerId::none ||
                            findLayer(network, LayerId{free.value + 1}) != nullptr;
        free = isLast ? freeLayerId(network) : LayerId{free.value + 1};
    }
    for (std::size_t i = first; i < network.layers.size(); ++i) {
        Attributes& attributes = network.layers[i].attributes;
        const AttributeValue* share = attributes.find(shareAttribute);
        const auto* name = share == nullptr ? nullptr : std::get_if<std::string>(share);
        if (const auto now = name == nullptr ? renamed.end() : renamed.find(*name);
            now != renamed.end()) {
            attributes.set(std::string(shareAttribute), now->second);
        }
    }
    for (const Wire& wire : fragment.wires) {
        Wire copy = wire;
        copy.from.layer = ids.at(wire.from.layer);
        copy.to.layer = ids.at(wire.to.layer);
        std::ranges::transform(copy.via, copy.via.begin(), moved);
        network.wires.push_back(std::move(copy));
    }
    for (const Frame& frame : fragment.frames) {
        Frame copy = frame;
        copy.topLeft = moved(frame.topLeft);
        std::ranges::transform(frame.layers, copy.layers.begin(),
                               [&](LayerId layer) { return ids.at(layer); });
        network.frames.push_back(std::move(copy));
    }
    for (const Comment& comment : fragment.comments) {
        network.comments.push_back(comment);
        network.comments.back().position = moved(comment.position);
    }
    return ids;
}

void refreshValues(Network& network, const Attributes& parameters) {
    for (Layer& layer : network.layers) {
        for (const auto& [name, expression] : layer.expressions) {
            if (auto value = evaluate(expression, parameters).value) {
                layer.attributes.set(name, std::move(*value));
            }
        }
    }
}

} // namespace weft
