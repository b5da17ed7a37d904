// SPDX-License-Identifier: Apache-2.0
#include "macros/lines_table.h"
#include <weft/group_edits.h>

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

constexpr QLatin1String groupPrefix("group:");

const Layer& layerAt(const LineSite& site, LayerId id) {
    return *findLayer(networkAt(site.design, site.state.path), id);
}

Edited select(LineSite& site, LineWords& words) {
    std::vector<LayerId> layers;
    if (const auto refusal = takeLayers(site, words, layers)) {
        return *refusal;
    }
    site.state.selected = std::move(layers);
    return {};
}

Edited enter(LineSite& site, LineWords& words) {
    const QString word = words.next();
    const NetworkPath path{word == QLatin1String("/") ? std::string() : word.toStdString()};
    if (!hasNetwork(site.design, path)) {
        return refusing(tr("there is no group %1").arg(word));
    }
    site.state.path = path;
    site.state.selected.clear();
    return {};
}

/// Parses a position; the default is below the selection.
std::optional<Point> placeMeant(const LineSite& site, LineWords& words) {
    constexpr double below = 96;
    const Layer* beside =
        site.state.selected.empty()
            ? nullptr
            : findLayer(networkAt(site.design, site.state.path), site.state.selected.back());
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

Edited add(LineSite& site, LineWords& words) {
    const QString kind = words.next();
    const std::string name =
        words.take(QLatin1String("named")) ? words.next().toStdString() : std::string();
    const auto place = placeMeant(site, words);
    if (!place) {
        return refusing(tr("a position is two numbers"));
    }
    Layer layer{.name = name, .kind = kind.toStdString(), .position = *place};
    if (kind.startsWith(groupPrefix)) {
        layer.kind = groupKind;
        layer.group = kind.mid(groupPrefix.size()).toStdString();
        if (site.design.group(layer.group) == nullptr) {
            return refusing(tr("there is no group %1").arg(kind.mid(groupPrefix.size())));
        }
    } else if (const LayerKindInfo* info = findKind(site.kinds, layer.kind)) {
        layer.attributes = startingAttributes(*info);
    } else {
        return refusing(tr("there is no layer kind %1").arg(kind));
    }
    if (!name.empty() && findLayer(networkAt(site.design, site.state.path), name) != nullptr) {
        return refusing(tr("a layer %1 already exists").arg(QString::fromStdString(name)));
    }
    Edited edited = addLayer(site.design, site.state.path, std::move(layer));
    site.state.selected = edited.layers;
    return edited;
}

Edited remove(LineSite& site, LineWords& words) {
    std::vector<LayerId> layers;
    if (const auto refusal = takeLayers(site, words, layers)) {
        return *refusal;
    }
    std::erase_if(site.state.selected,
                  [&](LayerId layer) { return std::ranges::find(layers, layer) != layers.end(); });
    return removeLayers(site.design, site.state.path, layers);
}

Edited rename(LineSite& site, LineWords& words) {
    const std::string name = words.next().toStdString();
    return onEachLayer(site, words, [&](LayerId layer) {
        return renameLayer(site.design, site.state.path, layer, name);
    });
}

Edited changeKind(LineSite& site, LineWords& words) {
    const QString kind = words.next();
    if (findKind(site.kinds, kind.toStdString()) == nullptr) {
        return refusing(tr("there is no layer kind %1").arg(kind));
    }
    return onEachLayer(site, words, [&](LayerId layer) {
        return setKind(site.design, site.state.path, layer, kind.toStdString());
    });
}

bool hasAttribute(const LineSite& site, const Layer& layer, const std::string& name) {
    if (layer.attributes.has(name)) {
        return true;
    }
    if (layer.kind == groupKind) {
        const GroupDefinition* group = site.design.group(layer.group);
        return group != nullptr && group->parameters.has(name);
    }
    const LayerKindInfo* kind = findKind(site.kinds, layer.kind);
    return kind == nullptr || std::ranges::find(kind->attributes, name, &AttributeSpec::name) !=
                                  kind->attributes.end();
}

Edited onAttribute(LineSite& site, LineWords& words, const std::string& name,
                   const std::function<Edited(LayerId)>& edit) {
    return onEachLayer(site, words, [&](LayerId id) {
        const Layer& layer = layerAt(site, id);
        return hasAttribute(site, layer, name)
                   ? edit(id)
                   : refusing(tr("%1 has no attribute %2")
                                  .arg(QString::fromStdString(layer.name),
                                       QString::fromStdString(name)));
    });
}

Edited set(LineSite& site, LineWords& words) {
    const std::string name = words.next().toStdString();
    const QString value = words.next();
    return onAttribute(site, words, name, [&](LayerId layer) {
        return value.startsWith('=')
                   ? setExpression(site.design, site.state.path, layer, name,
                                   value.mid(1).toStdString())
                   : setAttribute(site.design, site.state.path, layer, name, valueOf(value));
    });
}

Edited reset(LineSite& site, LineWords& words) {
    const std::string name = words.next().toStdString();
    return onAttribute(site, words, name, [&](LayerId layer) {
        return resetAttribute(site.design, site.state.path, layer, name);
    });
}

using SetFlag = Edited (*)(Design&, const NetworkPath&, const std::vector<LayerId>&, bool);

template <SetFlag setFlag>
Edited flag(LineSite& site, LineWords& words) {
    const QString word = words.next();
    if (word != QLatin1String("on") && word != QLatin1String("off")) {
        return refusing(tr("%1 is neither on nor off").arg(word));
    }
    return onLayers(site, words, [&](const std::vector<LayerId>& layers) {
        return setFlag(site.design, site.state.path, layers, word == QLatin1String("on"));
    });
}

Edited repeat(LineSite& site, LineWords& words) {
    const auto count = words.integer();
    if (!count) {
        return refusing(tr("%1 is not a count").arg(words.next()));
    }
    return onEachLayer(site, words, [&](LayerId layer) {
        return setRepeat(site.design, site.state.path, layer, *count);
    });
}

Edited spread(LineSite& site, LineWords& words) {
    return onAssignment(words, [&](const std::optional<Assignment>& assignment) {
        return onLayers(site, words, [&](const std::vector<LayerId>& layers) {
            return assign(site.design, site.state.path, layers, assignment);
        });
    });
}

Edited note(LineSite& site, LineWords& words) {
    const std::string text = words.next().toStdString();
    return onEachLayer(site, words, [&](LayerId layer) {
        return setNote(site.design, site.state.path, layer, text);
    });
}

Edited move(LineSite& site, LineWords& words) {
    const auto x = words.number();
    const auto y = x ? words.number() : std::nullopt;
    if (!y) {
        return refusing(tr("a distance is two numbers"));
    }
    return onLayers(site, words, [&](const std::vector<LayerId>& layers) {
        return moveLayers(site.design, site.state.path, layers, {*x, *y});
    });
}

} // namespace

std::vector<DesignLine> layerLines() {
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
         QT_TRANSLATE_NOOP("lines", "Mutes layers, or unmutes them"), 1, flag<setMuted>},
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
