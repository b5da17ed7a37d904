// SPDX-License-Identifier: Apache-2.0
#include "small_documents.h"

#include <weft/design_file.h>

#include <QStringList>
#include <algorithm>
#include <stdexcept>

namespace weft::test {

Design designOf(std::string text) {
    std::ranges::replace(text, '\'', '"');
    LoadedDesign loaded = parseDesign("{\"weft\": 1, " + text + "}");
    if (!loaded.diagnostics.empty()) {
        throw std::invalid_argument(toString(loaded.diagnostics.front()));
    }
    return std::move(loaded.design);
}

QString wiresOf(const Network& network) {
    QStringList wires;
    for (const Wire& wire : network.wires) {
        const auto end = [&](const Endpoint& at) {
            return QString::fromStdString(findLayer(network, at.layer)->name + "." + at.port);
        };
        wires << end(wire.from) + " -> " + end(wire.to);
    }
    wires.sort();
    return wires.join(", ");
}

QString namesOf(const Network& network) {
    QStringList names;
    for (const Layer& layer : network.layers) {
        names << QString::fromStdString(layer.name);
    }
    return names.join(" ");
}

LayerId id(const Design& design, std::string_view name, const NetworkPath& path) {
    const Layer* layer = findLayer(networkAt(design, path), name);
    return layer == nullptr ? LayerId{} : layer->id;
}

} // namespace weft::test
