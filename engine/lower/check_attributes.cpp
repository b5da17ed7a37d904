// SPDX-License-Identifier: Apache-2.0
#include "lower/check_attributes.h"

#include "base/names_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

/// Two of them multiplied are still a number: what shapes are computed with.
constexpr double largestWhole = 2'147'483'647;

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

// The value as the type wants it: a whole number is a number too, one number stands for a list of
// equal ones.
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
    if (spec.least && spec.most) {
        return fmt::format("from {} to {}", *spec.least, *spec.most);
    }
    return spec.least ? fmt::format("from {} on", *spec.least)
                      : fmt::format("up to {}", *spec.most);
}

class AttributeCheck {
public:
    AttributeCheck(const std::string& owner, const std::string& path,
                   const std::function<void(Diagnostic)>& report)
        : owner_(owner), path_(path), report_(report) {}

    std::optional<AttributeValue> value(const AttributeSpec& spec, const AttributeValue& given) {
        const AttributeType type = typeOf(spec.fallback);
        auto value = fitted(given, type);
        if (!value) {
            say("E003", spec.name,
                fmt::format("{} is {}; {} takes {}{} there", spec.name, toString(given), owner_,
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

    void unknown(const std::string& name, const std::vector<std::string>& names) {
        Fix fix = fixByWord(name, names, "rename_attribute", {path_, name},
                            fmt::format("take it out; {} has {}", owner_,
                                        names.empty() ? "no attributes"
                                                      : fmt::format("{}", fmt::join(names, ", "))));
        if (fix.edits.empty()) {
            fix.edits = {{"reset", {path_, name}}};
        }
        say("E002", name, fmt::format("{} has no attribute {}", owner_, name), std::move(fix));
    }

    void missing(const AttributeSpec& spec) {
        say("E006", spec.name,
            fmt::format("{} needs {}: {}", owner_, spec.name,
                        spec.help.empty() ? std::string(article(typeOf(spec.fallback)))
                                          : spec.help.substr(0, spec.help.find('.'))),
            Fix{fmt::format("set {}", spec.name), {}});
    }

private:
    [[nodiscard]] Fix mend(const AttributeSpec& spec) const {
        if (spec.required) {
            return {fmt::format("set {}", spec.name), {}};
        }
        return fixBy(fmt::format("set it back to {}", toString(spec.fallback)), "reset",
                     {path_, spec.name});
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
                fmt::format("{} is {}; {} takes {} numbers there", spec.name, toString(value),
                            owner_, spec.count),
                mend(spec));
        }
        return isCounted;
    }

    bool isInRange(const AttributeSpec& spec, const AttributeValue& value) {
        AttributeSpec bounded = spec;
        const AttributeType type = typeOf(spec.fallback);
        if (type == AttributeType::integer || type == AttributeType::integers) {
            bounded.most = std::min(spec.most.value_or(largestWhole), largestWhole);
        }
        const auto isOutside = [&](double number) {
            return (spec.least && !(number >= *spec.least)) ||
                   (bounded.most && !(number <= *bounded.most));
        };
        const std::vector<double> numbers = numbersOf(value);
        const auto outside = std::ranges::find_if(numbers, isOutside);
        if (outside == numbers.end()) {
            return true;
        }
        const bool isLow = spec.least && !(*outside >= *spec.least);
        const std::string nearest = fmt::format("{}", isLow ? *spec.least : *bounded.most);
        say("E004", spec.name,
            fmt::format("{} is {}; {} takes {} there", spec.name, toString(value), owner_,
                        rangeText(isLow ? spec : bounded)),
            numbers.size() == 1
                ? fixBy(fmt::format("set it to {}", nearest), "set", {path_, spec.name, nearest})
                : mend(spec));
        return false;
    }

    bool isChoice(const AttributeSpec& spec, const AttributeValue& value) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr || spec.choices.empty() ||
            std::ranges::find(spec.choices, *text) != spec.choices.end()) {
            return true;
        }
        say("E005", spec.name,
            fmt::format("{} is {}; {} knows {}", spec.name, toString(value), owner_,
                        fmt::join(spec.choices, ", ")),
            fixByWord(*text, spec.choices, "set", {path_, spec.name},
                      fmt::format("write one of them")));
        return false;
    }

    void say(std::string code, const std::string& attribute, std::string text, Fix fix) {
        if (path_.empty()) {
            fix.edits.clear();
        }
        report_({.code = std::move(code),
                 .attribute = attribute,
                 .text = std::move(text),
                 .fix = std::move(fix)});
    }

    const std::string& owner_;
    const std::string& path_;
    const std::function<void(Diagnostic)>& report_;
};

} // namespace

Attributes checkedAttributes(const Attributes& given, const std::vector<AttributeSpec>& specs,
                             const std::string& owner, const std::string& path,
                             const std::function<void(Diagnostic)>& report) {
    AttributeCheck check(owner, path, report);
    Attributes right;
    for (const auto& [name, value] : given.entries()) {
        const auto spec = std::ranges::find(specs, name, &AttributeSpec::name);
        if (spec == specs.end()) {
            check.unknown(name, namesOf(specs));
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
