// SPDX-License-Identifier: Apache-2.0
#include "run/train/count_zeros.h"

#include "run/execute/feeder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

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

std::vector<std::pair<std::string, double>>
countZeros(WorkerPool& pool, int rank, const FetchPart& fetch, const BroadcastFromFirst& share) {
    const Graph& graph = *pool.program(0, 0).program().plan->graph;
    std::vector<SlotId> counted;
    std::vector<double> zeros;
    for (std::uint32_t s = 0; s < graph.slots.size(); ++s) {
        const Slot& slot = graph.slots[s];
        if (slot.zerosName.empty()) {
            continue;
        }
        const std::vector<std::byte> whole = wholeSlot(pool, {s}, rank, fetch);
        std::vector<double> numbers(rank == 0 ? static_cast<std::size_t>(elementsOf(slot.shape))
                                              : std::size_t{0});
        convertElements(slot.dtype, whole.data(), DType::f64,
                        reinterpret_cast<std::byte*>(numbers.data()), std::ssize(numbers));
        counted.push_back({s});
        zeros.push_back(static_cast<double>(std::ranges::count(numbers, 0.0)));
    }
    if (share) {
        std::vector<std::byte> bytes(zeros.size() * sizeof(double));
        std::memcpy(bytes.data(), zeros.data(), bytes.size());
        share(bytes);
        std::memcpy(zeros.data(), bytes.data(),
                    std::min(bytes.size(), zeros.size() * sizeof(double)));
    }
    std::vector<std::pair<std::string, double>> counts;
    for (std::size_t k = 0; k < counted.size(); ++k) {
        beginAnew(pool, counted[k]);
        counts.emplace_back(graph.at(counted[k]).zerosName, zeros[k]);
    }
    return counts;
}

} // namespace weft
