// SPDX-License-Identifier: Apache-2.0
#include "design/names.h"

#include <algorithm>

namespace weft {

namespace {

bool isBlank(char c) { return c == ' '; }

bool isAsciiDigit(char c) { return c >= '0' && c <= '9'; }

bool isAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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

bool isDeviceName(std::string_view name) {
    const auto isNumber = [](std::string_view text) {
        constexpr std::size_t mostDigits = 6;
        return !text.empty() && text.size() <= mostDigits &&
               std::ranges::all_of(text, isAsciiDigit);
    };
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos || !isParameterName(name.substr(0, colon))) {
        return false;
    }
    const std::string_view place = name.substr(colon + 1);
    const std::size_t slash = place.find('/');
    return isNumber(place.substr(0, slash)) &&
           (slash == std::string_view::npos || isNumber(place.substr(slash + 1)));
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
    // Skips all numbers used before at once, so that many equal names take no quadratic time.
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

} // namespace weft
