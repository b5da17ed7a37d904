// SPDX-License-Identifier: Apache-2.0
#include <weft/legal_word.h>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace weft {

namespace {

constexpr std::array<std::pair<AxisWord, std::string_view>, 8> axisWords{
    {{AxisWord::follow, "follow"},
     {AxisWord::data, "data"},
     {AxisWord::batch, "batch"},
     {AxisWord::modelStack, "model.stack"},
     {AxisWord::modelAdd, "model.add"},
     {AxisWord::spaceRows, "space.rows"},
     {AxisWord::spaceColumns, "space.columns"},
     {AxisWord::replicate, "replicate"}}};

} // namespace

std::string_view nameOf(AxisWord word) {
    for (const auto& [value, name] : axisWords) {
        if (value == word) {
            return name;
        }
    }
    return "unknown";
}

std::optional<AxisWord> axisWordNamed(std::string_view name) {
    for (const auto& [value, known] : axisWords) {
        if (known == name) {
            return value;
        }
    }
    return std::nullopt;
}

std::string refusalOf(const LegalWord& legal, std::int64_t parts) {
    return legal.groups == 0 || legal.groups >= parts
               ? legal.reason
               : fmt::format(
                     "{} groups cannot be spread over {} devices; one device would have none",
                     legal.groups, parts);
}

std::string toString(const Assignment& assignment) {
    std::string text;
    if (assignment.words.size() == 1) {
        text = nameOf(assignment.words.front());
    } else if (assignment.words.empty()) {
        text = nameOf(AxisWord::follow);
    } else {
        for (const AxisWord word : assignment.words) {
            text += text.empty() ? "[" : ", ";
            text += nameOf(word);
        }
        text += "]";
    }
    if (!assignment.devices.empty()) {
        text += fmt::format(" on {}", fmt::join(assignment.devices, " "));
    }
    if (assignment.mesh.size() > 1) {
        text += fmt::format(" as {}", fmt::join(assignment.mesh, "x"));
    }
    return text;
}

} // namespace weft
