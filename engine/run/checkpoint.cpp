// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoint.h"

#include "run/initialise.h"
#include "run/stored_tensors.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

namespace weft {

namespace {

const Plan& planOf(const WorkerPool& pool) { return *pool.program(0, 0).program().plan; }

/// Copies the rows of a part's box between the part and the whole tensor.
template <class Copy>
void forEachRow(const Shape& whole, const Box& box, std::size_t size, const Copy& copy) {
    const std::size_t rank = whole.size();
    if (box.isEmpty()) {
        return;
    }
    const std::int64_t run = rank == 0 ? 1 : box.end[rank - 1] - box.begin[rank - 1];
    Shape index = box.begin;
    for (std::int64_t row = 0; row < box.elements() / run; ++row) {
        std::int64_t at = 0;
        for (std::size_t k = 0; k < rank; ++k) {
            at = at * whole[k] + index[k];
        }
        copy(static_cast<std::size_t>(at) * size, static_cast<std::size_t>(row * run) * size,
             static_cast<std::size_t>(run) * size);
        for (std::size_t k = rank - (rank > 0 ? 1 : 0); k-- > 0;) {
            if (++index[k] < box.end[k]) {
                break;
            }
            index[k] = box.begin[k];
        }
    }
}

/// The devices whose parts make up a slot: each box once.
std::vector<DeviceId> holdersOf(const Plan& plan, SlotId slot) {
    const PlacedId home = plan.slots[slot.value].home;
    std::vector<DeviceId> holders;
    std::vector<Box> seen;
    for (const DeviceId device : plan.at(plan.at(home).mesh).devices) {
        const Box box = plan.boxOf(home, device);
        if (!box.isEmpty() && std::ranges::find(seen, box) == seen.end()) {
            seen.push_back(box);
            holders.push_back(device);
        }
    }
    return holders;
}

/// The worker of this process that holds the same part as `device`; -1: none does.
int workerWithPartOf(const WorkerPool& pool, SlotId slot, DeviceId device) {
    const Plan& plan = planOf(pool);
    const PlacedId home = plan.slots[slot.value].home;
    const Box wanted = plan.boxOf(home, device);
    for (std::size_t w = 0; w < pool.size(); ++w) {
        if (pool.program(w, 0).program().slots[slot.value].isHeld &&
            plan.boxOf(home, pool.device(w).id) == wanted) {
            return static_cast<int>(w);
        }
    }
    return -1;
}

int workerOf(const WorkerPool& pool, DeviceId device) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        if (pool.device(w).id == device) {
            return static_cast<int>(w);
        }
    }
    return -1;
}

/// Rank 0 ends up with the part of that device; its owner has given it.
void fetchPart(const WorkerPool& pool, DeviceId device, SlotId slot, std::size_t bytes, int rank,
               const FetchPart& fetch, std::vector<std::byte>& part) {
    const int worker = workerOf(pool, device);
    part.resize(worker >= 0 || rank == 0 ? bytes : 0);
    if (worker >= 0) {
        const auto w = static_cast<std::size_t>(worker);
        pool.readSlot(w, slot.value, part.data());
    }
    if (worker < 0 || rank != 0) {
        ensure(static_cast<bool>(fetch),
               "a part of a slot lies on another rank and nothing brings it");
        fetch(device, part);
    }
}

std::int64_t number(const std::map<std::string, std::string>& metadata, const std::string& key,
                    const std::filesystem::path& path) {
    const auto found = metadata.find(key);
    std::int64_t value = 0;
    if (found != metadata.end()) {
        const auto& text = found->second;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc{} && end == text.data() + text.size()) {
            return value;
        }
    }
    throw Error(ErrorCode::format, Where{.file = path.string()},
                "has no number \"" + key + "\" in its metadata",
                "choose a checkpoint that Weft wrote; weights of others load with --weights");
}

CheckpointState stateOf(const SafetensorsReader& reader, const std::filesystem::path& path) {
    CheckpointState state;
    state.step = number(reader.metadata(), "step", path);
    state.position = {number(reader.metadata(), "epoch", path),
                      number(reader.metadata(), "example", path)};
    const auto design = reader.metadata().find("design");
    state.design = design == reader.metadata().end() ? "" : design->second;
    return state;
}

void readPart(const SafetensorsReader& reader, const StoredPart& stored, const Slot& slot,
              std::vector<std::byte>& whole) {
    whole.resize(static_cast<std::size_t>(elementsOf(slot.shape)) * byteSize(slot.dtype));
    reader.read(*stored.entry, stored.from, whole);
}

/// Hands every local worker its part of a whole slot.
void distribute(WorkerPool& pool, SlotId slot, const std::vector<std::byte>& whole) {
    const Slot& described = planOf(pool).graph->at(slot);
    const std::size_t size = byteSize(described.dtype);
    std::vector<std::byte> part;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const Program& program = pool.program(w, 0).program();
        if (!program.slots[slot.value].isHeld) {
            continue;
        }
        const Box box = program.plan->boxOf(program.plan->slots[slot.value].home, program.device);
        part.resize(static_cast<std::size_t>(box.elements()) * size);
        forEachRow(described.shape, box, size,
                   [&](std::size_t at, std::size_t in, std::size_t bytes) {
                       std::memcpy(part.data() + in, whole.data() + at, bytes);
                   });
        pool.writeSlot(w, slot.value, part.data());
    }
}

} // namespace

namespace {

std::unique_ptr<SafetensorsWriter> writerFor(const std::filesystem::path& path, const Plan& plan,
                                             const CheckpointState& state) {
    std::vector<TensorHeading> headings;
    std::ranges::transform(storedTensors(*plan.graph), std::back_inserter(headings),
                           &StoredTensor::heading);
    return std::make_unique<SafetensorsWriter>(
        path, headings,
        std::map<std::string, std::string>{{"weft", "checkpoint"},
                                           {"step", std::to_string(state.step)},
                                           {"epoch", std::to_string(state.position.epoch)},
                                           {"example", std::to_string(state.position.example)},
                                           {"design", state.design}});
}

/// In the order of the file: the slots of one tensor stand one behind the other.
std::vector<SlotId> slotsAsStored(const Plan& plan) {
    std::vector<SlotId> order;
    for (const StoredTensor& tensor : storedTensors(*plan.graph)) {
        order.insert(order.end(), tensor.slots.begin(), tensor.slots.end());
    }
    return order;
}

/// Lays the part of a slot at its place in the whole.
void lay(const Slot& slot, const Box& box, const std::vector<std::byte>& part,
         std::vector<std::byte>& whole) {
    forEachRow(slot.shape, box, byteSize(slot.dtype),
               [&](std::size_t at, std::size_t in, std::size_t bytes) {
                   std::memcpy(whole.data() + at, part.data() + in, bytes);
               });
}

} // namespace

std::vector<std::string> slotsNotWholeHere(const WorkerPool& pool) {
    const Plan& plan = planOf(pool);
    std::vector<std::string> lacking;
    for (std::uint32_t s = 0; s < plan.graph->slots.size(); ++s) {
        if (std::ranges::any_of(holdersOf(plan, {s}), [&](DeviceId device) {
                return workerWithPartOf(pool, {s}, device) < 0;
            })) {
            lacking.push_back(plan.graph->slots[s].name);
        }
    }
    return lacking;
}

void saveCheckpointAlone(const std::filesystem::path& path, const WorkerPool& pool,
                         const CheckpointState& state) {
    const Plan& plan = planOf(pool);
    const std::unique_ptr<SafetensorsWriter> writer = writerFor(path, plan, state);
    std::vector<std::byte> whole;
    std::vector<std::byte> part;
    for (const SlotId id : slotsAsStored(plan)) {
        const Slot& slot = plan.graph->at(id);
        const std::size_t size = byteSize(slot.dtype);
        whole.resize(static_cast<std::size_t>(elementsOf(slot.shape)) * size);
        for (const DeviceId device : holdersOf(plan, id)) {
            const Box box = plan.boxOf(plan.slots[id.value].home, device);
            const auto w = static_cast<std::size_t>(workerWithPartOf(pool, id, device));
            part.resize(static_cast<std::size_t>(box.elements()) * size);
            pool.readSlot(w, id.value, part.data());
            lay(slot, box, part, whole);
        }
        writer->write(whole);
    }
    writer->finish();
}

void saveCheckpoint(const std::filesystem::path& path, const WorkerPool& pool,
                    const CheckpointState& state, int rank, const FetchPart& fetch) {
    const Plan& plan = planOf(pool);
    std::unique_ptr<SafetensorsWriter> writer;
    if (rank == 0) {
        writer = writerFor(path, plan, state);
    }
    std::vector<std::byte> whole;
    std::vector<std::byte> part;
    for (const SlotId id : slotsAsStored(plan)) {
        const Slot& slot = plan.graph->at(id);
        const std::size_t size = byteSize(slot.dtype);
        whole.resize(rank == 0 ? static_cast<std::size_t>(elementsOf(slot.shape)) * size : 0);
        for (const DeviceId device : holdersOf(plan, id)) {
            const Box box = plan.boxOf(plan.slots[id.value].home, device);
            fetchPart(pool, device, id, static_cast<std::size_t>(box.elements()) * size, rank,
                      fetch, part);
            if (rank == 0) {
                lay(slot, box, part, whole);
            }
        }
        if (writer) {
            writer->write(whole);
        }
    }
    if (writer) {
        writer->finish();
    }
}

CheckpointState readCheckpointState(const std::filesystem::path& path) {
    return stateOf(SafetensorsReader(path), path);
}

CheckpointState loadCheckpoint(const std::filesystem::path& path, WorkerPool& pool) {
    const SafetensorsReader reader(path);
    const Graph& graph = *planOf(pool).graph;
    std::vector<std::byte> whole;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        const StoredPart stored = storedPart(reader, graph, {s}, path);
        if (stored.entry == nullptr) {
            throw Error(ErrorCode::format, Where{.file = path.string()},
                        "holds no " + graph.slots[s].name,
                        "resume with the design the checkpoint was made by");
        }
        readPart(reader, stored, graph.slots[s], whole);
        distribute(pool, {s}, whole);
    }
    return stateOf(reader, path);
}

LoadedWeights loadWeights(const std::filesystem::path& path, WorkerPool& pool) {
    const SafetensorsReader reader(path);
    const Graph& graph = *planOf(pool).graph;
    LoadedWeights weights;
    std::set<std::string_view> used;
    std::vector<std::byte> whole;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        const Slot& slot = graph.slots[s];
        if (slot.kind != SlotKind::parameter && slot.kind != SlotKind::statistics) {
            used.insert(slot.name); // what a run remembers is no weight
            continue;
        }
        const StoredPart stored = storedPart(reader, graph, {s}, path);
        if (stored.entry == nullptr) {
            weights.missing.push_back(slot.name);
            continue;
        }
        readPart(reader, stored, slot, whole);
        distribute(pool, {s}, whole);
        used.insert(stored.entry->name);
        weights.loaded.push_back(slot.name);
    }
    for (const TensorEntry& entry : reader.entries()) {
        // What an optimizer keeps of a parameter is no weight.
        const std::size_t slash = entry.name.rfind('/');
        const bool isState =
            slash != std::string::npos && reader.find(entry.name.substr(0, slash)) != nullptr;
        if (!used.contains(entry.name) && !isState) {
            weights.leftOver.push_back(entry.name);
        }
    }
    if (weights.loaded.empty() && !weights.missing.empty()) {
        throw Error(ErrorCode::format, {}, textOf(weights, path),
                    "nothing of it would be used: name weights of this design, whose tensors are "
                    "called LAYER.PARAMETER");
    }
    return weights;
}

namespace {

void drawSlots(WorkerPool& pool, std::uint64_t seed, bool (*wants)(const Slot&)) {
    const Graph& graph = *planOf(pool).graph;
    std::vector<std::byte> part;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const Program& program = pool.program(w, 0).program();
        for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
            if (!program.slots[s].isHeld || !wants(graph.slots[s])) {
                continue;
            }
            const Box box = program.plan->boxOf(program.plan->slots[s].home, program.device);
            part.resize(static_cast<std::size_t>(box.elements()) * byteSize(graph.slots[s].dtype));
            drawSlot(graph.slots[s], seed, box, part);
            pool.writeSlot(w, s, part.data());
        }
    }
}

} // namespace

void initialiseSlots(WorkerPool& pool, std::uint64_t seed) {
    drawSlots(pool, seed, [](const Slot&) { return true; });
}

void restEvaluation(WorkerPool& pool, std::uint64_t seed) {
    // An evaluation's stand beside those of training.
    drawSlots(pool, seed, [](const Slot& slot) {
        return slot.kind == SlotKind::layerState && !slot.of.isNone();
    });
}

} // namespace weft
