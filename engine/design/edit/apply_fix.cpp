// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/file/document.h"
#include "design/file/section.h"
#include <weft/error.h>
#include <weft/group_edits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace weft {

namespace {

using Arguments = std::vector<std::string>;

struct FoundEnd {
    NetworkPath path;
    Endpoint end;
};

// Finds the port, or without a dot the layer, that a text names: "block[2]/fc.x".
std::optional<FoundEnd> findEnd(const Design& design, std::string_view text) {
    const std::size_t dot = text.rfind('.');
    if (dot != std::string_view::npos && text.find('/', dot) == std::string_view::npos) {
        if (const auto layer = findByName(design, text.substr(0, dot))) {
            return FoundEnd{layer->path, {layer->layer, std::string(text.substr(dot + 1))}};
        }
    }
    const auto layer = findByName(design, text);
    return layer ? std::optional(FoundEnd{layer->path, {layer->layer, {}}}) : std::nullopt;
}

// Applies one fix.
class Application {
public:
    Application(Design& design, const std::vector<LayerKindInfo>& kinds)
        : design_(design), kinds_(kinds) {}

    Edited apply(const FixEdit& edit) {
        const auto verb = verbs().find(edit.verb);
        if (verb == verbs().end() || verb->second.arguments != edit.arguments.size()) {
            return refused(fmt::format("there is no fix '{}' with {} arguments", edit.verb,
                                       edit.arguments.size()),
                           "correct the design by hand");
        }
        return verb->second.apply(*this, edit.arguments);
    }

private:
    struct Verb {
        std::size_t arguments = 0;
        std::function<Edited(Application&, const Arguments&)> apply;
    };
    using LayerEdit = Edited (Application::*)(const FoundLayer&, const Arguments&);

    // Makes a verb whose first word is a layer.
    static Verb onLayer(std::size_t arguments, LayerEdit edit) {
        return {arguments, [edit](Application& at, const Arguments& words) {
                    const auto layer = findByName(at.design_, words[0]);
                    return layer ? (at.*edit)(*layer, words) : noLayer(words[0]);
                }};
    }

    static const std::map<std::string, Verb>& verbs();

    static Edited noLayer(const std::string& name) {
        return refused(fmt::format("there is no layer {}", name), "check the design again");
    }

    Edited set(const FoundLayer& found, const Arguments& words) {
        const auto value = attributeFromJson(jsonFromArgument(words[2]));
        return setAttribute(design_, found.path, found.layer, words[1],
                            value ? *value : AttributeValue(words[2]));
    }
    Edited reset(const FoundLayer& found, const Arguments& words) {
        return resetAttribute(design_, found.path, found.layer, words[1]);
    }
    Edited renameAttribute(const FoundLayer& found, const Arguments& words) {
        Layer& layer = *layerIn(networkAt(design_, found.path), found.layer);
        const AttributeValue* value = layer.attributes.find(words[1]);
        if (value != nullptr) {
            layer.attributes.set(words[2], AttributeValue(*value));
            layer.attributes.remove(words[1]);
        }
        if (auto expression = layer.expressions.extract(words[1])) {
            expression.key() = words[2];
            layer.expressions.insert(std::move(expression));
        }
        return done({found.layer});
    }
    Edited kind(const FoundLayer& found, const Arguments& words) {
        return setKind(design_, found.path, found.layer, words[1]);
    }
    Edited group(const FoundLayer& found, const Arguments& words) {
        return setGroup(design_, found.path, found.layer, words[1]);
    }
    Edited repeat(const FoundLayer& found, const Arguments& words) {
        const Json count = jsonFromArgument(words[1]);
        return setRepeat(design_, found.path, found.layer,
                         count.is_number_integer() ? count.get<std::int64_t>() : 0);
    }
    Edited rename(const FoundLayer& found, const Arguments& words) {
        return renameLayer(design_, found.path, found.layer, words[1]);
    }
    Edited remove(const FoundLayer& found, const Arguments&) {
        return removeLayers(design_, found.path, {found.layer});
    }
    Edited dissolve(const FoundLayer& found, const Arguments&) {
        return weft::dissolve(design_, found.path, {found.layer}, kinds_);
    }
    Edited mute(const FoundLayer& found, const Arguments&) {
        return setMuted(design_, found.path, {found.layer}, true);
    }
    Edited bypass(const FoundLayer& found, const Arguments&) {
        return setBypassed(design_, found.path, {found.layer}, true);
    }
    Edited assign(const FoundLayer& found, const Arguments& words) {
        Problems problems;
        const auto assignment = assignmentFromJson(jsonFromArgument(words[1]), problems);
        if (!assignment) {
            return refused(fmt::format("'{}' is not an assignment", words[1]),
                           "correct the design by hand");
        }
        return weft::assign(design_, found.path, {found.layer}, assignment);
    }

    Edited insert(const Arguments& words) {
        const auto ends = splitWire(words[1]);
        const auto to = ends ? findEnd(design_, ends->to) : std::nullopt;
        if (!to) {
            return noLayer(words[1]);
        }
        const Network& network = networkAt(design_, to->path);
        constexpr double before = 120;
        Layer layer;
        layer.kind = words[0];
        if (const LayerKindInfo* kind = findKind(kinds_, layer.kind)) {
            layer.attributes = startingAttributes(*kind);
        }
        const std::optional<Point>& fed = findLayer(network, to->end.layer)->position;
        const auto from = findEnd(design_, ends->from);
        if (fed && from && from->path == to->path) {
            const Point source = findLayer(network, from->end.layer)->position.value_or(*fed);
            layer.position = Point{(source.x + fed->x) / 2, (source.y + fed->y) / 2};
        } else if (fed) {
            layer.position = Point{fed->x - before, fed->y};
        }
        return insertBefore(design_, to->path, to->end, std::move(layer), kinds_);
    }

    // Adds an input layer of that element type above and beside the layer that it feeds, where no
    // other layer stands; f32 is its default.
    Edited addInput(const Arguments& words) {
        const auto to = findEnd(design_, words[0]);
        if (!to) {
            return noLayer(words[0]);
        }
        constexpr Point step{272, 120}; // a layer's size on the canvas plus a gap
        const Network& network = networkAt(design_, to->path);
        Layer layer{.name = to->end.port, .kind = "input"};
        if (words[1] != "f32") {
            layer.attributes.set("dtype", std::string(words[1]));
        }
        if (const auto& fed = findLayer(network, to->end.layer)->position) {
            Point place{fed->x - step.x, fed->y - step.y};
            const auto isThere = [&](const Layer& other) {
                return other.position && std::abs(other.position->x - place.x) < step.x &&
                       std::abs(other.position->y - place.y) < step.y;
            };
            while (std::ranges::any_of(network.layers, isThere)) {
                place.x -= step.x;
            }
            layer.position = place;
        }
        Edited added = addLayer(design_, to->path, std::move(layer));
        const Edited wired = added.isDone()
                                 ? weft::connect(design_, to->path, {added.layer(), "y"}, to->end)
                                 : added;
        return wired.isDone() ? added : wired;
    }

    Edited connect(const Arguments& words) {
        const auto ends = splitWire(words[0]);
        const auto from = ends ? findEnd(design_, ends->from) : std::nullopt;
        const auto to = ends ? findEnd(design_, ends->to) : std::nullopt;
        if (!from || !to || !(from->path == to->path)) {
            return refused(fmt::format("'{}' does not connect two layers of one network", words[0]),
                           "check the design again");
        }
        return weft::connect(design_, to->path, from->end, to->end);
    }

    // If the wire crosses the border of a group, removes what feeds its end inside.
    Edited disconnect(const Arguments& words) {
        const auto ends = splitWire(words[0]);
        const auto from = ends ? findEnd(design_, ends->from) : std::nullopt;
        const auto to = ends ? findEnd(design_, ends->to) : std::nullopt;
        if (!from || !to) {
            return noLayer(words[0]);
        }
        if (from->path == to->path) {
            Edited edited = weft::disconnect(design_, to->path, from->end, to->end);
            if (edited.isDone()) {
                return edited;
            }
        }
        removeFeed(design_, to->path, to->end);
        return done({to->end.layer});
    }

    Edited renamePort(const Arguments& words) {
        const auto found = findEnd(design_, words[0]);
        if (!found) {
            return noLayer(words[0]);
        }
        const bool isInput = words[1] == "input";
        const Endpoint now = {found->end.layer, words[2]};
        Network& network = networkAt(design_, found->path);
        if (isInput && std::ranges::find(network.wires, now, &Wire::to) != network.wires.end()) {
            return refused(fmt::format("port {} already has a wire", words[2]),
                           "remove one of the two wires");
        }
        for (Wire& wire : network.wires) {
            Endpoint& end = isInput ? wire.to : wire.from;
            end = end == found->end ? now : end;
        }
        if (GroupDefinition* around = definitionAt(design_, found->path)) {
            for (GroupPort& port : isInput ? around->inputs : around->outputs) {
                std::ranges::replace(port.inside, found->end, now);
            }
        }
        return done({found->end.layer});
    }

    Edited scheme(const Arguments& words) {
        const auto to = findEnd(design_, words[0]);
        return to ? setScheme(design_, to->path, to->end, words[1]) : noLayer(words[0]);
    }

    Edited renameFeed(const Arguments& words) {
        auto feed = design_.data.feeds.extract(words[0]);
        if (!feed || design_.data.feeds.contains(words[1])) {
            return refused(fmt::format("the feed {} cannot be renamed to {}", words[0], words[1]),
                           "correct data.feeds by hand");
        }
        feed.key() = words[1];
        design_.data.feeds.insert(std::move(feed));
        return done();
    }

    Edited word(const Arguments& words) {
        const auto from = axisWordNamed(words[0]);
        const auto to = axisWordNamed(words[1]);
        return from && to ? replaceWord(design_, *from, *to)
                          : refused("one of the two words does not exist in assignments",
                                    "correct the design by hand");
    }
    Edited setting(const std::string& section, const Arguments& words) {
        return applySetting(design_, section + "." + words[0], words[1]);
    }

    Design& design_;
    const std::vector<LayerKindInfo>& kinds_;
};

const std::map<std::string, Application::Verb>& Application::verbs() {
    using A = Application;
    const auto plain = [](std::size_t count, Edited (A::*edit)(const Arguments&)) {
        return Verb{count, [edit](A& at, const Arguments& words) { return (at.*edit)(words); }};
    };
    static const std::map<std::string, Verb> table = {
        {"set", onLayer(3, &A::set)},
        {"reset", onLayer(2, &A::reset)},
        {"rename_attribute", onLayer(3, &A::renameAttribute)},
        {"kind", onLayer(2, &A::kind)},
        {"group", onLayer(2, &A::group)},
        {"repeat", onLayer(2, &A::repeat)},
        {"rename", onLayer(2, &A::rename)},
        {"remove", onLayer(1, &A::remove)},
        {"dissolve", onLayer(1, &A::dissolve)},
        {"mute", onLayer(1, &A::mute)},
        {"bypass", onLayer(1, &A::bypass)},
        {"assign", onLayer(2, &A::assign)},
        {"insert", plain(2, &A::insert)},
        {"add_input", plain(2, &A::addInput)},
        {"connect", plain(1, &A::connect)},
        {"disconnect", plain(1, &A::disconnect)},
        {"rename_port", plain(3, &A::renamePort)},
        {"scheme", plain(2, &A::scheme)},
        {"word", plain(2, &A::word)},
        {"rename_feed", plain(2, &A::renameFeed)},
        {"declare",
         {1, [](A& at,
                const Arguments& words) { return declareDevice(at.design_, {.name = words[0]}); }}},
        {"training",
         {2, [](A& at, const Arguments& words) { return at.setting("training", words); }}},
        {"data", {2, [](A& at, const Arguments& words) { return at.setting("data", words); }}},
    };
    return table;
}

} // namespace

Edited applyFix(Design& design, const Fix& fix, const std::vector<LayerKindInfo>& kinds) {
    if (fix.edits.empty()) {
        return refused("this problem has no automatic fix", fix.text);
    }
    Design draft = design;
    Edited edited;
    for (const FixEdit& edit : fix.edits) {
        edited = Application(draft, kinds).apply(edit);
        if (!edited.isDone()) {
            return edited;
        }
    }
    design = std::move(draft);
    return edited;
}

} // namespace weft
