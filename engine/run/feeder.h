// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fills the feeds of a member from a source: reads the rows that this process's workers hold,
// converts element types where the input layer wants another, and copies each worker its part.
// Memory is taken once.

#include "data/batcher.h"
#include "data/source.h"
#include "run/worker_pool.h"
#include <weft/design.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace weft {

class Feeder {
public:
    /// Error{design} when an input layer's shape is not that of its field, naming both.
    Feeder(const DataSettings& settings, WorkerPool& pool, SourcePointer source,
           const Batcher& batcher);
    ~Feeder();

    /// Reads the batch into memory of the feeder: may run while the workers compute.
    void read(const Batch& batch, std::size_t member);
    /// Hands what was read to the workers; only while nothing runs.
    void handOver(std::size_t member);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Elements of one type as another; what does not fit is Error{bug}.
void convertElements(DType from, const std::byte* source, DType to, std::byte* target,
                     std::int64_t count);

} // namespace weft
