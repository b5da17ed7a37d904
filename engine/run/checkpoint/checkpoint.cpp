// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoint/checkpoint.h"

#include "base/finite.h"
#include "run/checkpoint/stored_tensors.h"
#include "run/execute/initialise.h"
#include "run/execute/slot_parts.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

namespace weft {

namespace {

constexpr const char* dueKey = "evaluation_due";

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

int workerOf(const WorkerPool& pool, DeviceId device) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        if (pool.device(w).id == device) {
            return static_cast<int>(w);
        }
    }
    return -1;
}

/// Brings a device's part of a slot to rank 0. Its owner sends it.
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
               "the parts of a slot on other ranks are gathered before it is saved");
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
                "choose a checkpoint that Weft wrote; load other programs' weights with --weights");
}

CheckpointState stateOf(const SafetensorsReader& reader, const std::filesystem::path& path) {
    CheckpointState state;
    state.step = number(reader.metadata(), "step", path);
    state.position = {number(reader.metadata(), "epoch", path),
                      number(reader.metadata(), "example", path)};
    const auto period = reader.metadata().find("period");
    state.period = period == reader.metadata().end() ? "" : period->second;
    state.isEvaluationDue = reader.metadata().contains(dueKey);
    if (const auto elements = reader.metadata().find("elements");
        elements != reader.metadata().end()) {
        state.elements = elements->second;
        state.countedFrom = {number(reader.metadata(), "anew_epoch", path),
                             number(reader.metadata(), "anew_example", path)};
    }
    return state;
}

void readPart(const SafetensorsReader& reader, const StoredPart& stored, const Slot& slot,
              std::vector<std::byte>& whole) {
    whole.resize(static_cast<std::size_t>(elementsOf(slot.shape)) * byteSize(slot.dtype));
    reader.read(*stored.entry, stored.from, whole);
}

/// Copies to every local worker its part of a whole share.
void distribute(WorkerPool& pool, SlotId slot, const std::vector<std::byte>& whole,
                std::size_t share = 0) {
    const Slot& described = planOf(pool).graph->at(slot);
    const std::size_t size = byteSize(described.dtype);
    std::vector<std::byte> part;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const Program& program = pool.program(w, 0).program();
        if (!program.slots[slot.value].isHeld ||
            shareIndexOf(*program.plan, slot, program.device) != share) {
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

/// A share of a slot in the file.
struct StoredShare {
    SlotId slot;
    std::size_t share = 0;
};

/// Slots in the order of the file. Slots that are concatenated in one tensor are adjacent; each
/// share is a tensor of its own.
struct Contents {
    std::vector<TensorHeading> headings;
    std::vector<StoredShare> shares;
};

Contents contentsOf(const Plan& plan) {
    Contents contents;
    for (const StoredTensor& tensor : storedTensors(*plan.graph)) {
        std::size_t shares = 1;
        for (const SlotId slot : tensor.slots) {
            shares = std::max(shares, shareCountOf(plan, slot));
        }
        for (std::size_t share = 0; share < shares; ++share) {
            TensorHeading heading = tensor.heading;
            heading.name = shares == 1 ? heading.name : shareName(heading.name, share);
            contents.headings.push_back(std::move(heading));
            for (const SlotId slot : tensor.slots) {
                contents.shares.push_back({slot, share});
            }
        }
    }
    return contents;
}

std::unique_ptr<SafetensorsWriter> writerFor(const std::filesystem::path& path,
                                             const Contents& contents,
                                             const CheckpointState& state) {
    std::map<std::string, std::string> metadata{{"weft", "checkpoint"},
                                                {"step", std::to_string(state.step)},
                                                {"epoch", std::to_string(state.position.epoch)},
                                                {"example", std::to_string(state.position.example)},
                                                {"period", state.period}};
    if (state.isEvaluationDue) {
        metadata.emplace(dueKey, "yes");
    }
    if (state.elements) {
        metadata.insert({{"elements", *state.elements},
                         {"anew_epoch", std::to_string(state.countedFrom.epoch)},
                         {"anew_example", std::to_string(state.countedFrom.example)}});
    }
    return std::make_unique<SafetensorsWriter>(path, contents.headings, std::move(metadata));
}

/// Copies the part of a slot to its place in the whole.
void lay(const Slot& slot, const Box& box, const std::vector<std::byte>& part,
         std::vector<std::byte>& whole) {
    forEachRow(slot.shape, box, byteSize(slot.dtype),
               [&](std::size_t at, std::size_t in, std::size_t bytes) {
                   std::memcpy(whole.data() + at, part.data() + in, bytes);
               });
}

template <class T>
void addNumbers(const std::vector<std::byte>& from, std::vector<std::byte>& to) {
    for (std::size_t at = 0; at < to.size(); at += sizeof(T)) {
        T a{};
        T b{};
        std::memcpy(&a, to.data() + at, sizeof(T));
        std::memcpy(&b, from.data() + at, sizeof(T));
        a = static_cast<T>(a + b);
        std::memcpy(to.data() + at, &a, sizeof(T));
    }
}

void addTo(std::vector<std::byte>& to, const std::vector<std::byte>& from, DType dtype) {
    switch (dtype) {
    case DType::f32: addNumbers<float>(from, to); return;
    case DType::f64: addNumbers<double>(from, to); return;
    case DType::i32: addNumbers<std::int32_t>(from, to); return;
    case DType::i64: addNumbers<std::int64_t>(from, to); return;
    default: ensure(false, "a sum accumulates in a type that can be added");
    }
}

} // namespace

std::vector<std::string> slotsNotFullyHere(const WorkerPool& pool) {
    const Plan& plan = planOf(pool);
    std::vector<std::string> lacking;
    for (std::uint32_t s = 0; s < plan.graph->slots.size(); ++s) {
        bool isLacking = false;
        for (std::size_t share = 0; share < shareCountOf(plan, {s}); ++share) {
            isLacking =
                isLacking || std::ranges::any_of(holdersOf(plan, {s}, share), [&](DeviceId device) {
                    return workerWithPartOf(pool, {s}, device) < 0;
                });
        }
        if (isLacking) {
            lacking.push_back(plan.graph->slots[s].name);
        }
    }
    return lacking;
}

void saveCheckpointAlone(const std::filesystem::path& path, const WorkerPool& pool,
                         const CheckpointState& state) {
    const Plan& plan = planOf(pool);
    const Contents contents = contentsOf(plan);
    const std::unique_ptr<SafetensorsWriter> writer = writerFor(path, contents, state);
    std::vector<std::byte> whole;
    std::vector<std::byte> part;
    for (const auto& [id, share] : contents.shares) {
        const Slot& slot = plan.graph->at(id);
        const std::size_t size = byteSize(slot.dtype);
        whole.assign(static_cast<std::size_t>(elementsOf(slot.shape)) * size, std::byte{0});
        for (const DeviceId device : holdersOf(plan, id, share)) {
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

namespace {

/// Assembles a whole share on rank 0, with `part` as buffer for the parts.
void fetchShare(const WorkerPool& pool, const StoredShare& of, int rank, const FetchPart& fetch,
                std::vector<std::byte>& whole, std::vector<std::byte>& part) {
    const Plan& plan = planOf(pool);
    const Slot& slot = plan.graph->at(of.slot);
    const std::size_t size = byteSize(slot.dtype);
    whole.assign(rank == 0 ? static_cast<std::size_t>(elementsOf(slot.shape)) * size : 0,
                 std::byte{0});
    for (const DeviceId device : holdersOf(plan, of.slot, of.share)) {
        const Box box = plan.boxOf(plan.slots[of.slot.value].home, device);
        fetchPart(pool, device, of.slot, static_cast<std::size_t>(box.elements()) * size, rank,
                  fetch, part);
        if (rank == 0) {
            lay(slot, box, part, whole);
        }
    }
}

} // namespace

std::vector<std::byte> wholeSlot(const WorkerPool& pool, SlotId slot, int rank,
                                 const FetchPart& fetch) {
    const Plan& plan = planOf(pool);
    std::vector<std::byte> whole;
    std::vector<std::byte> next;
    std::vector<std::byte> part;
    fetchShare(pool, {slot, 0}, rank, fetch, whole, part);
    for (std::size_t share = 1; share < shareCountOf(plan, slot); ++share) {
        fetchShare(pool, {slot, share}, rank, fetch, next, part);
        addTo(whole, next, plan.graph->at(slot).dtype);
    }
    return whole;
}

void saveCheckpoint(const std::filesystem::path& path, const WorkerPool& pool,
                    const CheckpointState& state, int rank, const FetchPart& fetch) {
    const Plan& plan = planOf(pool);
    const Contents contents = contentsOf(plan);
    std::unique_ptr<SafetensorsWriter> writer;
    if (rank == 0) {
        writer = writerFor(path, contents, state);
    }
    std::vector<std::byte> whole;
    std::vector<std::byte> part;
    for (const auto& [id, share] : contents.shares) {
        fetchShare(pool, {id, share}, rank, fetch, whole, part);
        if (writer) {
            writer->write(whole);
        }
    }
    if (writer) {
        writer->finish();
    }
}

namespace {

/// Returns the slot's tensors in the file: the whole slot, or its shares.
std::vector<StoredPart> storedShares(const SafetensorsReader& reader, const Graph& graph,
                                     SlotId slot, const std::filesystem::path& path) {
    StoredPart next = storedPart(reader, graph, slot, path);
    std::vector<StoredPart> shares;
    if (next.entry != nullptr) {
        shares.push_back(next);
        return shares;
    }
    do {
        next = storedPart(reader, graph, slot, path, shareName("", shares.size()));
        if (next.entry != nullptr) {
            shares.push_back(next);
        }
    } while (next.entry != nullptr);
    if (shares.empty()) {
        throw Error(ErrorCode::format, Where{.file = path.string()},
                    "holds no " + graph.at(slot).name,
                    "resume with the design that wrote the checkpoint");
    }
    return shares;
}

/// Returns the tensor of a per-element slot, with any number of elements. nullptr if the slot is
/// not per element or does not fit.
const TensorEntry* entryOfElements(const SafetensorsReader& reader, const Slot& slot) {
    const TensorEntry* entry = reader.find(slot.name);
    const bool isOfElements = slot.kind == SlotKind::layerState || slot.isPerElement;
    const bool fits =
        isOfElements && entry != nullptr && entry->dtype == slot.dtype &&
        entry->shape.size() == slot.shape.size() && entry->shape[0] > 0 &&
        std::equal(slot.shape.begin() + 1, slot.shape.end(), entry->shape.begin() + 1);
    return fits ? entry : nullptr;
}

/// Loads a per-element slot of a batch of another size from element `first` on: repeats elements or
/// leaves some out. Returns the number of stored elements, or 0 if nothing was loaded because the
/// sizes agree.
std::int64_t loadElements(const SafetensorsReader& reader, SlotId id, WorkerPool& pool,
                          std::int64_t first = 0) {
    const Slot& slot = planOf(pool).graph->at(id);
    const TensorEntry* entry = entryOfElements(reader, slot);
    if (entry == nullptr || entry->shape == slot.shape) {
        return 0;
    }
    const std::int64_t stored = entry->shape[0];
    const auto each =
        static_cast<std::size_t>(elementsOf(slot.shape) / slot.shape[0]) * byteSize(slot.dtype);
    std::vector<std::byte> whole(static_cast<std::size_t>(slot.shape[0]) * each);
    for (std::int64_t b = 0; b < slot.shape[0]; ++b) {
        reader.read(*entry, static_cast<std::int64_t>(each) * ((first + b) % stored),
                    std::span(whole).subspan(static_cast<std::size_t>(b) * each, each));
    }
    distribute(pool, id, whole);
    return stored;
}

/// Loads share by share if the file has as many shares. Otherwise gives one device the sum and the
/// others zeros.
void loadSlot(const SafetensorsReader& reader, const std::filesystem::path& path, SlotId id,
              WorkerPool& pool) {
    const Plan& plan = planOf(pool);
    const Slot& slot = plan.graph->at(id);
    const std::vector<StoredPart> stored = storedShares(reader, *plan.graph, id, path);
    const std::size_t shares = shareCountOf(plan, id);
    std::vector<std::byte> whole;
    if (stored.size() == shares) {
        for (std::size_t share = 0; share < shares; ++share) {
            readPart(reader, stored[share], slot, whole);
            distribute(pool, id, whole, share);
        }
        return;
    }
    std::vector<std::byte> next;
    readPart(reader, stored.front(), slot, whole);
    for (std::size_t share = 1; share < stored.size(); ++share) {
        readPart(reader, stored[share], slot, next);
        addTo(whole, next, slot.dtype);
    }
    distribute(pool, id, whole);
    whole.assign(whole.size(), std::byte{0});
    for (std::size_t share = 1; share < shares; ++share) {
        distribute(pool, id, whole, share);
    }
}

} // namespace

CheckpointState readCheckpointState(const std::filesystem::path& path) {
    return stateOf(SafetensorsReader(path), path);
}

CheckpointState loadCheckpoint(const std::filesystem::path& path, WorkerPool& pool,
                               bool hasOtherFilms) {
    const SafetensorsReader reader(path);
    const Graph& graph = *planOf(pool).graph;
    CheckpointState state = stateOf(reader, path);
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        if (hasOtherFilms && graph.slots[s].kind == SlotKind::layerState) {
            continue;
        }
        if (const std::int64_t stored = loadElements(reader, {s}, pool); stored > 0) {
            const std::int64_t here = graph.slots[s].shape[0];
            state.remark = "the checkpoint contains " + describeElementCounts(stored, here);
        } else {
            loadSlot(reader, path, {s}, pool);
        }
    }
    return state;
}

namespace {

/// Returns the file's tensor with a single set for a slot with several sets; nullptr if it does not
/// fit.
const TensorEntry* entryOfOneSet(const SafetensorsReader& reader, const Slot& slot) {
    const Attributes& with = slot.initialiser.attributes;
    const TensorEntry* entry = reader.find(slot.name);
    if (!with.has("set_dims") || entry == nullptr || entry->dtype != slot.dtype) {
        return nullptr;
    }
    const auto own = slot.shape.begin() + static_cast<std::ptrdiff_t>(with.integer("set_dims"));
    return std::equal(own, slot.shape.end(), entry->shape.begin(), entry->shape.end()) ? entry
                                                                                       : nullptr;
}

/// Copies the single set of the file to each set of the slot.
void loadOneSet(const SafetensorsReader& reader, const TensorEntry& entry, SlotId id,
                WorkerPool& pool) {
    const Slot& slot = planOf(pool).graph->at(id);
    std::vector<std::byte> whole(static_cast<std::size_t>(elementsOf(slot.shape)) *
                                 byteSize(slot.dtype));
    const std::size_t each =
        static_cast<std::size_t>(elementsOf(entry.shape)) * byteSize(slot.dtype);
    reader.read(entry, 0, std::span(whole).first(each));
    for (std::size_t at = each; at < whole.size(); at += each) {
        std::memcpy(whole.data() + at, whole.data(), each);
    }
    distribute(pool, id, whole);
}

} // namespace

std::int64_t batchElementsIn(const std::filesystem::path& path, const Graph& graph) {
    const SafetensorsReader reader(path);
    for (const Slot& slot : graph.slots) {
        const TensorEntry* entry = slot.kind == SlotKind::parameter && slot.isPerElement
                                       ? entryOfElements(reader, slot)
                                       : nullptr;
        if (entry != nullptr) {
            return entry->shape[0];
        }
    }
    return 0;
}

LoadedWeights loadWeights(const std::filesystem::path& path, WorkerPool& pool,
                          std::int64_t element) {
    const SafetensorsReader reader(path);
    const Graph& graph = *planOf(pool).graph;
    LoadedWeights weights;
    std::set<std::string_view> used;
    std::vector<std::byte> whole;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        const Slot& slot = graph.slots[s];
        if (slot.kind != SlotKind::parameter && slot.kind != SlotKind::statistics) {
            used.insert(slot.name); // the state of a run is not a weight of the design
            continue;
        }
        if (const std::int64_t elements = loadElements(reader, {s}, pool, element); elements > 0) {
            weights.elementsStored = elements;
            weights.elements = slot.shape[0];
            weights.loaded.push_back(slot.name);
            used.insert(slot.name);
            continue;
        }
        if (const TensorEntry* one = entryOfOneSet(reader, slot); one != nullptr) {
            loadOneSet(reader, *one, {s}, pool);
            weights.copiedToSeveralSets.push_back(slot.name);
            weights.loaded.push_back(slot.name);
            used.insert(slot.name);
            continue;
        }
        const StoredPart stored = storedPart(reader, graph, {s}, path);
        if (stored.entry == nullptr) {
            weights.missing.push_back(slot.name);
            continue;
        }
        readPart(reader, stored, slot, whole);
        if (!areFinite(slot.dtype, whole)) {
            throw Error(ErrorCode::format, {.file = path.string()},
                        stored.entry->name + " holds a number that is not finite",
                        "start from the weights of an earlier step");
        }
        distribute(pool, {s}, whole);
        used.insert(stored.entry->name);
        weights.loaded.push_back(slot.name);
    }
    for (const TensorEntry& entry : reader.entries()) {
        // Optimizer state of a parameter is not a weight.
        const std::size_t slash = entry.name.rfind('/');
        const bool isState =
            slash != std::string::npos && reader.find(entry.name.substr(0, slash)) != nullptr;
        if (!used.contains(entry.name) && !isState) {
            weights.leftOver.push_back(entry.name);
        }
    }
    if (weights.loaded.empty() && !weights.missing.empty()) {
        throw Error(ErrorCode::format, {}, textOf(weights, path),
                    "no tensor of the file matches the design: name a file of weights whose "
                    "tensors are called LAYER.PARAMETER");
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
            drawInitialContents(graph.slots[s], seed, box, part);
            pool.writeSlot(w, s, part.data());
        }
    }
}

} // namespace

void initialiseSlots(WorkerPool& pool, std::uint64_t seed) {
    drawSlots(pool, seed, [](const Slot&) { return true; });
}

void resetLayerStates(WorkerPool& pool, std::uint64_t seed) {
    drawSlots(pool, seed, [](const Slot& slot) { return slot.kind == SlotKind::layerState; });
}

void resetAfterEvaluation(WorkerPool& pool, std::uint64_t seed) {
    drawSlots(pool, seed, [](const Slot& slot) { return slot.resetsAfterEvaluation; });
}

} // namespace weft
