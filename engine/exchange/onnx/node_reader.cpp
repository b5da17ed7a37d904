// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/node_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::onnx {

const Attribute* AttributeReader::any(std::string_view name) {
    const auto found = std::ranges::find(node_.attributes, name, &Attribute::name);
    read_.insert(std::string(name));
    return found == node_.attributes.end() ? nullptr : &*found;
}

const Attribute* AttributeReader::find(std::string_view name, Attribute::ValueType type) {
    const Attribute* found = any(name);
    if (found != nullptr && found->type != type) {
        throw Refusal(fmt::format("its attribute {} has an unexpected type", name));
    }
    return found;
}

std::int64_t AttributeReader::whole(std::string_view name, std::int64_t fallback) {
    const Attribute* found = find(name, Attribute::ValueType::whole);
    return found == nullptr ? fallback : found->whole;
}

double AttributeReader::real(std::string_view name, double fallback) {
    const Attribute* found = find(name, Attribute::ValueType::real);
    return found == nullptr ? fallback : found->real;
}

std::string AttributeReader::text(std::string_view name, std::string fallback) {
    const Attribute* found = find(name, Attribute::ValueType::text);
    return found == nullptr ? fallback : found->text;
}

Shape AttributeReader::wholes(std::string_view name, Shape fallback) {
    const Attribute* found = find(name, Attribute::ValueType::wholes);
    return found == nullptr ? fallback : found->wholes;
}

void AttributeReader::expect(std::string_view name, std::int64_t only) {
    const std::int64_t given = whole(name, only);
    if (given != only) {
        throw Refusal(fmt::format("{} is {}; only {} is imported", name, given, only));
    }
}

void AttributeReader::refuseUnread() const {
    constexpr std::size_t mostNamed = 10;
    std::string names;
    std::size_t count = 0;
    for (const Attribute& attribute : node_.attributes) {
        if (!read_.contains(attribute.name) && ++count <= mostNamed) {
            names += (count == 1 ? "" : ", ") + attribute.name;
        }
    }
    if (count > mostNamed) {
        names += fmt::format(" and {} more", count - mostNamed);
    }
    if (count > 0) {
        throw Refusal(fmt::format("its attributes {} are not imported", names));
    }
}

std::size_t axisFromFront(std::int64_t axis, std::size_t rank) {
    const auto dims = static_cast<std::int64_t>(rank);
    if (axis < -dims || axis >= dims) {
        throw Refusal(fmt::format("axis {} does not exist in {} dims", axis, rank));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + dims : axis);
}

} // namespace weft::onnx
