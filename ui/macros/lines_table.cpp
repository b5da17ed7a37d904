// SPDX-License-Identifier: Apache-2.0
#include "macros/lines_table.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

bool isAmong(const std::vector<PortInfo>& ports, const std::string& name) {
    return std::ranges::any_of(ports, [&](const PortInfo& port) {
        return port.variadic ? name.starts_with(port.name) : name == port.name;
    });
}

bool hasPort(const LineContext& context, const Endpoint& end, bool isInput) {
    const Layer& layer = *findLayer(networkAt(context.design, context.state.path), end.layer);
    if (const GroupDefinition* group =
            layer.kind == groupKind ? context.design.group(layer.group) : nullptr) {
        const auto& ports = isInput ? group->inputs : group->outputs;
        return std::ranges::find(ports, end.port, &GroupPort::name) != ports.end();
    }
    const LayerKindInfo* kind = findKind(context.kinds, layer.kind);
    return kind == nullptr || isAmong(isInput ? kind->inputs : kind->outputs, end.port);
}

} // namespace

std::span<const MacroLine> lineTable() {
    static const std::vector<MacroLine> table = [] {
        std::vector<MacroLine> all = layerLines();
        for (const auto& more : {wireLines(), groupLines(), designLines()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return table;
}

const MacroLine* findLine(const QString& id) {
    const auto found = std::ranges::find_if(
        lineTable(), [&](const MacroLine& line) { return id == QLatin1String(line.id); });
    return found == lineTable().end() ? nullptr : &*found;
}

LineInfo infoOf(const MacroLine& line) {
    return {.id = QLatin1String(line.id),
            .arguments = QLatin1String(line.arguments),
            .help = QCoreApplication::translate("lines", line.help),
            .least = line.least};
}

Edited runLine(const MacroLine& line, LineContext at, const QStringList& words) {
    const Design before = at.design;
    const NetworkPath path = at.state.path;
    LineWords left(words);
    Edited edited = line.run(at, left);
    if (edited.isDone() && !left.isEnd()) {
        edited =
            refusedEdit(QCoreApplication::translate("lines", "%1 is surplus: the arguments are %2")
                            .arg(left.next(), QLatin1String(line.arguments)));
    }
    if (edited.isDone() && at.state.path == path) {
        recordAddedLayers(at.state, before, at.design);
    }
    return edited;
}

Edited refusedEdit(const QString& why) {
    return {.refusal = Diagnostic{.code = "E201", .text = why.toStdString()}};
}

Edited noSuchLayer(const QString& word) {
    return refusedEdit(QCoreApplication::translate("lines", "there is no layer %1 here").arg(word));
}

std::optional<Edited> takeLayers(const LineContext& context, LineWords& words,
                                 std::vector<LayerId>& layers) {
    const Network& network = networkAt(context.design, context.state.path);
    while (!words.isEnd()) {
        const QString word = words.next();
        if (word == QLatin1String("$")) {
            for (const LayerInNetwork& known : context.state.initialLayers) {
                if (known.path == context.state.path &&
                    findLayer(network, known.layer) != nullptr) {
                    layers.push_back(known.layer);
                }
            }
            continue;
        }
        const auto layer = resolveLayer(context.design, context.state, word);
        if (!layer) {
            return noSuchLayer(word);
        }
        layers.push_back(*layer);
    }
    return std::nullopt;
}

std::optional<Endpoint> resolvePort(const LineContext& context, const QString& word, bool isInput) {
    const auto end = resolveEndpoint(context.design, context.state, word);
    return end && hasPort(context, *end, isInput) ? end : std::nullopt;
}

Edited noSuchPort(const QString& word, bool isInput) {
    return refusedEdit((isInput
                            ? QCoreApplication::translate("lines", "there is no input %1 here")
                            : QCoreApplication::translate("lines", "there is no output %1 here"))
                           .arg(word));
}

Edited editWithAssignment(LineWords& words,
                          const std::function<Edited(const std::optional<Assignment>&)>& edit) {
    const QStringList said = words.takeUntil(QLatin1String("for"));
    const auto assignment = parseAssignment(said);
    if (!assignment && said != QStringList{QStringLiteral("none")}) {
        return refusedEdit(
            QCoreApplication::translate("lines", "%1 is not an assignment").arg(said.join(' ')));
    }
    return edit(assignment);
}

Edited editLayers(LineContext& context, LineWords& words,
                  const std::function<Edited(const std::vector<LayerId>&)>& edit) {
    std::vector<LayerId> layers = context.state.selected;
    if (words.takeIf(QLatin1String("for"))) {
        layers.clear();
        if (const auto refusal = takeLayers(context, words, layers)) {
            return *refusal;
        }
    }
    if (layers.empty()) {
        return refusedEdit(QCoreApplication::translate("lines", "no layer is selected"));
    }
    return edit(layers);
}

Edited editEachLayer(LineContext& context, LineWords& words,
                     const std::function<Edited(LayerId)>& edit) {
    return editLayers(context, words, [&](const std::vector<LayerId>& layers) {
        Edited edited;
        for (const LayerId layer : layers) {
            edited = edit(layer);
            if (!edited.isDone()) {
                break;
            }
        }
        return edited;
    });
}

} // namespace weft::ui
