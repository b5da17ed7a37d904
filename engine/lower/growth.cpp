// SPDX-License-Identifier: Apache-2.0
#include "lower/growth.h"

#include "base/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace weft {

namespace {

struct Growth {
    std::size_t layers = 0;
    std::size_t copies = 0;
    std::size_t words = 0;

    [[nodiscard]] bool isTooMuch() const {
        return layers > limits::layers || copies > limits::copies || words > limits::words;
    }
};

/// Multiplies, but returns at most the limit + 1.
std::size_t times(std::size_t count, std::size_t factor, std::size_t limit) {
    return factor != 0 && count > limit / factor ? limit + 1 : count * factor;
}

Growth sumOf(const Growth& a, const Growth& b) {
    return {std::min(a.layers + b.layers, limits::layers + 1),
            std::min(a.copies + b.copies, limits::copies + 1),
            std::min(a.words + b.words, limits::words + 1)};
}

std::size_t wordsOf(const AttributeValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return text->size();
    }
    const auto* whole = std::get_if<std::vector<std::int64_t>>(&value);
    const auto* real = std::get_if<std::vector<double>>(&value);
    const std::size_t numbers = whole != nullptr  ? whole->size()
                                : real != nullptr ? real->size()
                                                  : 1;
    return numbers * sizeof(double);
}

std::size_t wordsOf(const Attributes& attributes) {
    std::size_t sum = 0;
    for (const auto& [name, value] : attributes.entries()) {
        sum += sizeof(AttributeValue) + name.size() + wordsOf(value);
    }
    return sum;
}

/// Counts text and numbers. An expression is evaluated in each copy, and may give a list with as
/// many numbers as it has characters.
std::size_t wordsOf(const Layer& layer) {
    std::size_t sum = layer.name.size() + wordsOf(layer.attributes);
    for (const auto& [name, text] : layer.expressions) {
        sum += name.size() + text.size() * sizeof(double);
    }
    return sum;
}

class GrowthCount {
public:
    explicit GrowthCount(const Design& design) {
        for (const GroupDefinition& group : design.groups) {
            groups_.emplace(group.name, &group);
        }
    }

    Growth of(const Layer& layer, std::size_t depth) {
        if (layer.muted || layer.bypassed) {
            return {};
        }
        const std::size_t own = wordsOf(layer);
        const auto group = layer.kind == groupKind ? groups_.find(layer.group) : groups_.end();
        if (group == groups_.end() || depth >= limits::nesting) {
            return {.layers = 1, .words = own};
        }
        const Growth& inside = of(*group->second, depth);
        const auto repeat = static_cast<std::size_t>(std::max<std::int64_t>(1, layer.repeat));
        // The instance's name is in the names of all that is inside, and each copy has its
        // parameters.
        const std::size_t words = inside.words + own + wordsOf(group->second->parameters) +
                                  (inside.layers + inside.copies) * layer.name.size();
        return {times(inside.layers, repeat, limits::layers),
                times(inside.copies + 1, repeat, limits::copies),
                times(words, repeat, limits::words)};
    }

private:
    /// A group that contains itself counts as one layer here; it is refused elsewhere.
    const Growth& of(const GroupDefinition& group, std::size_t depth) {
        const auto [known, isNew] = known_.try_emplace({&group, depth}, Growth{.layers = 1});
        if (isNew) {
            Growth sum;
            for (const Layer& layer : group.network.layers) {
                sum = sumOf(sum, of(layer, depth + 1));
            }
            known->second = sum;
        }
        return known->second;
    }

    std::unordered_map<std::string_view, const GroupDefinition*> groups_;
    std::map<std::pair<const GroupDefinition*, std::size_t>, Growth> known_; ///< {group, depth}
};

} // namespace

std::optional<Diagnostic> growthProblem(const Design& design) {
    GrowthCount count(design);
    Growth sum;
    for (const Layer& layer : design.network.layers) {
        sum = sumOf(sum, count.of(layer, 0));
        if (sum.isTooMuch()) {
            Diagnostic problem = excessiveGrowthProblem();
            if (layer.kind == groupKind) {
                problem.layer = layer.id;
                problem.layerName = layer.name;
                problem.attribute = "repeat";
            }
            return problem;
        }
    }
    return std::nullopt;
}

Diagnostic excessiveGrowthProblem() {
    return {.code = "E025",
            .text = fmt::format("with all copies of groups, the design has more than {} layers, {} "
                                "copies or {} MiB of names and attributes",
                                limits::layers, limits::copies, limits::words >> 20U),
            .fix = {"use fewer copies", {}}};
}

} // namespace weft
