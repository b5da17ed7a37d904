// SPDX-License-Identifier: Apache-2.0
#include "macros/edit_as_lines.h"

#include <weft/group_edits.h>

#include <algorithm>
#include <set>

namespace weft::ui {

namespace {

QString textOf(const std::string& text) { return QString::fromStdString(text); }
QString textOf(double number) { return QString::number(number, 'g', 12); }

Point placeOf(const Layer& layer) { return layer.position.value_or(Point{}); }

using Ids = std::vector<LayerId>;

std::set<LayerId> asSet(const Ids& ids) { return {ids.begin(), ids.end()}; }

/// True if the designs are equal up to the order of their wires.
bool isSame(Design a, Design b) {
    const auto sort = [](Network& network) { std::ranges::sort(network.wires, {}, &Wire::to); };
    for (Design* design : {&a, &b}) {
        sort(design->network);
        for (GroupDefinition& group : design->groups) {
            sort(group.network);
        }
    }
    return a == b;
}

class LineWriter {
public:
    LineWriter(Design before, const Design& after, MacroState state, const Ids& selected,
               const std::vector<LayerKindInfo>& kinds)
        : draft_(std::move(before)),
          after_(after),
          state_(std::move(state)),
          selected_(selected),
          kinds_(kinds) {}

    EditAsLines write(const NetworkPath& path) {
        for (const DeviceDeclaration& device : after_.devices) {
            declare(device);
        }
        // Group interfaces come first, since outside wires and inner expressions refer to them.
        inEachGroup([this](const GroupDefinition& wanted) { definition(wanted); });
        enter(path);
        network(path);
        for (const GroupDefinition& group : after_.groups) {
            other(NetworkPath{group.name});
        }
        other({});
        inEachGroup([this](const GroupDefinition& wanted) { rest(wanted); });
        enter(path);
        settings();
        for (const DeviceDeclaration& device : std::vector(draft_.devices)) {
            if (std::ranges::find(after_.devices, device.name, &DeviceDeclaration::name) ==
                after_.devices.end()) {
                say({"device.remove", textOf(device.name)});
            }
        }
        return {std::move(lines_), std::move(state_), isDone_ && isSame(draft_, after_)};
    }

private:
    [[nodiscard]] const Network& here() const { return networkAt(draft_, state_.path); }
    [[nodiscard]] const Network& goal() const { return networkAt(after_, state_.path); }

    void say(const QStringList& words) {
        const Edited edited =
            runLine(*findLine(words.front()), {draft_, state_, kinds_}, words.mid(1));
        isDone_ = isDone_ && edited.isDone();
        if (edited.isDone()) {
            lines_.push_back(words);
        }
    }

    /// Restores the selection of the original edit, so that the line applies to it when replayed.
    void goToSelection() {
        for (const QStringList& line : linesToSelection(draft_, state_, state_.path, selected_)) {
            say(line);
        }
    }

    void sayFor(QStringList words, const Ids& layers) {
        if (!isAdding_ && asSet(layers) == asSet(selected_)) {
            goToSelection();
        }
        if (asSet(layers) != asSet(state_.selected)) {
            words << QStringLiteral("for");
            for (const LayerId layer : layers) {
                words << referenceTo(draft_, state_, layer);
            }
        }
        say(words);
    }

    void declare(const DeviceDeclaration& device) {
        if (std::ranges::find(draft_.devices, device.name, &DeviceDeclaration::name) !=
            draft_.devices.end()) {
            return;
        }
        QStringList words{"device.declare", textOf(device.name)};
        if (device.cores != 0) {
            words << "cores" << QString::number(device.cores);
        }
        if (device.colour != -1) {
            words << "colour" << QString::number(device.colour);
        }
        if (!device.sheet.empty()) {
            words << "sheet" << textOf(device.sheet);
        }
        say(words);
    }

    /// Writes the lines for the changes in a network that is not shown.
    void other(const NetworkPath& path) {
        if (path == state_.path || !hasNetwork(draft_, path) || !hasNetwork(after_, path) ||
            networkAt(draft_, path) == networkAt(after_, path)) {
            return;
        }
        enter(path);
        network(path);
    }

    /// Calls `writeOne` for each group whose interface the edit has changed.
    void inEachGroup(const std::function<void(const GroupDefinition&)>& writeOne) {
        for (const GroupDefinition& wanted : after_.groups) {
            const GroupDefinition* now = draft_.group(wanted.name);
            if (now == nullptr || (now->inputs == wanted.inputs && now->outputs == wanted.outputs &&
                                   now->parameters == wanted.parameters)) {
                continue;
            }
            const std::size_t begin = lines_.size();
            const MacroState state = state_;
            enter({wanted.name});
            const std::size_t entered = lines_.size();
            writeOne(wanted);
            if (lines_.size() == entered) {
                lines_.resize(begin);
                state_ = state;
            }
        }
    }

    /// Writes the lines for changes of the interface that do not depend on the group's layers.
    void definition(const GroupDefinition& wanted) {
        renameParameters(wanted);
        for (const auto& [name, value] : wanted.parameters.entries()) {
            const AttributeValue* held = group(wanted).parameters.find(name);
            if (held == nullptr || !(*held == value)) {
                say({"parameter.set", textOf(name), valueText(value)});
            }
        }
        for (const PortSide side : {PortSide::input, PortSide::output}) {
            renamePorts(wanted, side);
            for (const GroupPort& port : std::vector(portsOf(group(wanted), side))) {
                // A port disappears with its inner layer, so no line is needed then.
                if (find(portsOf(wanted, side), port.name) == nullptr &&
                    isInside(wanted.network, port)) {
                    say({"port.remove", nameOf(side), textOf(port.name)});
                }
            }
            setPorts(wanted, side);
        }
    }

    void renameParameters(const GroupDefinition& wanted) {
        for (const auto& [name, value] : wanted.parameters.entries()) {
            const Attributes now = group(wanted).parameters;
            const auto same = std::ranges::find_if(now.entries(), [&](const auto& one) {
                return one.second == value && !wanted.parameters.has(one.first);
            });
            if (!now.has(name) && same != now.entries().end()) {
                say({"parameter.rename", textOf(same->first), textOf(name)});
            }
        }
    }

    void renamePorts(const GroupDefinition& wanted, PortSide side) {
        for (const GroupPort& port : portsOf(wanted, side)) {
            const std::vector<GroupPort> now = portsOf(group(wanted), side);
            const auto same = std::ranges::find_if(now, [&](const GroupPort& one) {
                return one.inside == port.inside &&
                       find(portsOf(wanted, side), one.name) == nullptr;
            });
            if (find(now, port.name) == nullptr && same != now.end()) {
                say({"port.rename", nameOf(side), textOf(same->name), textOf(port.name)});
            }
        }
    }

    void setPorts(const GroupDefinition& wanted, PortSide side) {
        for (const GroupPort& port : portsOf(wanted, side)) {
            const GroupPort* now = find(portsOf(group(wanted), side), port.name);
            if ((now != nullptr && *now == port) || !isInside(here(), port)) {
                continue;
            }
            QStringList words{"port.set", nameOf(side), textOf(port.name)};
            for (const Endpoint& end : port.inside) {
                words << referenceTo(draft_, state_, end);
            }
            say(words);
        }
    }

    void rest(const GroupDefinition& wanted) {
        for (const PortSide side : {PortSide::input, PortSide::output}) {
            setPorts(wanted, side);
        }
        const Attributes held = group(wanted).parameters;
        for (const auto& [name, value] : held.entries()) {
            if (!wanted.parameters.has(name)) {
                say({"parameter.remove", textOf(name)});
            }
        }
    }

    [[nodiscard]] const GroupDefinition& group(const GroupDefinition& wanted) const {
        return *draft_.group(wanted.name);
    }
    static const std::vector<GroupPort>& portsOf(const GroupDefinition& group, PortSide side) {
        return side == PortSide::input ? group.inputs : group.outputs;
    }
    static const GroupPort* find(const std::vector<GroupPort>& ports, const std::string& name) {
        const auto found = std::ranges::find(ports, name, &GroupPort::name);
        return found == ports.end() ? nullptr : &*found;
    }
    static bool isInside(const Network& network, const GroupPort& port) {
        return std::ranges::all_of(port.inside, [&](const Endpoint& end) {
            return findLayer(network, end.layer) != nullptr;
        });
    }
    static QString nameOf(PortSide side) {
        return side == PortSide::input ? QStringLiteral("input") : QStringLiteral("output");
    }

    void enter(const NetworkPath& path) {
        if (!(path == state_.path)) {
            say({"layer.enter", path.group.empty() ? QStringLiteral("/") : textOf(path.group)});
        }
    }

    void network(const NetworkPath& path) {
        if (!(path == state_.path) || !hasNetwork(after_, path)) {
            isDone_ = isDone_ && draft_ == after_;
            return;
        }
        QStringList gone{"edit.delete"};
        for (const Layer& layer : here().layers) {
            if (findLayer(goal(), layer.id) == nullptr) {
                gone << referenceTo(draft_, state_, layer.id);
            }
        }
        if (gone.size() > 1) {
            say(gone);
        }
        for (const Layer& layer : goal().layers) {
            if (findLayer(here(), layer.id) == nullptr) {
                add(layer);
            }
        }
        layers();
        wires();
        notes();
    }

    void add(const Layer& layer) {
        if (!isAdding_ && !selected_.empty()) {
            goToSelection();
        }
        isAdding_ = true;
        QStringList words{"layer.add", layer.kind == groupKind ? "group:" + textOf(layer.group)
                                                               : textOf(layer.kind)};
        Design counted = draft_;
        const Edited made =
            addLayer(counted, state_.path, {.name = {}, .kind = layer.kind, .group = layer.group});
        const Layer* own = findLayer(networkAt(counted, state_.path), made.layer());
        if (own == nullptr || own->name != layer.name) {
            words << "named" << textOf(layer.name);
        }
        const Layer* beside =
            state_.selected.empty() ? nullptr : findLayer(here(), state_.selected.back());
        const Point from = beside == nullptr ? Point{} : placeOf(*beside);
        const Point place = placeOf(layer);
        words << (beside == nullptr ? "at" : "by") << textOf(place.x - from.x)
              << textOf(place.y - from.y);
        say(words);
    }

    /// Combines equal changes of several layers in one line.
    void layers() {
        std::vector<std::pair<QStringList, Ids>> said;
        for (const Layer& wanted : goal().layers) {
            const Layer* layer = findLayer(here(), wanted.id);
            if (layer == nullptr) {
                continue;
            }
            for (const QStringList& words : differences(*layer, wanted)) {
                const auto found =
                    std::ranges::find(said, words, &std::pair<QStringList, Ids>::first);
                if (found == said.end()) {
                    said.push_back({words, {wanted.id}});
                } else {
                    found->second.push_back(wanted.id);
                }
            }
        }
        // Names come last, so that the lines before can use the old names.
        std::ranges::stable_partition(said, [](const auto& one) {
            return one.first.front() != QLatin1String("layer.rename");
        });
        for (const auto& [words, ids] : said) {
            sayFor(words, ids);
        }
    }

    static std::vector<QStringList> differences(const Layer& layer, const Layer& wanted) {
        std::vector<QStringList> lines;
        const auto add = [&](bool differs, const QStringList& words) {
            if (differs) {
                lines.push_back(words);
            }
        };
        add(layer.kind != wanted.kind, {"layer.kind", textOf(wanted.kind)});
        add(layer.repeat != wanted.repeat, {"layer.repeat", QString::number(wanted.repeat)});
        for (const auto& [name, value] : wanted.attributes.entries()) {
            const auto typed = wanted.expressions.find(name);
            const auto before = layer.expressions.find(name);
            const AttributeValue* held = layer.attributes.find(name);
            const bool isTyped = typed != wanted.expressions.end();
            const bool isSame = held != nullptr && *held == value &&
                                isTyped == (before != layer.expressions.end()) &&
                                (!isTyped || before->second == typed->second);
            add(!isSame, {"layer.set", textOf(name),
                          isTyped ? '=' + textOf(typed->second) : valueText(value)});
        }
        for (const auto& [name, value] : layer.attributes.entries()) {
            add(!wanted.attributes.has(name), {"layer.reset", textOf(name)});
        }
        const auto word = [](bool isOn) {
            return isOn ? QStringLiteral("on") : QStringLiteral("off");
        };
        add(layer.muted != wanted.muted, {"layer.mute", word(wanted.muted)});
        add(layer.bypassed != wanted.bypassed, {"layer.bypass", word(wanted.bypassed)});
        add(layer.pinned != wanted.pinned, {"layer.pin", word(wanted.pinned)});
        add(layer.assignment != wanted.assignment,
            QStringList{"layer.assign"} +
                (wanted.assignment ? assignmentWords(*wanted.assignment) : QStringList{"none"}));
        add(layer.note != wanted.note, {"layer.note", textOf(wanted.note)});
        const Point from = placeOf(layer);
        const Point to = placeOf(wanted);
        add(!(from == to), {"layer.move", textOf(to.x - from.x), textOf(to.y - from.y)});
        add(layer.name != wanted.name, {"layer.rename", textOf(wanted.name)});
        return lines;
    }

    void wires() {
        const auto wireTo = [](const Network& network, const Endpoint& to) {
            const auto found = std::ranges::find(network.wires, to, &Wire::to);
            return found == network.wires.end() ? nullptr : &*found;
        };
        for (const Wire& wire : std::vector(here().wires)) {
            if (wireTo(goal(), wire.to) == nullptr) {
                say({"wire.remove", referenceTo(draft_, state_, wire.to)});
            }
        }
        // Wires from new layers come first: until then, other layers can be named by following the
        // old wires.
        std::vector<Wire> wanted = goal().wires;
        std::ranges::stable_partition(wanted, [&](const Wire& wire) {
            return std::ranges::find(state_.addedLayers,
                                     LayerInNetwork{state_.path, wire.from.layer}) !=
                   state_.addedLayers.end();
        });
        for (const Wire& wire : wanted) {
            const Wire* now = wireTo(here(), wire.to);
            if (now == nullptr || !(now->from == wire.from)) {
                say({"wire.connect", referenceTo(draft_, state_, wire.from), "->",
                     referenceTo(draft_, state_, wire.to)});
                now = wireTo(here(), wire.to);
            }
            if (now != nullptr && now->scheme != wire.scheme) {
                say({"wire.scheme", referenceTo(draft_, state_, wire.to),
                     wire.scheme.empty() ? QStringLiteral("cheapest") : textOf(wire.scheme)});
                now = wireTo(here(), wire.to);
            }
            if (now != nullptr && !(now->via == wire.via)) {
                lead(wire);
            }
        }
    }

    void lead(const Wire& wire) {
        QStringList words{"wire.lead", referenceTo(draft_, state_, wire.to)};
        const Point from = placeOf(*findLayer(here(), wire.to.layer));
        for (const Point& point : wire.via) {
            words << textOf(point.x - from.x) << textOf(point.y - from.y);
        }
        say(words);
    }

    [[nodiscard]] QStringList wordsOfFrame(const Frame& frame) const {
        QStringList words{textOf(frame.title), textOf(frame.topLeft.x), textOf(frame.topLeft.y),
                          textOf(frame.size.x), textOf(frame.size.y)};
        if (frame.colour != 0) {
            words << "colour" << QString::number(frame.colour);
        }
        if (!frame.layers.empty()) {
            words << "for";
        }
        for (const LayerId layer : frame.layers) {
            words << referenceTo(draft_, state_, layer);
        }
        return words;
    }

    void notes() {
        inList(&Network::frames, {"frame.add", "frame.set", "frame.remove"},
               [this](const Frame& frame) { return wordsOfFrame(frame); });
        inList(&Network::comments, {"layer.comment", "comment.set", "comment.remove"},
               [](const Comment& comment) {
                   return QStringList{textOf(comment.text), textOf(comment.position.x),
                                      textOf(comment.position.y)};
               });
    }

    /// `verbs`: the commands that add, change and remove an item by its number.
    template <class T, class Words>
    void inList(std::vector<T> Network::*list, const QStringList& verbs, const Words& wordsOf) {
        const std::vector<T>& wanted = goal().*list;
        while (isDone_ && (here().*list).size() > wanted.size()) {
            const auto differs = std::ranges::mismatch(here().*list, wanted).in1;
            say({verbs[2], QString::number(differs - (here().*list).begin() + 1)});
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (i >= (here().*list).size()) {
                say(QStringList{verbs[0]} + wordsOf(wanted[i]));
            } else if (!((here().*list)[i] == wanted[i])) {
                say(QStringList{verbs[1], QString::number(i + 1)} + wordsOf(wanted[i]));
            }
        }
    }

    void settings() {
        if (draft_.name != after_.name) {
            say({"design.rename", textOf(after_.name)});
        }
        if (!(draft_.assignment == after_.assignment)) {
            const QStringList words = assignmentWords(after_.assignment);
            say(QStringList{"design.assign"} + (words.isEmpty() ? QStringList{"none"} : words));
        }
        for (const QStringList& line : settingLines(draft_, after_)) {
            say(line);
        }
    }

    Design draft_;
    const Design& after_;
    MacroState state_;
    const Ids& selected_;
    const std::vector<LayerKindInfo>& kinds_;
    std::vector<QStringList> lines_;
    bool isAdding_ = false;
    bool isDone_ = true;
};

} // namespace

std::vector<QStringList> linesToSelection(const Design& design, const MacroState& state,
                                          const NetworkPath& path,
                                          const std::vector<LayerId>& selected) {
    std::vector<QStringList> lines;
    MacroState there = state;
    if (!(there.path == path)) {
        lines.push_back(
            {"layer.enter", path.group.empty() ? QStringLiteral("/") : textOf(path.group)});
        there.path = path;
        there.selected.clear();
    }
    if (there.selected == selected) {
        return lines;
    }
    QStringList words{"edit.select"};
    Ids given;
    for (const LayerInNetwork& known : there.initialLayers) {
        if (known.path == path) {
            given.push_back(known.layer);
        }
    }
    if (!given.empty() && given == selected) {
        words << "$";
    } else {
        for (const LayerId layer : selected) {
            words << referenceTo(design, there, layer);
        }
    }
    lines.push_back(words);
    return lines;
}

EditAsLines linesOfEdit(const Design& before, const Design& after, const MacroState& state,
                        const NetworkPath& path, const std::vector<LayerId>& selected,
                        const std::vector<LayerKindInfo>& kinds) {
    MacroState there = state;
    std::vector<QStringList> way;
    if (!(state.path == path)) {
        way = linesToSelection(before, state, path, {});
        there.path = path;
        there.selected.clear();
    }
    EditAsLines edit = LineWriter(before, after, std::move(there), selected, kinds).write(path);
    edit.lines.insert(edit.lines.begin(), way.begin(), way.end());
    return edit;
}

} // namespace weft::ui
