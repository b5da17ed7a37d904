// SPDX-License-Identifier: Apache-2.0
#include "run/count_zeros.h"

#include "run/feeder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft {

namespace {

void beginAnew(WorkerPool& pool, SlotId slot) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const Program& program = pool.program(w, 0).program();
        if (program.slots[slot.value].isHeld) {
            const Plan& plan = *program.plan;
            const Box box = plan.boxOf(plan.slots[slot.value].home, program.device);
            const std::size_t each = byteSize(plan.graph->at(slot).dtype);
            const std::vector<std::byte> none(static_cast<std::size_t>(box.elements()) * each);
            pool.writeSlot(w, slot.value, none.data());
        }
    }
}

} // namespace

std::vector<std::pair<std::string, double>> countZeros(WorkerPool& pool, int rank,
                                                       const FetchPart& fetch) {
    const Graph& graph = *pool.program(0, 0).program().plan->graph;
    std::vector<std::pair<std::string, double>> counts;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        const Slot& slot = graph.slots[s];
        if (slot.zerosName.empty()) {
            continue;
        }
        const std::vector<std::byte> whole = wholeSlot(pool, {s}, rank, fetch);
        beginAnew(pool, {s});
        if (rank != 0) {
            continue;
        }
        std::vector<double> numbers(static_cast<std::size_t>(elementsOf(slot.shape)));
        convertElements(slot.dtype, whole.data(), DType::f64,
                        reinterpret_cast<std::byte*>(numbers.data()), elementsOf(slot.shape));
        counts.emplace_back(slot.zerosName, static_cast<double>(std::ranges::count(numbers, 0.0)));
    }
    return counts;
}

} // namespace weft
