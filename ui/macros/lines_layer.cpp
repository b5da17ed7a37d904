// SPDX-License-Identifier: GPL-3.0-or-later
#include "macros/lines_table.h"
#include <weft/group_edits.h>

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

constexpr QLatin1String groupPrefix("group:");

const Layer& layerAt(const LineSite& at, LayerId id) {
    return *findLayer(networkAt(at.design, at.hand.path), id);
}

Edited select(LineSite& at, LineWords& words) {
    std::vector<LayerId> layers;
    if (const auto refusal = takeLayers(at, words, layers)) {
        return *refusal;
    }
    at.hand.selected = std::move(layers);
    return {};
}

Edited enter(LineSite& at, LineWords& words) {
    const QString word = words.next();
    const NetworkPath path{word == QLatin1String("/") ? std::string() : word.toStdString()};
    if (!hasNetwork(at.design, path)) {
        return refusing(tr("there is no group %1").arg(word));
    }
    at.hand.path = path;
    at.hand.selected.clear();
    return {};
}

/// Below what is selected unless it is said where.
std::optional<Point> placeMeant(const LineSite& at, LineWords& words) {
    constexpr double below = 96;
    const Layer* beside = at.hand.selected.empty() ? nullptr
                                                   : findLayer(networkAt(at.design, at.hand.path),
                                                               at.hand.selected.back());
    Point place = beside == nullptr ? Point{} : beside->position.value_or(Point{});
    const bool isFar = words.take(QLatin1String("at"));
    if (!isFar && !words.take(QLatin1String("by"))) {
        place.y += beside == nullptr ? 0 : below;
        return place;
    }
    const auto x = words.number();
    const auto y = x ? words.number() : std::nullopt;
    if (!y) {
        return std::nullopt;
    }
    return isFar ? Point{*x, *y} : Point{place.x + *x, place.y + *y};
}

Edited add(LineSite& at, LineWords& words) {
    const QString kind = words.next();
    const std::string name =
        words.take(QLatin1String("named")) ? words.next().toStdString() : std::string();
    const auto place = placeMeant(at, words);
    if (!place) {
        return refusing(tr("a place is two numbers"));
    }
    Layer layer{.name = name, .kind = kind.toStdString(), .position = *place};
    if (kind.startsWith(groupPrefix)) {
        layer.kind = groupKind;
        layer.group = kind.mid(groupPrefix.size()).toStdString();
        if (at.design.group(layer.group) == nullptr) {
            return refusing(tr("there is no group %1").arg(kind.mid(groupPrefix.size())));
        }
    } else if (const LayerKindInfo* info = findKind(at.kinds, layer.kind)) {
        layer.attributes = startingAttributes(*info);
    } else {
        return refusing(tr("there is no kind %1").arg(kind));
    }
    if (!name.empty() && findLayer(networkAt(at.design, at.hand.path), name) != nullptr) {
        return refusing(tr("there is a layer %1 already").arg(QString::fromStdString(name)));
    }
    Edited edited = addLayer(at.design, at.hand.path, std::move(layer));
    at.hand.selected = edited.layers;
    return edited;
}

Edited remove(LineSite& at, LineWords& words) {
    std::vector<LayerId> layers;
    if (const auto refusal = takeLayers(at, words, layers)) {
        return *refusal;
    }
    std::erase_if(at.hand.selected,
                  [&](LayerId layer) { return std::ranges::find(layers, layer) != layers.end(); });
    return removeLayers(at.design, at.hand.path, layers);
}

Edited rename(LineSite& at, LineWords& words) {
    const std::string name = words.next().toStdString();
    return onEachLayer(at, words, [&](LayerId layer) {
        return renameLayer(at.design, at.hand.path, layer, name);
    });
}

Edited changeKind(LineSite& at, LineWords& words) {
    const QString kind = words.next();
    if (findKind(at.kinds, kind.toStdString()) == nullptr) {
        return refusing(tr("there is no kind %1").arg(kind));
    }
    return onEachLayer(at, words, [&](LayerId layer) {
        return setKind(at.design, at.hand.path, layer, kind.toStdString());
    });
}

bool hasAttribute(const LineSite& at, const Layer& layer, const std::string& name) {
    if (layer.attributes.has(name)) {
        return true;
    }
    if (layer.kind == groupKind) {
        const GroupDefinition* group = at.design.group(layer.group);
        return group != nullptr && group->parameters.has(name);
    }
    const LayerKindInfo* kind = findKind(at.kinds, layer.kind);
    return kind == nullptr || std::ranges::find(kind->attributes, name, &AttributeSpec::name) !=
                                  kind->attributes.end();
}

Edited onAttribute(LineSite& at, LineWords& words, const std::string& name,
                   const std::function<Edited(LayerId)>& edit) {
    return onEachLayer(at, words, [&](LayerId id) {
        const Layer& layer = layerAt(at, id);
        return hasAttribute(at, layer, name) ? edit(id)
                                             : refusing(tr("%1 has no attribute %2")
                                                            .arg(QString::fromStdString(layer.name),
                                                                 QString::fromStdString(name)));
    });
}

Edited set(LineSite& at, LineWords& words) {
    const std::string name = words.next().toStdString();
    const QString value = words.next();
    return onAttribute(at, words, name, [&](LayerId layer) {
        return value.startsWith('=')
                   ? setExpression(at.design, at.hand.path, layer, name, value.mid(1).toStdString())
                   : setAttribute(at.design, at.hand.path, layer, name, valueOf(value));
    });
}

Edited reset(LineSite& at, LineWords& words) {
    const std::string name = words.next().toStdString();
    return onAttribute(at, words, name, [&](LayerId layer) {
        return resetAttribute(at.design, at.hand.path, layer, name);
    });
}

using SetFlag = Edited (*)(Design&, const NetworkPath&, const std::vector<LayerId>&, bool);

template <SetFlag setFlag>
Edited flag(LineSite& at, LineWords& words) {
    const QString word = words.next();
    if (word != QLatin1String("on") && word != QLatin1String("off")) {
        return refusing(tr("%1 is neither on nor off").arg(word));
    }
    return onLayers(at, words, [&](const std::vector<LayerId>& layers) {
        return setFlag(at.design, at.hand.path, layers, word == QLatin1String("on"));
    });
}

Edited repeat(LineSite& at, LineWords& words) {
    const auto count = words.integer();
    if (!count) {
        return refusing(tr("%1 is no count").arg(words.next()));
    }
    return onEachLayer(at, words, [&](LayerId layer) {
        return setRepeat(at.design, at.hand.path, layer, *count);
    });
}

Edited spread(LineSite& at, LineWords& words) {
    return onAssignment(words, [&](const std::optional<Assignment>& assignment) {
        return onLayers(at, words, [&](const std::vector<LayerId>& layers) {
            return assign(at.design, at.hand.path, layers, assignment);
        });
    });
}

Edited note(LineSite& at, LineWords& words) {
    const std::string text = words.next().toStdString();
    return onEachLayer(
        at, words, [&](LayerId layer) { return setNote(at.design, at.hand.path, layer, text); });
}

Edited move(LineSite& at, LineWords& words) {
    const auto x = words.number();
    const auto y = x ? words.number() : std::nullopt;
    if (!y) {
        return refusing(tr("a way is two numbers"));
    }
    return onLayers(at, words, [&](const std::vector<LayerId>& layers) {
        return moveLayers(at.design, at.hand.path, layers, {*x, *y});
    });
}

} // namespace

std::vector<DesignLine> layerLines() {
    return {
        {"edit.select", "[LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Selects these layers; $ stands for all that were selected at "
                                    "the beginning, without a word nothing is"),
         0, select},
        {"layer.enter", "GROUP",
         QT_TRANSLATE_NOOP("lines", "Looks at the inside of a group; / leads to the top level"), 1,
         enter},
        {"layer.add", "KIND [named NAME] [at X Y | by X Y]",
         QT_TRANSLATE_NOOP("lines",
                           "Adds a layer, or group:NAME, and selects it: at a place, or so far "
                           "from the layer that is selected, else below it"),
         1, add},
        {"edit.delete", "LAYER ...",
         QT_TRANSLATE_NOOP("lines", "Deletes these layers with their wires"), 1, remove},
        {"layer.rename", "NAME [for LAYER]", QT_TRANSLATE_NOOP("lines", "Gives it another name"), 1,
         rename},
        {"layer.kind", "KIND [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Makes layers of another kind of them"), 1, changeKind},
        {"layer.set", "ATTRIBUTE VALUE [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Sets an attribute, as in the file; =4*16 keeps the sum"), 2,
         set},
        {"layer.reset", "ATTRIBUTE [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Gives an attribute the default of the kind"), 1, reset},
        {"layer.mute", "on|off [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Leaves layers out, or takes them in again"), 1,
         flag<setMuted>},
        {"layer.bypass", "on|off [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Lets layers hand on their first input, or compute again"), 1,
         flag<setBypassed>},
        {"layer.pin", "on|off [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Keeps layers at their place, or lets them go"), 1,
         flag<setPinned>},
        {"layer.repeat", "COUNT [for LAYER]",
         QT_TRANSLATE_NOOP("lines", "So many copies of a group in a row"), 1, repeat},
        {"layer.assign", "WORD ... [on DEVICE ... [as 2x2]] [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Spreads layers: a word for each axis of the mesh; none takes "
                                    "their assignment away"),
         1, spread},
        {"layer.note", "TEXT [for LAYER]", QT_TRANSLATE_NOOP("lines", "Writes a note on it"), 1,
         note},
        {"layer.move", "X Y [for LAYER ...]", QT_TRANSLATE_NOOP("lines", "Moves layers so far"), 2,
         move},
    };
}

} // namespace weft::ui
