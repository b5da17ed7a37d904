// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include <weft/attributes.h>
#include <weft/error.h>

#include <nlohmann/json.hpp>

namespace weft {

AttributeType typeOf(const AttributeValue& value) {
    // AttributeType lists the types in the order of the variant.
    return static_cast<AttributeType>(value.index());
}

std::string_view nameOf(AttributeType type) {
    switch (type) {
    case AttributeType::boolean: return "boolean";
    case AttributeType::integer: return "integer";
    case AttributeType::real: return "real";
    case AttributeType::text: return "text";
    case AttributeType::integers: return "integers";
    case AttributeType::reals: return "reals";
    }
    return "unknown";
}

std::string toString(const AttributeValue& value) {
    std::string text = std::visit([](const auto& held) { return jsonText(Json(held)); }, value);
    if (text.front() != '[') {
        return text;
    }
    std::string spaced;
    for (const char c : text) {
        spaced += c;
        if (c == ',') {
            spaced += ' ';
        }
    }
    return spaced;
}

const AttributeValue* Attributes::find(std::string_view name) const {
    const auto entry = entries_.find(name);
    return entry == entries_.end() ? nullptr : &entry->second;
}

namespace {

template <class T>
const T* held(const Attributes& attributes, std::string_view name) {
    const AttributeValue* value = attributes.find(name);
    return value == nullptr ? nullptr : std::get_if<T>(value);
}

void requireHeld(bool isHeld, std::string_view name, std::string_view type,
                 std::source_location at = std::source_location::current()) {
    if (!isHeld) {
        const std::string invariant =
            "attribute '" + std::string(name) + "' exists and has the type " + std::string(type);
        ensure(false, invariant.c_str(), at);
    }
}

} // namespace

bool Attributes::boolean(std::string_view name) const {
    const bool* value = held<bool>(*this, name);
    requireHeld(value != nullptr, name, "boolean");
    return *value;
}

std::int64_t Attributes::integer(std::string_view name) const {
    const auto* value = held<std::int64_t>(*this, name);
    requireHeld(value != nullptr, name, "integer");
    return *value;
}

double Attributes::real(std::string_view name) const {
    if (const auto* whole = held<std::int64_t>(*this, name)) {
        return static_cast<double>(*whole);
    }
    const auto* value = held<double>(*this, name);
    requireHeld(value != nullptr, name, "real");
    return *value;
}

const std::string& Attributes::text(std::string_view name) const {
    const auto* value = held<std::string>(*this, name);
    requireHeld(value != nullptr, name, "text");
    return *value;
}

std::vector<std::int64_t> Attributes::integers(std::string_view name) const {
    if (const auto* one = held<std::int64_t>(*this, name)) {
        return {*one};
    }
    const auto* value = held<std::vector<std::int64_t>>(*this, name);
    requireHeld(value != nullptr, name, "integers");
    return *value;
}

std::vector<double> Attributes::reals(std::string_view name) const {
    if (const auto* one = held<double>(*this, name)) {
        return {*one};
    }
    if (has(name) &&
        (held<std::int64_t>(*this, name) || held<std::vector<std::int64_t>>(*this, name))) {
        const std::vector<std::int64_t> whole = integers(name);
        return {whole.begin(), whole.end()};
    }
    const auto* value = held<std::vector<double>>(*this, name);
    requireHeld(value != nullptr, name, "reals");
    return *value;
}

void Attributes::remove(std::string_view name) {
    if (const auto entry = entries_.find(name); entry != entries_.end()) {
        entries_.erase(entry);
    }
}

Attributes completed(Attributes given, const std::vector<AttributeSpec>& specs) {
    for (const AttributeSpec& spec : specs) {
        if (!given.has(spec.name)) {
            given.set(spec.name, spec.defaultValue);
        }
    }
    return given;
}

} // namespace weft
