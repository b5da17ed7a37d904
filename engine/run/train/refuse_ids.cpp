// SPDX-License-Identifier: Apache-2.0
#include "run/train/refuse_ids.h"

#include "run/execute/worker_pool.h"
#include "transform/id_ranges.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace weft {

namespace {

std::int64_t idAt(DType dtype, const std::vector<std::byte>& bytes, std::size_t k) {
    if (dtype == DType::i64) {
        std::int64_t id = 0;
        std::memcpy(&id, bytes.data() + k * sizeof(id), sizeof(id));
        return id;
    }
    std::int32_t id = 0;
    std::memcpy(&id, bytes.data() + k * sizeof(id), sizeof(id));
    return id;
}

void look(const WorkerPool& pool, std::size_t worker, std::size_t member, const IdRange& range) {
    const Program& program = pool.program(worker, member).program();
    const ProgramPort& port = program.feeds[range.feed];
    const bool isId = port.part.dtype == DType::i64 || port.part.dtype == DType::i32;
    if (!port.isHeld || !isId) {
        return;
    }
    const auto count = static_cast<std::size_t>(port.part.elements());
    std::vector<std::byte> bytes(count * byteSize(port.part.dtype));
    pool.copyOut(worker, member, port.buffer, bytes.data());
    for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t id = idAt(port.part.dtype, bytes, k);
        if ((id < 0 || id >= range.count) && (id != range.ignored || id == 0)) {
            const Graph& graph = *program.plan->graph;
            throw Error(ErrorCode::design, Where{.layer = graph.layerName(range.reader)},
                        fmt::format("its input {} contains {}, but valid indices are 0 to {}",
                                    graph.feeds[range.feed].name, id, range.count - 1),
                        "give the layer more rows or classes, or correct the data");
        }
    }
}

} // namespace

void throwOnInvalidIds(const WorkerPool& pool, std::size_t member) {
    for (std::size_t worker = 0; worker < pool.size(); ++worker) {
        const Program& program = pool.program(worker, member).program();
        for (const IdRange& range : idRanges(*program.plan->graph)) {
            look(pool, worker, member, range);
        }
    }
}

} // namespace weft
