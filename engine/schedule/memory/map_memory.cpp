// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory/map_memory.h"

#include "schedule/memory/lives.h"
#include "schedule/memory/predict.h"

#include <algorithm>

namespace weft {

namespace {

BlockKind kindOf(SlotKind kind) {
    switch (kind) {
    case SlotKind::parameter: return BlockKind::weights;
    case SlotKind::accumulator: return BlockKind::gradients;
    case SlotKind::optimizerState:
    case SlotKind::statistics:
    case SlotKind::layerState: break;
    }
    return BlockKind::state;
}

/// Returns the kind by the pass that computes the value, wherever it is stored.
BlockKind kindOf(const Graph& graph, ValueId value) {
    const NodeId producer = graph.at(value).producer;
    if (producer.isNone()) {
        return BlockKind::activations;
    }
    switch (graph.at(producer).pass) {
    case Pass::forward:
    case Pass::metric: return BlockKind::activations;
    case Pass::backward: return BlockKind::gradients;
    case Pass::update: break;
    }
    return BlockKind::buffers;
}

bool isInPlace(const Step& step, const Buffer& output) {
    return std::ranges::any_of(step.inputs, [&](const Buffer& input) {
        return input.arena == output.arena && input.offset == output.offset;
    });
}

class Mapping {
public:
    explicit Mapping(const Program& program)
        : program_(program), graph_(*program.plan->graph), base_(program.slotSize.count) {}

    MemoryMap run() {
        made_.kept = program_.slotSize;
        made_.size = program_.slotSize + program_.workSize;
        for (const Step& step : program_.steps) {
            made_.steps.push_back({.name = step.name});
        }
        addSlots();
        for (const BlockLife& life : livesOf(program_)) {
            add(life);
        }
        std::ranges::stable_sort(made_.blocks, {}, [](const MemoryBlock& block) {
            return std::pair(block.first, block.offset);
        });
        const MemoryPeak peak = peakOf(program_);
        made_.peakStep = static_cast<std::uint32_t>(std::max(0, peak.step));
        for (const Bytes held : made_.heldAt(made_.peakStep)) {
            made_.peak += held;
        }
        return std::move(made_);
    }

private:
    void addSlots() {
        const auto last =
            static_cast<std::uint32_t>(std::max<std::size_t>(1, program_.steps.size()) - 1);
        for (const SlotBuffer& held : program_.slots) {
            if (!held.isHeld || held.buffer.size.count == 0) {
                continue;
            }
            const Slot& slot = graph_.at(held.slot);
            made_.blocks.push_back({.offset = held.buffer.offset,
                                    .bytes = held.buffer.size,
                                    .first = 0,
                                    .last = last,
                                    .kind = weft::kindOf(slot.kind),
                                    .origin = slot.origin,
                                    .layer = graph_.layerName(slot.origin),
                                    .name = slot.name});
        }
    }

    void add(const BlockLife& life) {
        if (life.size == 0) {
            return;
        }
        MemoryBlock block{.offset = base_ + life.offset,
                          .bytes = {life.size},
                          .first = static_cast<std::uint32_t>(life.first),
                          .last = static_cast<std::uint32_t>(life.last)};
        if (life.port != nullptr) {
            block.kind = BlockKind::activations;
            block.origin = originOf(*life.port);
            block.name = life.port->name;
        } else {
            const Step& step = program_.steps[life.first];
            block.kind = kindOf(step, life.output);
            block.origin = step.origin;
            block.name = step.name;
        }
        block.layer = graph_.layerName(block.origin);
        made_.blocks.push_back(std::move(block));
    }

    [[nodiscard]] BlockKind kindOf(const Step& step, int output) const {
        if (output < 0 || step.kind == StepKind::copy) {
            return BlockKind::buffers;
        }
        const auto at = static_cast<std::size_t>(output);
        if (step.kind == StepKind::collective && !isInPlace(step, step.outputs[at])) {
            return BlockKind::buffers;
        }
        const PlacedId placed =
            at < step.outputContents.size() ? step.outputContents[at].placed : PlacedId{};
        return placed.isNone() ? BlockKind::buffers
                               : weft::kindOf(graph_, program_.plan->at(placed).value);
    }

    [[nodiscard]] Origin originOf(const ProgramPort& port) const {
        const auto feed = std::ranges::find(graph_.feeds, port.name, &Feed::name);
        return feed == graph_.feeds.end() ? Origin{} : feed->origin;
    }

    const Program& program_;
    const Graph& graph_;
    std::int64_t base_;
    MemoryMap made_;
};

} // namespace

std::string_view nameOf(BlockKind kind) {
    switch (kind) {
    case BlockKind::weights: return "weights";
    case BlockKind::state: return "state";
    case BlockKind::gradients: return "gradients";
    case BlockKind::activations: return "activations";
    case BlockKind::buffers: break;
    }
    return "buffers";
}

const MemoryBlock* MemoryMap::overflow() const {
    const auto found = std::ranges::find_if(blocks, [this](const MemoryBlock& block) {
        return available.count > 0 && block.offset + block.bytes.count > available.count;
    });
    return found == blocks.end() ? nullptr : &*found;
}

std::array<Bytes, blockKinds> MemoryMap::heldAt(std::uint32_t step) const {
    std::array<Bytes, blockKinds> held = {};
    for (const MemoryBlock& block : blocks) {
        if (block.first <= step && step <= block.last) {
            held.at(static_cast<std::size_t>(block.kind)) += block.bytes;
        }
    }
    return held;
}

MemoryMap mapMemory(const Program& program) { return Mapping(program).run(); }

} // namespace weft
