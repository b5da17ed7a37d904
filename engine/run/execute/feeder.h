// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fills the inputs of variants from a data source. A thread reads the rows that this process's
// workers need some batches ahead. The trainer's thread converts element types if necessary and
// copies each worker its part. Memory is allocated when reading starts.

#include "data/batcher.h"
#include "data/source.h"
#include <weft/design.h>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace weft {

class WorkerPool;

class Feeder {
public:
    /// `members` lists, by number of rows of a batch, the variants that may take such a batch.
    /// Throws Error{design} if the shape of an input layer differs from its field, naming both.
    Feeder(const DataSettings& settings, WorkerPool& pool, SourcePointer source,
           const Batcher& batcher, const std::map<std::int64_t, std::vector<std::size_t>>& members);
    ~Feeder();

    /// Begins to read at `from`, at most `batches` batches (-1: no limit). Discards what was read
    /// ahead before.
    void start(DataPosition from, std::int64_t batches);

    struct FedBatch {
        Batch batch;
        std::size_t member = 0; ///< index of the variant
    };
    /// Copies the next batch to the workers for variant number `which` of those that may take the
    /// batch. Call only while nothing runs. Throws the source's error after the batches before it.
    FedBatch next(std::size_t which = 0);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Converts elements from one type to another. A value that does not fit throws Error{bug}.
void convertElements(DType from, const std::byte* source, DType to, std::byte* target,
                     std::int64_t count);

} // namespace weft
