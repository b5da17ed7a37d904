// SPDX-License-Identifier: Apache-2.0
#include "base/names_of.h"
#include "data/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

/// "idx, cifar or npy"
std::string alternatives(std::span<const std::string> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    return text;
}

bool suits(AttributeType given, AttributeType wanted) {
    using enum AttributeType;
    switch (wanted) {
    case real: return given == real || given == integer;
    case integers: return given == integers || given == integer;
    case reals: return given == reals || given == real || given == integers || given == integer;
    default: return given == wanted;
    }
}

std::vector<double> numbersOf(const AttributeValue& value) {
    return std::visit(
        [](const auto& held) -> std::vector<double> {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::string>) {
                return {};
            } else if constexpr (std::is_arithmetic_v<Held>) {
                return {static_cast<double>(held)};
            } else {
                return {held.begin(), held.end()};
            }
        },
        value);
}

/// What is wrong with the value and what would mend it, or nothing.
std::optional<std::pair<std::string, std::string>> faultOf(const AttributeValue& value,
                                                           const AttributeSpec& spec) {
    const AttributeType wanted = typeOf(spec.fallback);
    if (!suits(typeOf(value), wanted)) {
        return std::pair{fmt::format("is {}, of type {}", toString(value), nameOf(typeOf(value))),
                         fmt::format("give a value of type {}", nameOf(wanted))};
    }
    if (wanted == AttributeType::text && !spec.choices.empty() &&
        std::find(spec.choices.begin(), spec.choices.end(), std::get<std::string>(value)) ==
            spec.choices.end()) {
        return std::pair{"is " + toString(value), "say " + alternatives(spec.choices)};
    }
    const std::vector<double> numbers = numbersOf(value);
    for (const double number : numbers) {
        if ((spec.least && !(number >= *spec.least)) || (spec.most && !(number <= *spec.most))) {
            return std::pair{"is " + toString(value),
                             spec.least && spec.most
                                 ? fmt::format("choose from {} to {}", *spec.least, *spec.most)
                             : spec.least ? fmt::format("choose {} or more", *spec.least)
                                          : fmt::format("choose {} or less", *spec.most)};
        }
    }
    if (spec.count > 0 && numbers.size() > 1 && numbers.size() != spec.count) {
        return std::pair{fmt::format("has {} numbers", numbers.size()),
                         fmt::format("give one, or {}", spec.count)};
    }
    return std::nullopt;
}

class DataCheck {
public:
    DataCheck(const DataSettings& settings, const SourceList& kinds)
        : settings_(settings), kinds_(kinds) {}

    std::vector<Diagnostic> diagnostics() && {
        checkSource();
        if (settings_.batch < 1) {
            report("E504", "batch", fmt::format("the batch is {}", settings_.batch),
                   "set it to 1 or more");
        }
        if (!(settings_.validation >= 0 && settings_.validation < 1)) {
            report("E505", "validation",
                   fmt::format("the share held out is {}", settings_.validation),
                   "choose a share from 0 to below 1, such as 0.1");
        }
        checkWord("E506", "order", settings_.order, {"shuffled", "file"});
        checkWord("E507", "lastBatch", settings_.lastBatch, {"keep", "drop", "wrap"});
        return std::move(found_);
    }

private:
    void checkSource() {
        const SourceKind* kind = findSourceKind(kinds_, settings_.source);
        if (kind == nullptr) {
            report("E501", "source",
                   settings_.source.empty()
                       ? "no data source is chosen"
                       : fmt::format("there is no data source '{}'", settings_.source),
                   "choose " + alternatives(namesOf(kinds_)));
            return;
        }
        for (const auto& entry : settings_.attributes.entries()) {
            const std::string& name = entry.first;
            const auto spec =
                std::find_if(kind->attributes.begin(), kind->attributes.end(),
                             [&](const AttributeSpec& each) { return each.name == name; });
            if (spec == kind->attributes.end()) {
                report("E502", name,
                       fmt::format("data source {} has no attribute {}", kind->name, name),
                       "take it out, or use " + alternatives(namesOf(kind->attributes)));
            } else if (const auto fault = faultOf(entry.second, *spec)) {
                report("E503", name,
                       fmt::format("{} of data source {} {}", name, kind->name, fault->first),
                       fault->second);
            }
        }
        for (const AttributeSpec& spec : kind->attributes) {
            if (spec.required && !settings_.attributes.has(spec.name)) {
                report("E503", spec.name,
                       fmt::format("{} of data source {} is missing", spec.name, kind->name),
                       "set it: " + spec.help);
            }
        }
    }

    void checkWord(const char* code, const char* name, const std::string& word,
                   const std::vector<std::string>& known) {
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            report(code, name, fmt::format("{} of the data is '{}'", name, word),
                   "say " + alternatives(known));
        }
    }

    void report(const char* code, const std::string& attribute, std::string text,
                const std::string& mend) {
        found_.push_back({.code = code,
                          .layerName = "data",
                          .attribute = attribute,
                          .text = std::move(text),
                          .fix = {.text = mend, .edits = {}}});
    }

    const DataSettings& settings_;
    const SourceList& kinds_;
    std::vector<Diagnostic> found_;
};

} // namespace

std::vector<Diagnostic> checkData(const DataSettings& settings, const SourceList& kinds) {
    return DataCheck(settings, kinds).diagnostics();
}

} // namespace weft
