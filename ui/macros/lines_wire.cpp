// SPDX-License-Identifier: GPL-3.0-or-later
// Lines about wires, frames and comments.
#include "macros/lines_table.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lines", text); }

bool isAmong(const std::vector<PortInfo>& ports, const std::string& name) {
    return std::ranges::any_of(ports, [&](const PortInfo& port) {
        return port.variadic ? name.starts_with(port.name) : name == port.name;
    });
}

bool hasPort(const LineSite& at, const Endpoint& end, bool isInput) {
    const Layer& layer = *findLayer(networkAt(at.design, at.hand.path), end.layer);
    if (const GroupDefinition* group =
            layer.kind == groupKind ? at.design.group(layer.group) : nullptr) {
        const auto& ports = isInput ? group->inputs : group->outputs;
        return std::ranges::find(ports, end.port, &GroupPort::name) != ports.end();
    }
    const LayerKindInfo* kind = findKind(at.kinds, layer.kind);
    return kind == nullptr || isAmong(isInput ? kind->inputs : kind->outputs, end.port);
}

/// A port that is there.
std::optional<Endpoint> endAt(const LineSite& at, const QString& word, bool isInput) {
    const auto end = endMeant(at.design, at.hand, word);
    return end && hasPort(at, *end, isInput) ? end : std::nullopt;
}

Edited noSuchPort(const QString& word, bool isInput) {
    return refusing(
        (isInput ? tr("there is no input %1 here") : tr("there is no output %1 here")).arg(word));
}

const Wire* wireTo(const LineSite& at, const std::optional<Endpoint>& to) {
    const std::vector<Wire>& wires = networkAt(at.design, at.hand.path).wires;
    const auto found = to ? std::ranges::find(wires, *to, &Wire::to) : wires.end();
    return found == wires.end() ? nullptr : &*found;
}

Edited join(LineSite& at, LineWords& words) {
    const QString from = words.next();
    (void)words.take(QLatin1String("->"));
    const QString to = words.next();
    const auto output = endAt(at, from, false);
    const auto input = endAt(at, to, true);
    if (!output || !input) {
        return noSuchPort(output ? to : from, output.has_value());
    }
    return connect(at.design, at.hand.path, *output, *input);
}

/// `edit` is given the wire that ends at the port that is named first.
Edited onWire(LineSite& at, LineWords& words, const std::function<Edited(const Wire&)>& edit) {
    const QString word = words.next();
    const Wire* wire = wireTo(at, endMeant(at.design, at.hand, word));
    return wire == nullptr ? refusing(tr("no wire ends at %1").arg(word)) : edit(Wire(*wire));
}

Edited cut(LineSite& at, LineWords& words) {
    return onWire(at, words, [&](const Wire& wire) {
        return disconnect(at.design, at.hand.path, wire.from, wire.to);
    });
}

Edited cross(LineSite& at, LineWords& words) {
    return onWire(at, words, [&](const Wire& wire) {
        const QString scheme = words.next();
        return setScheme(at.design, at.hand.path, wire.to,
                         scheme == QLatin1String("cheapest") ? "" : scheme.toStdString());
    });
}

Edited lead(LineSite& at, LineWords& words) {
    return onWire(at, words, [&](const Wire& wire) {
        const Point from = findLayer(networkAt(at.design, at.hand.path), wire.to.layer)->position;
        std::vector<Point> via;
        while (const auto x = words.number()) {
            const auto y = words.number();
            if (!y) {
                return refusing(tr("a place is two numbers"));
            }
            via.push_back({from.x + *x, from.y + *y});
        }
        return setVia(at.design, at.hand.path, wire.to, std::move(via));
    });
}

/// "X Y", and "WIDE HIGH" with it.
template <std::size_t count>
std::optional<std::array<double, count>> numbers(LineWords& words) {
    std::array<double, count> taken{};
    for (double& one : taken) {
        const auto number = words.number();
        if (!number) {
            return std::nullopt;
        }
        one = *number;
    }
    return taken;
}

std::optional<Frame> frameMeant(const LineSite& at, LineWords& words) {
    Frame frame{.title = words.next().toStdString(), .topLeft = {}, .size = {}};
    const auto box = numbers<4>(words);
    if (!box) {
        return std::nullopt;
    }
    frame.topLeft = {(*box)[0], (*box)[1]};
    frame.size = {(*box)[2], (*box)[3]};
    if (words.take(QLatin1String("colour"))) {
        frame.colour = words.integer().value_or(0);
    }
    if (words.take(QLatin1String("for"))) {
        while (!words.isEnd()) {
            if (const auto layer = layerMeant(at.design, at.hand, words.next())) {
                frame.layers.push_back(*layer);
            }
        }
    }
    return frame;
}

Edited noFrame() { return refusing(tr("a frame is a title and four numbers")); }

/// `edit` is given the place in a list of so many.
Edited onNumbered(LineWords& words, std::size_t count,
                  const std::function<Edited(std::size_t)>& edit) {
    const auto number = words.integer();
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > count) {
        return refusing(tr("there are %1 here").arg(count));
    }
    return edit(static_cast<std::size_t>(*number) - 1);
}

Edited newFrame(LineSite& at, LineWords& words) {
    const auto frame = frameMeant(at, words);
    return frame ? addFrame(at.design, at.hand.path, *frame) : noFrame();
}

Edited changeFrame(LineSite& at, LineWords& words) {
    const std::vector<Frame>& frames = networkAt(at.design, at.hand.path).frames;
    return onNumbered(words, frames.size(), [&](std::size_t index) {
        auto frame = frameMeant(at, words);
        if (!frame) {
            return noFrame();
        }
        frame->unknown = frames[index].unknown;
        return setFrame(at.design, at.hand.path, index, *frame);
    });
}

Edited dropFrame(LineSite& at, LineWords& words) {
    return onNumbered(
        words, networkAt(at.design, at.hand.path).frames.size(),
        [&](std::size_t index) { return removeFrame(at.design, at.hand.path, index); });
}

std::optional<Comment> commentMeant(LineWords& words) {
    Comment comment{.text = words.next().toStdString(), .position = {}};
    const auto place = numbers<2>(words);
    if (!place) {
        return std::nullopt;
    }
    comment.position = {(*place)[0], (*place)[1]};
    return comment;
}

Edited noComment() { return refusing(tr("a comment is a text and two numbers")); }

Edited newComment(LineSite& at, LineWords& words) {
    const auto comment = commentMeant(words);
    return comment ? addComment(at.design, at.hand.path, *comment) : noComment();
}

Edited changeComment(LineSite& at, LineWords& words) {
    const std::vector<Comment>& comments = networkAt(at.design, at.hand.path).comments;
    return onNumbered(words, comments.size(), [&](std::size_t index) {
        auto comment = commentMeant(words);
        if (!comment) {
            return noComment();
        }
        comment->unknown = comments[index].unknown;
        return setComment(at.design, at.hand.path, index, *comment);
    });
}

Edited dropComment(LineSite& at, LineWords& words) {
    return onNumbered(
        words, networkAt(at.design, at.hand.path).comments.size(),
        [&](std::size_t index) { return removeComment(at.design, at.hand.path, index); });
}

} // namespace

std::vector<DesignLine> wireLines() {
    return {
        {"wire.connect", "OUTPUT [->] INPUT",
         QT_TRANSLATE_NOOP("lines", "Leads a wire from an output to an input, each LAYER.PORT; "
                                    "what fed the input is taken off"),
         2, join},
        {"wire.remove", "INPUT", QT_TRANSLATE_NOOP("lines", "Takes off the wire that ends there"),
         1, cut},
        {"wire.scheme", "INPUT whole|cheapest",
         QT_TRANSLATE_NOOP("lines", "How the value crosses where its placement changes"), 2, cross},
        {"wire.lead", "INPUT [X Y ...]",
         QT_TRANSLATE_NOOP("lines", "Leads the wire through points, seen from the layer where it "
                                    "ends; without any it finds its own way"),
         1, lead},
        {"frame.add", "TITLE X Y WIDE HIGH [colour NUMBER] [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "A frame round layers"), 5, newFrame},
        {"frame.set", "NUMBER TITLE X Y WIDE HIGH [colour NUMBER] [for LAYER ...]",
         QT_TRANSLATE_NOOP("lines", "Makes another of that frame"), 6, changeFrame},
        {"frame.remove", "NUMBER", QT_TRANSLATE_NOOP("lines", "Takes that frame away"), 1,
         dropFrame},
        {"layer.comment", "TEXT X Y", QT_TRANSLATE_NOOP("lines", "A text on the canvas"), 3,
         newComment},
        {"comment.set", "NUMBER TEXT X Y",
         QT_TRANSLATE_NOOP("lines", "Writes something else there, or elsewhere"), 4, changeComment},
        {"comment.remove", "NUMBER", QT_TRANSLATE_NOOP("lines", "Takes that comment away"), 1,
         dropComment},
    };
}

} // namespace weft::ui
