// SPDX-License-Identifier: Apache-2.0
#include "design/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weft {

namespace {

bool isBlank(char c) { return c == ' '; }

bool isAsciiDigit(char c) { return c >= '0' && c <= '9'; }

bool isAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Letters added, dropped, replaced, or two neighbours exchanged.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

} // namespace

bool isLayerName(std::string_view name) {
    if (name.empty() || name.size() > longestName || isBlank(name.front()) ||
        isBlank(name.back()) || name.find("->") != std::string_view::npos) {
        return false;
    }
    return std::ranges::none_of(name, [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return code < 0x20 || code == 0x7f || c == '/' || c == '[' || c == ']';
    });
}

bool isPortName(std::string_view name) {
    return isLayerName(name) && name.find('.') == std::string_view::npos;
}

bool isParameterName(std::string_view name) {
    return !name.empty() && name.size() <= longestName && !isAsciiDigit(name.front()) &&
           std::ranges::all_of(
               name, [](char c) { return c == '_' || isAsciiDigit(c) || isAsciiLetter(c); });
}

NameMaker::NameMaker(const Network& network) {
    for (const Layer& layer : network.layers) {
        taken_.insert(layer.name);
    }
}

std::string NameMaker::unique(std::string_view wanted) {
    if (take(wanted)) {
        return std::string(wanted);
    }
    std::string_view stem = wanted;
    while (stem.size() > 1 && isAsciiDigit(stem.back())) {
        stem.remove_suffix(1);
    }
    std::string_view digits = wanted.substr(stem.size());
    constexpr std::size_t mostDigits = 9;
    if (digits.size() > mostDigits) {
        stem = wanted;
        digits = {};
    }
    std::int64_t number = digits.empty() ? 1 : std::stoll(std::string(digits));
    std::int64_t& reached = reached_[std::string(stem)];
    // What was handed out before is skipped at once, so that many equal names do not take for ever.
    if (number <= reached) {
        number = reached;
    }
    for (++number;; ++number) {
        std::string name = std::string(stem) + std::to_string(number);
        if (take(name)) {
            reached = number;
            return name;
        }
    }
}

std::string NameMaker::counted(std::string_view stem) { return unique(std::string(stem) + "1"); }

NameMaker groupNames(const Design& design) {
    NameMaker names;
    for (const GroupDefinition& group : design.groups) {
        names.take(group.name);
    }
    return names;
}

LayerId freeLayerId(const Network& network) {
    std::set<std::uint32_t> taken;
    for (const Layer& layer : network.layers) {
        taken.insert(layer.id.value);
    }
    if (taken.empty()) {
        return LayerId{1};
    }
    if (*taken.rbegin() < LayerId::none - 1) {
        return LayerId{*taken.rbegin() + 1};
    }
    std::uint32_t candidate = 1;
    for (const std::uint32_t id : taken) {
        if (id > candidate) {
            break;
        }
        candidate = id + 1;
    }
    return LayerId{candidate};
}

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
    constexpr std::size_t longestCompared = 64;
    if (word.empty() || word.size() > longestCompared) {
        return {};
    }
    const std::string wanted = lowered(word);
    std::string best;
    std::size_t least = 1 + std::max<std::size_t>(1, word.size() / 3);
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longestCompared) {
            continue;
        }
        const std::size_t distance = editDistance(wanted, lowered(candidate));
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace weft
