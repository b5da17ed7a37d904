// SPDX-License-Identifier: Apache-2.0
#include "base/check_attributes.h"

#include "base/text/names_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Largest integer that an attribute may have: shape computations multiply two, in 64 bits.
constexpr double largestWhole = 2'147'483'647;
/// Limits of a range above this number are technical bounds; messages do not suggest them as
/// values.
constexpr double largestAdvised = 1e6;

std::string_view article(AttributeType type) {
    switch (type) {
    case AttributeType::boolean: return "true or false";
    case AttributeType::integer: return "a whole number";
    case AttributeType::real: return "a number";
    case AttributeType::text: return "a text";
    case AttributeType::integers: return "whole numbers";
    case AttributeType::reals: return "numbers";
    }
    return "a value";
}

// Converts the value to the type: an integer is also a real, a single number is also a list of
// equal numbers.
std::optional<AttributeValue> fitted(const AttributeValue& value, AttributeType type) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    if (typeOf(value) == type) {
        return value;
    }
    if (type == AttributeType::integer && real != nullptr && std::trunc(*real) == *real &&
        std::abs(*real) < 9e15) {
        return static_cast<std::int64_t>(*real);
    }
    if (type == AttributeType::real && whole != nullptr) {
        return static_cast<double>(*whole);
    }
    if (type == AttributeType::integers && whole != nullptr) {
        return std::vector{*whole};
    }
    if (type == AttributeType::reals) {
        if (whole != nullptr || real != nullptr) {
            return std::vector{whole != nullptr ? static_cast<double>(*whole) : *real};
        }
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
            return std::vector<double>(list->begin(), list->end());
        }
    }
    return std::nullopt;
}

std::vector<double> numbersOf(const AttributeValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return {static_cast<double>(*whole)};
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return {*real};
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        return {list->begin(), list->end()};
    }
    const auto* list = std::get_if<std::vector<double>>(&value);
    return list == nullptr ? std::vector<double>() : *list;
}

std::string rangeText(const AttributeSpec& spec) {
    const std::string low = spec.above   ? fmt::format("above {}", *spec.above)
                            : spec.least ? fmt::format("from {}", *spec.least)
                                         : std::string();
    const std::string high = spec.below  ? fmt::format("below {}", *spec.below)
                             : spec.most ? fmt::format("{}", *spec.most)
                                         : std::string();
    if (low.empty() && high.empty()) {
        return "that is finite";
    }
    if (low.empty()) {
        return spec.below ? high : "up to " + high;
    }
    return high.empty() ? low + (spec.above ? "" : " on") : fmt::format("{} to {}", low, high);
}

bool isBelow(const AttributeSpec& spec, double number) {
    return (spec.least && !(number >= *spec.least)) || (spec.above && !(number > *spec.above));
}

bool isBeyond(const AttributeSpec& spec, double number) {
    return (spec.most && !(number <= *spec.most)) || (spec.below && !(number < *spec.below));
}

class AttributeCheck {
public:
    AttributeCheck(const AttributeOwner& owner, const std::function<void(Diagnostic)>& report)
        : owner_(owner), report_(report) {}

    std::optional<AttributeValue> value(const AttributeSpec& spec, const AttributeValue& given) {
        const AttributeType type = typeOf(spec.defaultValue);
        auto value = fitted(given, type);
        if (!value) {
            say("E003", spec.name,
                fmt::format("{} is {}; {} needs {}{}", spec.name, toString(given), owner_.name,
                            article(type),
                            spec.count > 1 ? fmt::format(" ({})", spec.count) : std::string()),
                mend(spec));
            return std::nullopt;
        }
        if (!isCounted(spec, *value) || !isInRange(spec, *value) || !isChoice(spec, *value)) {
            return std::nullopt;
        }
        return value;
    }

    void unknown(const std::string& name, const AttributeValue& given,
                 const std::vector<std::string>& names) {
        const std::string meant = nearestWord(name, names);
        const std::string text = fmt::format("{} has no attribute {}", owner_.name, name);
        if (meant.empty()) {
            say("E002", name, text,
                {fmt::format("remove it; {} has {}", owner_.name,
                             names.empty() ? "no attributes"
                                           : fmt::format("{}", fmt::join(names, ", "))),
                 {resetting(name)}});
        } else {
            say("E002", name, text, {fmt::format("write {}", meant), renaming(name, meant, given)});
        }
    }

    void missing(const AttributeSpec& spec) {
        say("E006", spec.name,
            fmt::format("{} needs {}: {}", owner_.name, spec.name,
                        spec.help.empty() ? std::string(article(typeOf(spec.defaultValue)))
                                          : spec.help.substr(0, spec.help.find('.'))),
            mend(spec));
    }

private:
    [[nodiscard]] std::string settingKey(const std::string& name) const {
        return owner_.section.empty()
                   ? std::string()
                   : fmt::format("{}.{}{}", owner_.section, owner_.setting, name);
    }

    [[nodiscard]] FixEdit setting(const std::string& name, std::string value) const {
        if (!owner_.section.empty()) {
            return {std::string(owner_.section),
                    {std::string(owner_.setting) + name, std::move(value)}};
        }
        return {"set", {std::string(owner_.layer), name, std::move(value)}};
    }

    [[nodiscard]] FixEdit resetting(const std::string& name) const {
        return owner_.section.empty() ? FixEdit{"reset", {std::string(owner_.layer), name}}
                                      : setting(name, "null");
    }

    [[nodiscard]] std::vector<FixEdit> renaming(const std::string& name, const std::string& meant,
                                                const AttributeValue& given) const {
        if (owner_.section.empty()) {
            return {{"rename_attribute", {std::string(owner_.layer), name, meant}}};
        }
        return {setting(meant, toString(given)), resetting(name)};
    }

    [[nodiscard]] Fix mend(const AttributeSpec& spec) const {
        if (spec.required) {
            const std::string value = toString(spec.defaultValue);
            if (spec.defaultValue ==
                AttributeValue(std::string())) { // only the user knows the value
                return spec.namesFiles() ? fixByPicking(spec, settingKey(spec.name))
                                         : Fix{fmt::format("set {}", spec.name), {}};
            }
            return {fmt::format("set {} to {}", spec.name, value), {setting(spec.name, value)}};
        }
        return {fmt::format("set it back to {}", toString(spec.defaultValue)),
                {resetting(spec.name)}};
    }

    bool isCounted(const AttributeSpec& spec, AttributeValue& value) {
        const auto widen = [&](auto& list) {
            if (spec.count > 0 && list.size() == 1) {
                list.resize(spec.count, list.front());
            }
            return spec.count == 0 || list.size() == spec.count;
        };
        bool isCounted = true;
        if (auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
            isCounted = widen(*integers);
        } else if (auto* reals = std::get_if<std::vector<double>>(&value)) {
            isCounted = widen(*reals);
        }
        if (!isCounted) {
            say("E003", spec.name,
                fmt::format("{} is {}; {} needs {} numbers", spec.name, toString(value),
                            owner_.name, spec.count),
                mend(spec));
        }
        return isCounted;
    }

    bool isInRange(const AttributeSpec& spec, const AttributeValue& value) {
        AttributeSpec bounded = spec;
        const AttributeType type = typeOf(spec.defaultValue);
        if (type == AttributeType::integer || type == AttributeType::integers) {
            bounded.most = spec.most.value_or(largestWhole);
        }
        const auto isOutside = [&](double number) {
            return !std::isfinite(number) || isBelow(bounded, number) || isBeyond(bounded, number);
        };
        const std::vector<double> numbers = numbersOf(value);
        const auto outside = std::ranges::find_if(numbers, isOutside);
        if (outside == numbers.end()) {
            return true;
        }
        const bool isLow = isBelow(bounded, *outside);
        const std::optional<double>& nearest = isLow ? bounded.least : bounded.most;
        const bool isMended = numbers.size() == 1 && std::isfinite(*outside) && nearest &&
                              std::abs(*nearest) <= largestAdvised &&
                              !(isLow ? bounded.above : bounded.below);
        say("E004", spec.name,
            fmt::format("{} is {}; {} needs a value {}", spec.name, toString(value), owner_.name,
                        rangeText(isLow ? spec : bounded)),
            isMended ? Fix{fmt::format("set it to {}", *nearest),
                           {setting(spec.name, fmt::format("{}", *nearest))}}
                     : mend(spec));
        return false;
    }

    bool isChoice(const AttributeSpec& spec, const AttributeValue& value) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr || spec.choices.empty() ||
            std::ranges::find(spec.choices, *text) != spec.choices.end()) {
            return true;
        }
        const std::string meant = nearestChoice(*text, spec);
        say("E005", spec.name,
            fmt::format("{} is {}; the choices of {} are {}", spec.name, toString(value),
                        owner_.name, fmt::join(spec.choices, ", ")),
            meant.empty() ? Fix{"use one of the choices", {}}
                          : Fix{fmt::format("write {}", meant), {setting(spec.name, meant)}});
        return false;
    }

    void say(std::string code, const std::string& attribute, std::string text, Fix fix) {
        if (owner_.layer.empty() && owner_.section.empty()) {
            fix.edits.clear();
        }
        report_({.code = std::move(code),
                 .attribute = attribute,
                 .text = std::move(text),
                 .fix = std::move(fix)});
    }

    const AttributeOwner& owner_;
    const std::function<void(Diagnostic)>& report_;
};

} // namespace

std::optional<AttributeValue> checkedAttribute(const AttributeValue& given,
                                               const AttributeSpec& spec,
                                               const AttributeOwner& owner,
                                               const std::function<void(Diagnostic)>& report) {
    return AttributeCheck(owner, report).value(spec, given);
}

Attributes checkedAttributes(const Attributes& given, const std::vector<AttributeSpec>& specs,
                             const AttributeOwner& owner,
                             const std::function<void(Diagnostic)>& report) {
    AttributeCheck check(owner, report);
    Attributes right;
    for (const auto& [name, value] : given.entries()) {
        const auto spec = std::ranges::find(specs, name, &AttributeSpec::name);
        if (spec == specs.end()) {
            check.unknown(name, value, namesOf(specs));
        } else if (auto fits = check.value(*spec, value)) {
            right.set(name, std::move(*fits));
        }
    }
    for (const AttributeSpec& spec : specs) {
        if (spec.required && !given.has(spec.name)) {
            check.missing(spec);
        }
    }
    return completed(std::move(right), specs);
}

} // namespace weft
