// SPDX-License-Identifier: Apache-2.0
#include "base/text/expression.h"
#include "base/text/mending.h"
#include "base/text/text.h"
#include "design/file/read_parts.h"
#include "design/setting_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <type_traits>

namespace weft {

namespace {

bool isIntegerAttribute(const Json& value) {
    return value.is_number_integer() &&
           (!value.is_number_unsigned() ||
            value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
}

std::vector<std::string> axisWords() {
    std::vector<std::string> words;
    for (int word = 0; word <= static_cast<int>(AxisWord::replicate); ++word) {
        words.emplace_back(nameOf(static_cast<AxisWord>(word)));
    }
    return words;
}

// Reads one text, or a list of texts.
std::optional<std::vector<std::string>> textsOf(const Json& value) {
    if (value.is_string()) {
        return std::vector<std::string>{value.get<std::string>()};
    }
    if (!value.is_array() ||
        !std::ranges::all_of(value, [](const Json& entry) { return entry.is_string(); })) {
        return std::nullopt;
    }
    return value.get<std::vector<std::string>>();
}

std::optional<std::vector<AxisWord>> wordsOf(const Json& value, Problems& problems) {
    const auto texts = textsOf(value);
    if (!texts) {
        problems.add({.code = "E101",
                      .attribute = "assign",
                      .text = fmt::format("axes is {}; expected one word for each mesh axis",
                                          jsonTypeName(value)),
                      .fix = {.text = R"(write "data" or ["data", "model.stack"])"}});
        return std::nullopt;
    }
    std::vector<AxisWord> words;
    for (const std::string& text : *texts) {
        const auto word = axisWordNamed(text);
        if (!word) {
            const std::string meant = nearestWord(text, axisWords());
            problems.add({.code = "E032",
                          .attribute = "assign",
                          .text = fmt::format("'{}' is not a word of assignments", text),
                          .fix = {.text = meant.empty() ? fmt::format("write one of {}",
                                                                      fmt::join(axisWords(), ", "))
                                                        : fmt::format("write {}", meant)}});
            return std::nullopt;
        }
        words.push_back(*word);
    }
    return words;
}

bool readMesh(Section& section, std::vector<std::int64_t>& to) {
    const Json* mesh = section.find("mesh");
    if (mesh == nullptr) {
        return true;
    }
    if (!mesh->is_array() || !std::ranges::all_of(*mesh, [](const Json& extent) {
            return isIntegerAttribute(extent) && extent.get<std::int64_t>() > 0;
        })) {
        section.refuse("mesh", "a list of whole numbers of at least 1");
        return false;
    }
    to = mesh->get<std::vector<std::int64_t>>();
    section.markRead("mesh");
    return true;
}

bool readOn(Section& section, std::vector<std::string>& to) {
    const Json* on = section.find("on");
    if (on == nullptr) {
        return true;
    }
    auto devices = textsOf(*on);
    if (!devices) {
        section.refuse("on", "the name of a device, or a list of names");
        return false;
    }
    to = std::move(*devices);
    section.markRead("on");
    return true;
}

// `rest` returns the parts of the value that were not understood.
std::optional<Assignment> assignmentOf(const Json& value, Problems& problems, Json& rest) {
    Assignment assignment;
    if (!value.is_object()) {
        auto words = wordsOf(value, problems);
        if (!words) {
            return std::nullopt;
        }
        assignment.words = std::move(*words);
        return assignment;
    }
    Section section(value, "assign", problems);
    bool isRead = readOn(section, assignment.devices);
    isRead = readMesh(section, assignment.mesh) && isRead;
    if (const Json* axes = section.find("axes")) {
        if (auto words = wordsOf(*axes, problems)) {
            assignment.words = std::move(*words);
            section.markRead("axes");
        } else {
            isRead = false;
        }
    }
    rest = section.unreadJson();
    return isRead ? std::optional(assignment) : std::nullopt;
}

// Reads "sgd", or {"kind": "sgd", "with": {...}}.
void readKind(Section& section, std::string_view key, std::string& kind, Attributes& attributes) {
    const Json* value = section.find(key);
    if (value == nullptr) {
        return;
    }
    if (value->is_string()) {
        kind = value->get<std::string>();
        section.markRead(key);
    } else if (value->is_object()) {
        Section inner(*value, std::string(key), section.problems());
        inner.text("kind", kind);
        readAttributes(inner, "with", attributes);
        section.keepUnread(key, inner.unreadJson());
    } else {
        section.refuse(key, "a kind, or an object with the keys kind and with");
    }
}

template <class Settings>
void readRow(Section& section, const SettingRow<Settings>& row, std::string_view key,
             Settings& to) {
    if (row.with != nullptr) {
        readKind(section, key, to.*std::get<std::string Settings::*>(row.field), to.*row.with);
        return;
    }
    std::visit(
        [&](auto field) {
            using Field = std::remove_reference_t<decltype(to.*field)>;
            if constexpr (std::is_same_v<Field, std::int64_t>) {
                section.integer(key, to.*field, std::numeric_limits<std::int64_t>::min());
            } else if constexpr (std::is_same_v<Field, double>) {
                section.real(key, to.*field);
            } else {
                section.text(key, to.*field);
            }
        },
        row.field);
}

/// Reads an inner object such as "target": all rows that begin with its name, together with the
/// first of them.
template <class Settings>
void readInner(Section& section, const std::vector<SettingRow<Settings>>& rows,
               const std::string& outer, Settings& to) {
    const Json* value = section.find(outer);
    if (value == nullptr) {
        return;
    }
    if (!value->is_object()) {
        section.refuse(outer, "an object");
        return;
    }
    Section inner(*value, outer, section.problems());
    for (const SettingRow<Settings>& row : rows) {
        if (row.spec.name.starts_with(outer + ".")) {
            readRow(inner, row, std::string_view(row.spec.name).substr(outer.size() + 1), to);
        }
    }
    section.keepUnread(outer, inner.unreadJson());
}

/// Checks types only; the check of the settings judges values.
template <class Settings>
void readRows(Section& section, const std::vector<SettingRow<Settings>>& rows, Settings& to) {
    std::set<std::string> objects;
    for (const SettingRow<Settings>& row : rows) {
        const std::size_t dot = row.spec.name.find('.');
        if (dot == std::string::npos) {
            const bool isFormer = !row.formerName.empty() && section.find(row.spec.name) == nullptr;
            readRow(section, row, isFormer ? row.formerName : row.spec.name, to);
        } else if (objects.insert(row.spec.name.substr(0, dot)).second) {
            readInner(section, rows, row.spec.name.substr(0, dot), to);
        }
    }
}

} // namespace

std::optional<AttributeValue> attributeFromJson(const Json& value) {
    switch (value.type()) {
    case Json::value_t::boolean: return value.get<bool>();
    case Json::value_t::string: return value.get<std::string>();
    case Json::value_t::number_float: return value.get<double>();
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
        return isIntegerAttribute(value) ? AttributeValue(value.get<std::int64_t>())
                                         : AttributeValue(value.get<double>());
    case Json::value_t::array: break;
    default: return std::nullopt;
    }
    if (!std::ranges::all_of(value, [](const Json& entry) { return entry.is_number(); })) {
        return std::nullopt;
    }
    if (std::ranges::all_of(value, isIntegerAttribute)) {
        return value.get<std::vector<std::int64_t>>();
    }
    return value.get<std::vector<double>>();
}

namespace {

std::optional<Point> pointOf(const Json& value) {
    const bool isPoint =
        value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
    return isPoint ? std::optional(Point{value[0].get<double>(), value[1].get<double>()})
                   : std::nullopt;
}

} // namespace

std::optional<Point> readPoint(Section& section, std::string_view key) {
    const Json* value = section.find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    const std::optional<Point> point = pointOf(*value);
    if (point) {
        section.markRead(key);
    } else {
        section.refuse(key, "a list of two numbers");
    }
    return point;
}

void readPoints(Section& section, std::string_view key, std::vector<Point>& to) {
    const Json* value = section.find(key);
    if (value == nullptr) {
        return;
    }
    std::vector<Point> points;
    for (const Json& entry : *value) {
        if (const std::optional<Point> point = pointOf(entry)) {
            points.push_back(*point);
        }
    }
    if (!value->is_array() || value->empty() || points.size() != value->size()) {
        section.refuse(key, "a list of points, each a list of two numbers");
        return;
    }
    to = std::move(points);
    section.markRead(key);
}

namespace {

// Reads {"as": "4*256", "value": 1024}.
Json readTyped(const Json& entry, const std::string& name, Section& owner, Attributes& attributes,
               std::map<std::string, std::string>* expressions, const Attributes& parameters) {
    Section typed(entry, name, owner.problems());
    std::string expression;
    if (expressions != nullptr) {
        typed.text("as", expression);
    }
    const Json* given = typed.find("value");
    auto value = given == nullptr ? std::nullopt : attributeFromJson(*given);
    if (value) {
        typed.markRead("value");
    } else if (given != nullptr) {
        typed.refuse("value", "a number, a text, true or false, or a list of numbers");
    }
    if (!expression.empty()) {
        expressions->emplace(name, expression);
        if (!value) {
            value = evaluate(expression, parameters).value;
        }
    } else if (given == nullptr) {
        typed.problems().add({.code = "E101",
                              .attribute = name,
                              .text = "an object is written in place of a value",
                              .fix = {.text = R"(write the value, or {"as": "4*256"})"}});
    }
    if (value) {
        attributes.set(name, std::move(*value));
    }
    return typed.unreadJson();
}

} // namespace

void readAttributes(Section& section, std::string_view key, Attributes& attributes,
                    std::map<std::string, std::string>* expressions, const Attributes& parameters) {
    const Json* with = section.find(key);
    if (with == nullptr) {
        return;
    }
    if (!with->is_object()) {
        section.refuse(key, "an object that contains attributes");
        return;
    }
    Json rest = Json::object();
    for (const auto& [name, entry] : with->items()) {
        if (auto value = attributeFromJson(entry)) {
            attributes.set(name, std::move(*value));
        } else if (entry.is_object()) {
            Json left = readTyped(entry, name, section, attributes, expressions, parameters);
            if (!left.empty()) {
                append(rest, name, std::move(left));
            }
        } else {
            section.problems().add(
                {.code = "E101",
                 .attribute = name,
                 .text = fmt::format(
                     "{} is {}; expected a number, a text, true or false, or a list of numbers",
                     name, jsonTypeName(entry)),
                 .fix = {.text = "write a value of one of these types"}});
            append(rest, name, entry);
        }
    }
    section.keepUnread(key, std::move(rest));
}

std::optional<Assignment> assignmentFromJson(const Json& value, Problems& problems) {
    Json rest;
    return assignmentOf(value, problems, rest);
}

void readAssignment(Section& section, std::optional<Assignment>& to) {
    const Json* value = section.find("assign");
    if (value == nullptr) {
        return;
    }
    Json rest = Json::object();
    if (auto assignment = assignmentOf(*value, section.problems(), rest)) {
        to = std::move(assignment);
        section.keepUnread("assign", std::move(rest));
    }
}

namespace {

void readFeeds(Section& data, std::map<std::string, std::string>& to) {
    const Json* feeds = data.find("feeds");
    if (feeds == nullptr) {
        return;
    }
    const auto refuse = [&](const std::string& entry, const Json& value, const char* takes,
                            std::string form) {
        data.problems().add(
            {.code = "E101",
             .attribute = "feeds",
             .text = fmt::format("data: {} is {}; expected {}", entry, jsonTypeName(value), takes),
             .fix = {.text = "write " + std::move(form)}});
    };
    if (!feeds->is_object()) {
        refuse("feeds", *feeds, "an object that assigns a field of the data to each input layer",
               R"("feeds": {"LAYER": "images"})");
        return;
    }
    Json rest = Json::object();
    for (const auto& [layer, field] : feeds->items()) {
        if (field.is_string()) {
            to.emplace(layer, field.get<std::string>());
        } else {
            const std::string name = elided(layer);
            refuse("feeds." + name, field, "the name of a field of the data",
                   fmt::format(R"("{}": "images")", name));
            append(rest, layer, field);
        }
    }
    data.keepUnread("feeds", std::move(rest));
}

} // namespace

void readData(Section& design, DataSettings& to) {
    const Json* value = design.find("data");
    if (value == nullptr) {
        return;
    }
    if (!value->is_object()) {
        design.refuse("data", "an object");
        return;
    }
    Section data(*value, "data", design.problems());
    readRows(data, dataRows(), to);
    readFeeds(data, to.feeds);
    to.unknown = data.unreadText();
    design.markRead("data");
}

void readTraining(Section& design, TrainingSettings& to) {
    const Json* value = design.find("training");
    if (value == nullptr) {
        return;
    }
    if (!value->is_object()) {
        design.refuse("training", "an object");
        return;
    }
    Section training(*value, "training", design.problems());
    readRows(training, trainingRows(), to);
    to.unknown = training.unreadText();
    design.markRead("training");
}

void readDevices(Section& design, std::vector<DeviceDeclaration>& to) {
    const Json* list = readList(design, "devices");
    if (list == nullptr) {
        return;
    }
    Json rest = Json::array();
    for (const Json& entry : *list) {
        DeviceDeclaration device;
        if (entry.is_string()) {
            device.name = entry.get<std::string>();
        } else if (entry.is_object()) {
            Section section(entry, "device", design.problems());
            section.text("name", device.name);
            section.integer("cores", device.cores);
            section.integer("colour", device.colour, -1);
            section.text("sheet", device.sheet);
            device.unknown = section.unreadText();
        }
        if (device.name.empty()) {
            reportEntry(design, "an entry of devices has no name", "write \"cpu:0\"");
            rest.push_back(entry);
            continue;
        }
        to.push_back(std::move(device));
    }
    design.keepUnread("devices", std::move(rest));
}

} // namespace weft
