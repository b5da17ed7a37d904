// SPDX-License-Identifier: Apache-2.0
#include "macros/lines_table.h"
#include <weft/group_edits.h>

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

constexpr QLatin1String groupPrefix("group:");

const Layer& layerAt(const LineContext& context, LayerId id) {
    return *findLayer(networkAt(context.design, context.state.path), id);
}

Edited select(LineContext& context, LineWords& words) {
    std::vector<LayerId> layers;
    if (const auto refusal = takeLayers(context, words, layers)) {
        return *refusal;
    }
    context.state.selected = std::move(layers);
    return {};
}

Edited enter(LineContext& context, LineWords& words) {
    const QString word = words.next();
    const NetworkPath path{word == QLatin1String("/") ? std::string() : word.toStdString()};
    if (!hasNetwork(context.design, path)) {
        return refusedEdit(tr("there is no group %1").arg(word));
    }
    context.state.path = path;
    context.state.selected.clear();
    return {};
}

/// Parses a position; the default is below the selection.
std::optional<Point> placeMeant(const LineContext& context, LineWords& words) {
    constexpr double below = 96;
    const Layer* beside = context.state.selected.empty()
                              ? nullptr
                              : findLayer(networkAt(context.design, context.state.path),
                                          context.state.selected.back());
    Point place = beside == nullptr ? Point{} : beside->position.value_or(Point{});
    const bool isFar = words.takeIf(QLatin1String("at"));
    if (!isFar && !words.takeIf(QLatin1String("by"))) {
        place.y += beside == nullptr ? 0 : below;
        return place;
    }
    const auto x = words.takeNumber();
    const auto y = x ? words.takeNumber() : std::nullopt;
    if (!y) {
        return std::nullopt;
    }
    return isFar ? Point{*x, *y} : Point{place.x + *x, place.y + *y};
}

Edited add(LineContext& context, LineWords& words) {
    const QString kind = words.next();
    const std::string name =
        words.takeIf(QLatin1String("named")) ? words.next().toStdString() : std::string();
    const auto place = placeMeant(context, words);
    if (!place) {
        return refusedEdit(tr("a position is two numbers"));
    }
    Layer layer{.name = name, .kind = kind.toStdString(), .position = *place};
    if (kind.startsWith(groupPrefix)) {
        layer.kind = groupKind;
        layer.group = kind.mid(groupPrefix.size()).toStdString();
        if (context.design.group(layer.group) == nullptr) {
            return refusedEdit(tr("there is no group %1").arg(kind.mid(groupPrefix.size())));
        }
    } else if (const LayerKindInfo* info = findKind(context.kinds, layer.kind)) {
        layer.attributes = startingAttributes(*info);
    } else {
        return refusedEdit(tr("there is no layer kind %1").arg(kind));
    }
    if (!name.empty() &&
        findLayer(networkAt(context.design, context.state.path), name) != nullptr) {
        return refusedEdit(tr("a layer %1 already exists").arg(QString::fromStdString(name)));
    }
    Edited edited = addLayer(context.design, context.state.path, std::move(layer));
    context.state.selected = edited.layers;
    return edited;
}

Edited remove(LineContext& context, LineWords& words) {
    std::vector<LayerId> layers;
    if (const auto refusal = takeLayers(context, words, layers)) {
        return *refusal;
    }
    std::erase_if(context.state.selected,
                  [&](LayerId layer) { return std::ranges::find(layers, layer) != layers.end(); });
    return removeLayers(context.design, context.state.path, layers);
}

Edited rename(LineContext& context, LineWords& words) {
    const std::string name = words.next().toStdString();
    return editEachLayer(context, words, [&](LayerId layer) {
        return renameLayer(context.design, context.state.path, layer, name);
    });
}

Edited changeKind(LineContext& context, LineWords& words) {
    const QString kind = words.next();
    if (findKind(context.kinds, kind.toStdString()) == nullptr) {
        return refusedEdit(tr("there is no layer kind %1").arg(kind));
    }
    return editEachLayer(context, words, [&](LayerId layer) {
        return setKind(context.design, context.state.path, layer, kind.toStdString());
    });
}

bool hasAttribute(const LineContext& context, const Layer& layer, const std::string& name) {
    if (layer.attributes.has(name)) {
        return true;
    }
    if (layer.kind == groupKind) {
        const GroupDefinition* group = context.design.group(layer.group);
        return group != nullptr && group->parameters.has(name);
    }
    const LayerKindInfo* kind = findKind(context.kinds, layer.kind);
    return kind == nullptr || std::ranges::find(kind->attributes, name, &AttributeSpec::name) !=
                                  kind->attributes.end();
}

Edited onAttribute(LineContext& context, LineWords& words, const std::string& name,
                   const std::function<Edited(LayerId)>& edit) {
    return editEachLayer(context, words, [&](LayerId id) {
        const Layer& layer = layerAt(context, id);
        return hasAttribute(context, layer, name)
                   ? edit(id)
                   : refusedEdit(tr("%1 has no attribute %2")
                                     .arg(QString::fromStdString(layer.name),
                                          QString::fromStdString(name)));
    });
}

Edited set(LineContext& context, LineWords& words) {
    const std::string name = words.next().toStdString();
    const QString value = words.next();
    return onAttribute(context, words, name, [&](LayerId layer) {
        return value.startsWith('=') ? setExpression(context.design, context.state.path, layer,
                                                     name, value.mid(1).toStdString())
                                     : setAttribute(context.design, context.state.path, layer, name,
                                                    parseValue(value));
    });
}

Edited reset(LineContext& context, LineWords& words) {
    const std::string name = words.next().toStdString();
    return onAttribute(context, words, name, [&](LayerId layer) {
        return resetAttribute(context.design, context.state.path, layer, name);
    });
}

using SetFlag = Edited (*)(Design&, const NetworkPath&, const std::vector<LayerId>&, bool);

template <SetFlag setFlag>
Edited flag(LineContext& context, LineWords& words) {
    const QString word = words.next();
    if (word != QLatin1String("on") && word != QLatin1String("off")) {
        return refusedEdit(tr("%1 is neither on nor off").arg(word));
    }
    return editLayers(context, words, [&](const std::vector<LayerId>& layers) {
        return setFlag(context.design, context.state.path, layers, word == QLatin1String("on"));
    });
}

Edited repeat(LineContext& context, LineWords& words) {
    const auto count = words.takeInteger();
    if (!count) {
        return refusedEdit(tr("%1 is not a count").arg(words.next()));
    }
    return editEachLayer(context, words, [&](LayerId layer) {
        return setRepeat(context.design, context.state.path, layer, *count);
    });
}

Edited spread(LineContext& context, LineWords& words) {
    return editWithAssignment(words, [&](const std::optional<Assignment>& assignment) {
        return editLayers(context, words, [&](const std::vector<LayerId>& layers) {
            return assign(context.design, context.state.path, layers, assignment);
        });
    });
}

Edited note(LineContext& context, LineWords& words) {
    const std::string text = words.next().toStdString();
    return editEachLayer(context, words, [&](LayerId layer) {
        return setNote(context.design, context.state.path, layer, text);
    });
}

Edited move(LineContext& context, LineWords& words) {
    const auto x = words.takeNumber();
    const auto y = x ? words.takeNumber() : std::nullopt;
    if (!y) {
        return refusedEdit(tr("a distance is two numbers"));
    }
    return editLayers(context, words, [&](const std::vector<LayerId>& layers) {
        return moveLayers(context.design, context.state.path, layers, {*x, *y});
    });
}

} // namespace

std::vector<MacroLine> layerLines() {
    return {
        {"edit.select", "[LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Selects these layers; $ means the layers selected when the "
                                    "macro began; without arguments, selects nothing"),
         0, select},
        {"layer.enter", "GROUP",
         QT_TRANSLATE_NOOP("lines", "Opens a group; / leads to the top level"), 1, enter},
        {"layer.add", "KIND [named NAME] [at X Y | by X Y]",
         QT_TRANSLATE_NOOP("lines", "Adds a layer, or group:NAME, and selects it: at a position, "
                                    "at a distance from the selected layer, or else below it"),
         1, add},
        {"edit.delete", "LAYER ...",
         QT_TRANSLATE_NOOP("lines", "Deletes these layers with their wires"), 1, remove},
        {"layer.rename", "NAME [for LAYER]", QT_TRANSLATE_NOOP("lines", "Renames a layer"), 1,
         rename},
        {"layer.kind", "KIND [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Changes the kind of layers"), 1, changeKind},
        {"layer.set", "ATTRIBUTE VALUE [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines",
                           "Sets an attribute, written as in the file; =4*16 keeps the expression"),
         2, set},
        {"layer.reset", "ATTRIBUTE [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Resets an attribute to the default of its kind"), 1, reset},
        {"layer.mute", "on|off [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Leaves muted layers out of the network, or unmutes them"), 1,
         flag<setMuted>},
        {"layer.bypass", "on|off [for LAYER ...]",
         QT_TRANSLATE_NOOP(
             "lines", "Bypasses layers, which then pass on their first input, or ends the bypass"),
         1, flag<setBypassed>},
        {"layer.pin", "on|off [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Pins layers to their positions, or unpins them"), 1,
         flag<setPinned>},
        {"layer.repeat", "COUNT [for LAYER]",
         QT_TRANSLATE_NOOP("lines", "Sets how many copies of a group follow one another"), 1,
         repeat},
        {"layer.assign", "WORD ... [on DEVICE ... [as 2x2]] [for LAYER ...]",
         QT_TRANSLATE_NOOP(
             "lines", "Assigns layers, with one word per mesh axis; none removes their assignment"),
         1, spread},
        {"layer.note", "TEXT [for LAYER]", QT_TRANSLATE_NOOP("lines", "Sets the note of a layer"),
         1, note},
        {"layer.move", "X Y [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Moves layers by a distance"), 2, move},
    };
}

} // namespace weft::ui
