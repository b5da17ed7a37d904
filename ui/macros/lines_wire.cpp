// SPDX-License-Identifier: Apache-2.0
// Macro lines for wires, frames and comments.
#include "macros/lines_table.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

const Wire* wireTo(const LineContext& context, const std::optional<Endpoint>& to) {
    const std::vector<Wire>& wires = networkAt(context.design, context.state.path).wires;
    const auto found = to ? std::ranges::find(wires, *to, &Wire::to) : wires.end();
    return found == wires.end() ? nullptr : &*found;
}

Edited join(LineContext& context, LineWords& words) {
    const QString from = words.next();
    (void)words.takeIf(QLatin1String("->"));
    const QString to = words.next();
    const auto output = resolvePort(context, from, false);
    const auto input = resolvePort(context, to, true);
    if (!output || !input) {
        return noSuchPort(output ? to : from, output.has_value());
    }
    return connect(context.design, context.state.path, *output, *input);
}

/// Calls `edit` with the wire that ends at the input that the next word names.
Edited onWire(LineContext& context, LineWords& words,
              const std::function<Edited(const Wire&)>& edit) {
    const QString word = words.next();
    const Wire* wire = wireTo(context, resolveEndpoint(context.design, context.state, word));
    return wire == nullptr ? refusedEdit(tr("no wire ends at %1").arg(word)) : edit(Wire(*wire));
}

Edited cut(LineContext& context, LineWords& words) {
    return onWire(context, words, [&](const Wire& wire) {
        return disconnect(context.design, context.state.path, wire.from, wire.to);
    });
}

Edited cross(LineContext& context, LineWords& words) {
    return onWire(context, words, [&](const Wire& wire) {
        const QString scheme = words.next();
        return setScheme(context.design, context.state.path, wire.to,
                         scheme == QLatin1String("cheapest") ? "" : scheme.toStdString());
    });
}

Edited lead(LineContext& context, LineWords& words) {
    return onWire(context, words, [&](const Wire& wire) {
        const Layer* fed = findLayer(networkAt(context.design, context.state.path), wire.to.layer);
        const Point from = fed->position.value_or(Point{});
        std::vector<Point> via;
        while (const auto x = words.takeNumber()) {
            const auto y = words.takeNumber();
            if (!y) {
                return refusedEdit(tr("a position is two numbers"));
            }
            via.push_back({from.x + *x, from.y + *y});
        }
        return setVia(context.design, context.state.path, wire.to, std::move(via));
    });
}

/// Parses "X Y", or "X Y WIDE HIGH".
template <std::size_t count>
std::optional<std::array<double, count>> numbers(LineWords& words) {
    std::array<double, count> taken{};
    for (double& one : taken) {
        const auto number = words.takeNumber();
        if (!number) {
            return std::nullopt;
        }
        one = *number;
    }
    return taken;
}

std::optional<Frame> frameMeant(const LineContext& context, LineWords& words) {
    Frame frame{.title = words.next().toStdString(), .topLeft = {}, .size = {}};
    const auto box = numbers<4>(words);
    if (!box) {
        return std::nullopt;
    }
    frame.topLeft = {(*box)[0], (*box)[1]};
    frame.size = {(*box)[2], (*box)[3]};
    if (words.takeIf(QLatin1String("colour"))) {
        frame.colour = words.takeInteger().value_or(0);
    }
    if (words.takeIf(QLatin1String("for"))) {
        while (!words.isEnd()) {
            if (const auto layer = resolveLayer(context.design, context.state, words.next())) {
                frame.layers.push_back(*layer);
            }
        }
    }
    return frame;
}

std::optional<Comment> commentMeant(const LineContext&, LineWords& words) {
    Comment comment{.text = words.next().toStdString(), .position = {}};
    const auto place = numbers<2>(words);
    if (!place) {
        return std::nullopt;
    }
    comment.position = {(*place)[0], (*place)[1]};
    return comment;
}

/// A list in the network (frames or comments): the parser of an item and the edits by index.
template <class T>
struct Listed {
    std::vector<T> Network::*list;
    std::optional<T> (*meant)(const LineContext& context, LineWords& words);
    const char* form; ///< the refusal of a malformed item
    Edited (*add)(Design& design, const NetworkPath& path, T one);
    Edited (*set)(Design& design, const NetworkPath& path, std::size_t index, T one);
    Edited (*remove)(Design& design, const NetworkPath& path, std::size_t index);
};

constexpr Listed<Frame> frames{
    &Network::frames, frameMeant, QT_TRANSLATE_NOOP("lines", "a frame is a title and four numbers"),
    addFrame,         setFrame,   removeFrame};
constexpr Listed<Comment> comments{
    &Network::comments,
    commentMeant,
    QT_TRANSLATE_NOOP("lines", "a comment is a text and two numbers"),
    addComment,
    setComment,
    removeComment};

template <const auto& listed>
Edited addOne(LineContext& context, LineWords& words) {
    const auto one = listed.meant(context, words);
    return one ? listed.add(context.design, context.state.path, *one)
               : refusedEdit(tr(listed.form));
}

/// Calls `edit` with the index of the item whose number, from 1, is the next word.
template <const auto& listed>
Edited onNumbered(const LineContext& context, LineWords& words,
                  const std::function<Edited(std::size_t)>& edit) {
    const std::size_t count = (networkAt(context.design, context.state.path).*listed.list).size();
    const auto number = words.takeInteger();
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > count) {
        return refusedEdit(tr("there are %1 here").arg(count));
    }
    return edit(static_cast<std::size_t>(*number) - 1);
}

template <const auto& listed>
Edited changeOne(LineContext& context, LineWords& words) {
    return onNumbered<listed>(context, words, [&](std::size_t index) {
        auto one = listed.meant(context, words);
        if (!one) {
            return refusedEdit(tr(listed.form));
        }
        one->unknown = (networkAt(context.design, context.state.path).*listed.list)[index].unknown;
        return listed.set(context.design, context.state.path, index, *one);
    });
}

template <const auto& listed>
Edited dropOne(LineContext& context, LineWords& words) {
    return onNumbered<listed>(context, words, [&](std::size_t index) {
        return listed.remove(context.design, context.state.path, index);
    });
}

} // namespace

std::vector<MacroLine> wireLines() {
    return {
        {"wire.connect", "OUTPUT [->] INPUT",
         QT_TRANSLATE_NOOP(
             "lines",
             "Connects an output to an input, each LAYER.PORT, and replaces the input's wire"),
         2, join},
        {"wire.remove", "INPUT",
         QT_TRANSLATE_NOOP("lines", "Removes the wire that ends at this input"), 1, cut},
        {"wire.scheme", "INPUT whole|cheapest",
         QT_TRANSLATE_NOOP("lines", "Sets how a value with another assignment reaches the layer: "
                                    "gathered whole, or by the cheapest collective"),
         2, cross},
        {"wire.lead", "INPUT [X Y ...]",
         QT_TRANSLATE_NOOP("lines", "Routes the wire through points, relative to the layer where "
                                    "it ends; without points, the route is automatic"),
         1, lead},
        {"frame.add", "TITLE X Y WIDE HIGH [colour NUMBER] [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Adds a frame around layers"), 5, addOne<frames>},
        {"frame.set", "NUMBER TITLE X Y WIDE HIGH [colour NUMBER] [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Changes a frame"), 6, changeOne<frames>},
        {"frame.remove", "NUMBER", QT_TRANSLATE_NOOP("lines", "Removes a frame"), 1,
         dropOne<frames>},
        {"layer.comment", "TEXT X Y", QT_TRANSLATE_NOOP("lines", "Adds a comment to the canvas"), 3,
         addOne<comments>},
        {"comment.set", "NUMBER TEXT X Y", QT_TRANSLATE_NOOP("lines", "Changes or moves a comment"),
         4, changeOne<comments>},
        {"comment.remove", "NUMBER", QT_TRANSLATE_NOOP("lines", "Removes a comment"), 1,
         dropOne<comments>},
    };
}

} // namespace weft::ui
