// SPDX-License-Identifier: Apache-2.0
#include "design/file/write_parts.h"
#include "design/setting_rows.h"
#include <weft/error.h>

#include <cmath>

namespace weft {

Json numberJson(double value) {
    // Numbers below this size are written without a fraction if they are whole, as positions mostly
    // are.
    constexpr double exact = 1e15;
    if (std::trunc(value) == value && std::abs(value) < exact) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

Json pointJson(Point point) { return Json::array({numberJson(point.x), numberJson(point.y)}); }

Json unknownOf(const std::string& text) {
    if (text.empty()) {
        return Json::object();
    }
    try {
        // The library's own parser takes quadratic time for many keys.
        Json value = parseJson(text, "unknown");
        return value.is_object() ? value : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

bool hasObject(const Json& unknown, std::string_view key) {
    const auto found = unknown.find(key);
    return found != unknown.end() && found->is_object();
}

void addUnknown(Json& made, const Json& unknown) {
    std::set<std::string, std::less<>> known;
    for (const auto& [key, value] : made.items()) {
        known.insert(key);
    }
    for (const auto& [key, value] : unknown.items()) {
        if (!known.contains(key)) {
            append(made, key, value);
        } else if (Json& there = made[key]; there.is_object() && value.is_object()) {
            addUnknown(there, value);
        }
    }
}

Json toJson(const AttributeValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json toJson(const Assignment& assignment) {
    Json words = Json::array();
    for (const AxisWord word : assignment.words) {
        words.push_back(nameOf(word));
    }
    Json axes = words.size() == 1 ? words.front() : words;
    if (assignment.devices.empty() && assignment.mesh.empty() && !words.empty()) {
        return axes;
    }
    Json made = Json::object();
    if (assignment.devices.size() == 1) {
        made["on"] = assignment.devices.front();
    } else if (!assignment.devices.empty()) {
        made["on"] = assignment.devices;
    }
    if (!assignment.mesh.empty()) {
        made["mesh"] = assignment.mesh;
    }
    if (!words.empty()) {
        made["axes"] = std::move(axes);
    }
    return made;
}

Json assignmentJson(const Assignment& assignment, const Json& unknown) {
    Json made = toJson(assignment);
    if (hasObject(unknown, "assign") && !made.is_object()) {
        Json whole = Json::object();
        whole["axes"] = std::move(made);
        return whole;
    }
    return made;
}

Json attributesJson(const Attributes& attributes,
                    const std::map<std::string, std::string>& expressions, const Json& unknown) {
    std::set<std::string_view> names;
    for (const auto& [name, value] : attributes.entries()) {
        names.insert(name);
    }
    for (const auto& [name, text] : expressions) {
        names.insert(name);
    }
    Json made = Json::object();
    for (const std::string_view name : names) {
        const AttributeValue* value = attributes.find(name);
        const auto expression = expressions.find(std::string(name));
        Json entry = Json::object();
        if (expression != expressions.end()) {
            entry["as"] = expression->second;
        } else if (!hasObject(unknown, name)) {
            append(made, std::string(name), toJson(*value));
            continue;
        }
        if (value != nullptr) {
            entry["value"] = toJson(*value);
        }
        append(made, std::string(name), std::move(entry));
    }
    return made;
}

namespace {

// Returns "sgd", or {"kind": "sgd", "with": {"momentum": 0.9}} with attributes.
Json kindJson(const std::string& kind, const Attributes& attributes, bool hasMore) {
    if (attributes.entries().empty() && !hasMore) {
        return kind;
    }
    Json made = Json::object();
    made["kind"] = kind;
    if (!attributes.entries().empty()) {
        made["with"] = attributesJson(attributes, {}, Json::object());
    }
    return made;
}

void addUnless(Json& made, const char* key, Json value, const Json& fallback) {
    if (value != fallback) {
        made[key] = std::move(value);
    }
}

} // namespace

namespace {

Json plainJson(const AttributeValue& value) {
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? numberJson(*number) : toJson(value);
}

template <class Settings>
void addRow(Json& made, const SettingRow<Settings>& row, const Settings& settings,
            const Json& unknown) {
    const std::string& key = row.spec.name;
    const bool hasMore = row.with != nullptr && hasObject(unknown, key);
    Json value = plainJson(valueOf(settings, row));
    if (row.with != nullptr) {
        value = kindJson(value.get<std::string>(), settings.*row.with, hasMore);
    }
    const Json usual = plainJson(row.spec.defaultValue);
    // Some settings are always written for the reader's benefit. But a value that could not be read
    // stays until the user corrects it.
    if (value != usual || (row.isAlwaysWritten && (hasMore || !unknown.contains(key)))) {
        made[key] = std::move(value);
    }
}

/// Writes an inner object with all of its rows, if one of them differs from its default.
template <class Settings>
void addInner(Json& made, const std::vector<SettingRow<Settings>>& rows, const std::string& outer,
              const Settings& settings) {
    Json inner = Json::object();
    bool isUsual = true;
    for (const SettingRow<Settings>& row : rows) {
        if (row.spec.name.starts_with(outer + ".")) {
            const AttributeValue value = valueOf(settings, row);
            isUsual = isUsual && value == row.spec.defaultValue;
            inner[row.spec.name.substr(outer.size() + 1)] = plainJson(value);
        }
    }
    if (!isUsual) {
        made[outer] = std::move(inner);
    }
}

template <class Settings>
void addRows(Json& made, const std::vector<SettingRow<Settings>>& rows, const Settings& settings,
             const Json& unknown) {
    for (const SettingRow<Settings>& row : rows) {
        const std::size_t dot = row.spec.name.find('.');
        const std::string outer = row.spec.name.substr(0, dot);
        if (dot == std::string::npos) {
            addRow(made, row, settings, unknown);
        } else if (!made.contains(outer)) {
            addInner(made, rows, outer, settings);
        }
    }
}

Json feedsJson(const DataSettings& data) {
    Json feeds = Json::object();
    for (const auto& [layer, field] : data.feeds) {
        append(feeds, layer, field);
    }
    return feeds;
}

} // namespace

Json dataJson(const DataSettings& data) {
    const Json unknown = unknownOf(data.unknown);
    Json rows = Json::object();
    addRows(rows, dataRows(), data, unknown);
    Json made = Json::object();
    if (rows.contains("source")) {
        made["source"] = rows["source"];
    }
    if (!data.feeds.empty()) {
        made["feeds"] = feedsJson(data);
    }
    for (const auto& [key, value] : rows.items()) {
        made[key] = value;
    }
    addUnknown(made, unknown);
    return made;
}

Json trainingJson(const TrainingSettings& training) {
    const Json unknown = unknownOf(training.unknown);
    Json made = Json::object();
    addRows(made, trainingRows(), training, unknown);
    addUnknown(made, unknown);
    return made;
}

Json deviceJson(const DeviceDeclaration& device) {
    const DeviceDeclaration usual;
    Json made = Json::object();
    made["name"] = device.name;
    addUnless(made, "cores", device.cores, usual.cores);
    addUnless(made, "colour", device.colour, usual.colour);
    addUnless(made, "sheet", device.sheet, usual.sheet);
    addUnknown(made, unknownOf(device.unknown));
    return made.size() == 1 ? made["name"] : made;
}

} // namespace weft
