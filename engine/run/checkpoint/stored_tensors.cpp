// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoint/stored_tensors.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft {

namespace {

/// Returns the tensor that a slot is a part of, or an empty string if it has a tensor of its own.
/// Optimizer state is stored like its parameter.
std::string sharedName(const Graph& graph, const Slot& slot) {
    if (slot.of.isNone()) {
        return slot.storedAs;
    }
    const Slot& parameter = graph.at(slot.of);
    return parameter.storedAs.empty()
               ? std::string()
               : parameter.storedAs + slot.name.substr(parameter.name.size());
}

std::int64_t firstRow(const Graph& graph, const Slot& slot) {
    return slot.of.isNone() ? slot.storedFirst : graph.at(slot.of).storedFirst;
}

/// True if the rows begin at 0 and none is missing.
bool isWhole(const Graph& graph, const std::vector<SlotId>& slots) {
    std::int64_t row = 0;
    return std::ranges::all_of(slots, [&](SlotId id) {
        const Slot& slot = graph.at(id);
        const bool isNext = firstRow(graph, slot) == row && !slot.shape.empty();
        row += slot.shape.empty() ? 0 : slot.shape[0];
        return isNext;
    });
}

void requireShape(const std::filesystem::path& path, const TensorEntry& entry, const Shape& shape,
                  const Slot& slot) {
    if (shape != slot.shape || entry.dtype != slot.dtype) {
        throw Error(ErrorCode::format, Where{.file = path.string()},
                    fmt::format("{} is {} {}, but the design's {} is {} {}", entry.name,
                                nameOf(entry.dtype), toString(shape), slot.name, nameOf(slot.dtype),
                                toString(slot.shape)),
                    "load it into the design it was trained with");
    }
}

std::string firstOf(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t k = 0; k < std::min(most, names.size()); ++k) {
        text += (k == 0 ? "" : ", ") + names[k];
    }
    return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

} // namespace

std::vector<StoredTensor> storedTensors(const Graph& graph) {
    std::map<std::string, std::vector<SlotId>> shared;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        if (const std::string name = sharedName(graph, graph.at(SlotId{s})); !name.empty()) {
            shared[name].push_back({s});
        }
    }
    for (auto& [name, slots] : shared) {
        std::ranges::sort(slots, {}, [&](SlotId id) { return firstRow(graph, graph.at(id)); });
    }
    std::vector<StoredTensor> tensors;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        const Slot& slot = graph.at(SlotId{s});
        const auto found = shared.find(sharedName(graph, slot));
        if (found == shared.end() || !isWhole(graph, found->second)) {
            tensors.push_back({{slot.name, slot.dtype, slot.shape}, {SlotId{s}}});
        } else if (found->second.front() == SlotId{s}) {
            Shape shape = slot.shape;
            shape[0] = 0;
            for (const SlotId part : found->second) {
                shape[0] += graph.at(part).shape[0];
            }
            tensors.push_back({{found->first, slot.dtype, std::move(shape)}, found->second});
        }
    }
    return tensors;
}

StoredPart storedPart(const SafetensorsReader& file, const Graph& graph, SlotId slot,
                      const std::filesystem::path& path, const std::string& suffix) {
    const Slot& held = graph.at(slot);
    if (const TensorEntry* entry = file.find(held.name + suffix)) {
        requireShape(path, *entry, entry->shape, held);
        return {entry, 0};
    }
    const std::string name = sharedName(graph, held);
    const TensorEntry* entry = name.empty() ? nullptr : file.find(name + suffix);
    if (entry == nullptr) {
        return {};
    }
    const std::int64_t first = firstRow(graph, held);
    Shape rows = entry->shape;
    const bool hasRows = !rows.empty() && rows[0] >= first + held.shape[0];
    if (hasRows) {
        rows[0] = held.shape[0];
    }
    requireShape(path, *entry, rows, held);
    const std::int64_t perRow = elementsOf(held.shape) / std::max<std::int64_t>(1, held.shape[0]);
    return {entry, first * perRow * static_cast<std::int64_t>(byteSize(held.dtype))};
}

std::string describeElementCounts(std::int64_t stored, std::int64_t here) {
    return fmt::format("{} batch elements, but the design has {}: {}", stored, here,
                       here > stored ? "the stored ones are repeated"
                                     : "the last ones are not used");
}

std::string textOf(const LoadedWeights& weights, const std::filesystem::path& path) {
    std::string text;
    if (!weights.missing.empty()) {
        text = fmt::format("contains no {}, which {} initialised at random",
                           firstOf(weights.missing), weights.missing.size() == 1 ? "is" : "are");
    }
    if (!weights.leftOver.empty()) {
        text += fmt::format("{}the design has no {}, which {} ignored", text.empty() ? "" : "; ",
                            firstOf(weights.leftOver), weights.leftOver.size() == 1 ? "is" : "are");
    }
    if (weights.elementsStored > 0) {
        text += (text.empty() ? "contains weights for " : "; it contains weights for ") +
                describeElementCounts(weights.elementsStored, weights.elements);
    }
    if (!weights.copiedToSeveralSets.empty()) {
        text += fmt::format("{}contains one set of {}, which initialises each of several sets",
                            text.empty() ? "" : "; it ", firstOf(weights.copiedToSeveralSets));
    }
    return text.empty() ? text : path.string() + ": " + text;
}

} // namespace weft
