// SPDX-License-Identifier: Apache-2.0
#include "graph/function_attributes.h"

#include <cmath>
#include <span>

namespace weft {

namespace {

std::span<const functions::Number> numbers(const functions::Info& info) {
    return {info.numbers.data(), info.count()};
}

std::optional<double> bound(double number) {
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

std::vector<AttributeSpec> attributesOf(const functions::Info& info) {
    std::vector<AttributeSpec> specs;
    for (const functions::Number& number : numbers(info)) {
        specs.push_back({.name = std::string(number.name),
                         .defaultValue = number.defaultValue,
                         .help = std::string(number.help),
                         .least = bound(number.least),
                         .above = bound(number.above)});
    }
    return specs;
}

std::array<double, 2> numbersOf(const functions::Info& info, const Attributes& attributes) {
    std::array<double, 2> values{};
    for (std::size_t k = 0; k < info.count(); ++k) {
        values[k] = attributes.real(info.numbers[k].name);
    }
    return values;
}

Attributes sampleAttributesOf(const functions::Info& info) {
    Attributes attributes;
    for (const functions::Number& number : numbers(info)) {
        attributes.set(std::string(number.name), number.sample);
    }
    return attributes;
}

} // namespace weft
