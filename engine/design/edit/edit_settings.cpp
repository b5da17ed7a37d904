// SPDX-License-Identifier: Apache-2.0
#include "base/text/mending.h"
#include "design/edit/editing.h"
#include "design/file/read_parts.h"
#include "design/file/write_parts.h"
#include "design/setting_rows.h"
#include <weft/error.h>

#include <fmt/format.h>

namespace weft {

namespace {

// Sets "a.b.c" in an object, or removes it (null); a text on the way, "sgd", is short for {"kind":
// "sgd"}.
void setIn(Json& object, std::string_view key, Json value) {
    Json* at = &object;
    for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.')) {
        Json& inner = (*at)[std::string(key.substr(0, dot))];
        if (!inner.is_object()) {
            inner = inner.is_string() ? Json({{"kind", inner}}) : Json::object();
        }
        at = &inner;
        key.remove_prefix(dot + 1);
    }
    if (value.is_null()) {
        at->erase(std::string(key));
    } else {
        (*at)[std::string(key)] = std::move(value);
    }
}

std::vector<std::string> keysOf(std::string_view section) {
    std::vector<std::string> keys;
    for (const SettingInfo& setting : settingRows()) {
        if (setting.section == section) {
            keys.push_back(setting.key());
        }
    }
    return keys;
}

Edited notSet(std::string_view key, const std::vector<Diagnostic>& said) {
    if (!said.empty() && hasErrors(said)) {
        return refused(said.front().text, said.front().fix.text);
    }
    const std::vector<std::string> keys = keysOf(key.substr(0, key.find('.')));
    const std::string meant = nearestWord(key, keys);
    return refused(fmt::format("the setting {} does not exist", key),
                   meant.empty() ? fmt::format("use one of {}", fmt::join(keys, ", "))
                                 : fmt::format("write {}", meant));
}

// Uses the file format, which knows the names and types of all settings.
template <class Settings>
Edited setIn(Settings& settings, Json document, std::string_view key, Json value,
             void (*read)(Section&, Settings&)) {
    const std::string section(key.substr(0, key.find('.')));
    setIn(document[section], key.substr(section.size() + 1), std::move(value));
    Problems problems;
    Section design(document, "design", problems);
    Settings made;
    read(design, made);
    const std::vector<Diagnostic> said = problems.take();
    if (hasErrors(said) || made.unknown != settings.unknown) {
        return notSet(key, said);
    }
    settings = std::move(made);
    return done({}, std::string(key));
}

} // namespace

Json jsonFromArgument(const std::string& text) {
    try {
        return parseJson(text, "value");
    } catch (const Error&) {
        return text;
    }
}

Edited applySetting(Design& design, std::string_view name, std::string_view value) {
    const std::string text(value);
    const std::string key = currentKey(name);
    if (key.starts_with("data.")) {
        return setIn(design.data, {{"data", dataJson(design.data)}}, key, jsonFromArgument(text),
                     &readData);
    }
    if (key.starts_with("training.")) {
        return setIn(design.training, {{"training", trainingJson(design.training)}}, key,
                     jsonFromArgument(text), &readTraining);
    }
    const std::size_t dot = key.rfind('.');
    const auto layer = dot == std::string::npos
                           ? std::nullopt
                           : findByName(design, std::string_view(key).substr(0, dot));
    if (!layer) {
        return refused(fmt::format("the setting {} does not exist", key),
                       "write training.KEY, data.KEY or LAYER.ATTRIBUTE");
    }
    const auto attribute = attributeFromJson(jsonFromArgument(text));
    return setAttribute(design, layer->path, layer->layer, key.substr(dot + 1),
                        attribute ? *attribute : AttributeValue(text));
}

} // namespace weft
