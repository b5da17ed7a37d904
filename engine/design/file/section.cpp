// SPDX-License-Identifier: Apache-2.0
#include "design/file/section.h"

#include "base/text/mending.h"
#include "base/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

namespace {

constexpr std::size_t mostProblems = 500;

// A number that a file writes as 32.0 is a whole number, too.
bool isWhole(const Json& value) {
    if (value.is_number_integer()) {
        return !value.is_number_unsigned() ||
               value.get<std::uint64_t>() <=
                   std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    }
    if (!value.is_number_float()) {
        return false;
    }
    const double number = value.get<double>();
    return std::trunc(number) == number && std::abs(number) < 9e15;
}

// True for values that messages show: a number, or a few. Other values may be long and are
// described by their type.
bool isShown(const Json& value) {
    constexpr std::size_t most = 6;
    const auto isNumber = [](const Json& entry) { return entry.is_number(); };
    return value.is_array()
               ? !value.empty() && value.size() <= most && std::ranges::all_of(value, isNumber)
               : isNumber(value);
}

} // namespace

void Problems::add(Diagnostic diagnostic) {
    diagnostic.text = elided(diagnostic.text);
    if (isFull()) {
        ++countLeftOut_;
        return;
    }
    if (diagnostic.layer.isNone() && diagnostic.layerName.empty()) {
        diagnostic.layer = layer_;
        diagnostic.layerName = layerName_;
    }
    diagnostic.group = group_;
    list_.push_back(std::move(diagnostic));
}

bool Problems::isFull() const { return list_.size() >= mostProblems; }

void Problems::setLayer(LayerId layer, std::string name) {
    layer_ = layer;
    layerName_ = std::move(name);
}

std::vector<Diagnostic> Problems::take() {
    if (countLeftOut_ > 0) {
        list_.push_back(
            {.code = "E102",
             .text = fmt::format("{} more problems in this file are not listed", countLeftOut_),
             .fix = {.text = "correct the listed problems first"}});
        countLeftOut_ = 0;
    }
    return std::move(list_);
}

Section::Section(const Json& object, std::string what, Problems& problems)
    : object_(object), what_(std::move(what)), problems_(problems) {}

const Json* Section::find(std::string_view key) {
    knownKeys_.emplace_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
}

void Section::keepUnread(std::string_view key, Json rest) {
    markRead(key);
    if (!rest.empty()) {
        remainders_[std::string(key)] = std::move(rest);
    }
}

void Section::refuse(std::string_view key, std::string_view takes) {
    const Json& value = object_.at(key);
    const std::string given = isShown(value) ? value.dump() : std::string(jsonTypeName(value));
    problems_.add({.code = "E101",
                   .attribute = std::string(key),
                   .text = fmt::format("{}: {} is {}; expected {}", what_, key, given, takes),
                   .fix = {.text = fmt::format("write {}", takes)}});
}

void Section::text(std::string_view key, std::string& to) {
    const Json* value = find(key);
    if (value == nullptr) {
        return;
    }
    if (!value->is_string()) {
        refuse(key, "a text");
        return;
    }
    to = value->get<std::string>();
    markRead(key);
}

void Section::boolean(std::string_view key, bool& to) {
    const Json* value = find(key);
    if (value == nullptr) {
        return;
    }
    if (!value->is_boolean()) {
        refuse(key, "true or false");
        return;
    }
    to = value->get<bool>();
    markRead(key);
}

void Section::integer(std::string_view key, std::int64_t& to, std::int64_t least) {
    const Json* value = find(key);
    if (value == nullptr) {
        return;
    }
    if (!isWhole(*value) || value->get<std::int64_t>() < least) {
        const bool isAny = least == std::numeric_limits<std::int64_t>::min();
        refuse(key, isAny ? "a whole number" : fmt::format("a whole number of at least {}", least));
        return;
    }
    to = value->get<std::int64_t>();
    markRead(key);
}

void Section::real(std::string_view key, double& to) {
    const Json* value = find(key);
    if (value == nullptr) {
        return;
    }
    if (!value->is_number()) {
        refuse(key, "a number");
        return;
    }
    to = value->get<double>();
    markRead(key);
}

Json Section::unreadJson() {
    Json rest = Json::object();
    for (const auto& [key, value] : object_.items()) {
        if (takenKeys_.contains(key)) {
            if (const auto kept = remainders_.find(key); kept != remainders_.end()) {
                append(rest, key, *kept);
            }
            continue;
        }
        append(rest, key, value);
        if (problems_.isFull() ||
            std::find(knownKeys_.begin(), knownKeys_.end(), key) != knownKeys_.end()) {
            continue;
        }
        const std::string meant = nearestWord(key, knownKeys_);
        problems_.add(
            {.code = "W102",
             .severity = Severity::warning,
             .attribute = key,
             .text = fmt::format("{} has no key {}; the key is kept but has no effect", what_, key),
             .fix = {.text = meant.empty() ? "remove it" : fmt::format("write {}", meant)}});
    }
    return rest;
}

std::string Section::unreadText() {
    const Json rest = unreadJson();
    return rest.empty() ? std::string() : jsonText(rest);
}

void append(Json& object, std::string key, Json value) {
    // Avoids the map's own insertion, which first searches all members.
    auto& members = object.get_ref<Json::object_t&>();
    static_cast<Json::object_t::Container&>(members).emplace_back(std::move(key), std::move(value));
}

} // namespace weft
