// SPDX-License-Identifier: Apache-2.0
#include "design/editing.h"
#include "design/read_parts.h"
#include "design/write_parts.h"
#include <weft/error.h>

#include <fmt/format.h>

namespace weft {

namespace {

// Sets "a.b.c" in an object; "sgd" on the way is short for {"kind": "sgd"}.
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
    (*at)[std::string(key)] = std::move(value);
}

Edited notSet(std::string_view key, const std::vector<Diagnostic>& said) {
    return refused(said.empty() ? fmt::format("there is no setting {}", key) : said.front().text,
                   said.empty() ? "choose one that the file knows" : said.front().fix.text);
}

// By way of the file, which knows the names and types of all settings.
Edited setData(Design& design, std::string_view key, Json value) {
    Json document = Json::object();
    document["data"] = dataJson(design.data);
    setIn(document["data"], key, std::move(value));
    Problems problems;
    Section section(document, "design", problems);
    DataSettings data;
    readData(section, data);
    const std::vector<Diagnostic> said = problems.take();
    if (hasErrors(said) || data.unknown != design.data.unknown) {
        return notSet(key, said);
    }
    design.data = std::move(data);
    return done({}, std::string(key));
}

Edited setTraining(Design& design, std::string_view key, Json value) {
    Json document = Json::object();
    document["training"] = trainingJson(design.training);
    setIn(document["training"], key, std::move(value));
    Problems problems;
    Section section(document, "design", problems);
    TrainingSettings training;
    readTraining(section, training);
    const std::vector<Diagnostic> said = problems.take();
    if (hasErrors(said) || training.unknown != design.training.unknown) {
        return notSet(key, said);
    }
    design.training = std::move(training);
    return done({}, std::string(key));
}

} // namespace

Json valueTyped(const std::string& text) {
    try {
        return parseJson(text, "value");
    } catch (const Error&) {
        return text;
    }
}

Edited applySetting(Design& design, std::string_view key, std::string_view value) {
    const std::string text(value);
    if (key.starts_with("data.")) {
        return setData(design, key.substr(key.find('.') + 1), valueTyped(text));
    }
    if (key.starts_with("training.")) {
        return setTraining(design, key.substr(key.find('.') + 1), valueTyped(text));
    }
    const std::size_t dot = key.rfind('.');
    const auto layer =
        dot == std::string_view::npos ? std::nullopt : findByName(design, key.substr(0, dot));
    if (!layer) {
        return refused(fmt::format("there is no setting {}", key),
                       "write training.KEY, data.KEY or LAYER.ATTRIBUTE");
    }
    const auto attribute = attributeFromJson(valueTyped(text));
    return setAttribute(design, layer->path, layer->layer, std::string(key.substr(dot + 1)),
                        attribute ? *attribute : AttributeValue(text));
}

} // namespace weft
