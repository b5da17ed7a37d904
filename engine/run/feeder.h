// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fills the feeds of members from a source: a thread of its own reads the rows that this process's
// workers hold some batches ahead; the trainer's thread converts element types where the input
// layer wants another and copies each worker its part. Memory is taken when reading starts.

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
    /// `members`: by the rows of a batch, the members of the programSet that may take it.
    /// Error{design} when an input layer's shape is not that of its field, naming both.
    Feeder(const DataSettings& settings, WorkerPool& pool, SourcePointer source,
           const Batcher& batcher, const std::map<std::int64_t, std::vector<std::size_t>>& members);
    ~Feeder();

    /// Begins to read at `from`, at most so many batches (-1: as many as are taken); what was read
    /// ahead before is forgotten.
    void start(DataPosition from, std::int64_t batches);

    struct Fed {
        Batch batch;
        std::size_t member = 0;
    };
    /// The next batch in order, handed to the workers, as that member of those that may take it
    /// has it; only while nothing runs. Throws what the source threw once the batches before it are
    /// taken.
    Fed next(std::size_t which = 0);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Elements of one type as another; what does not fit is Error{bug}.
void convertElements(DType from, const std::byte* source, DType to, std::byte* target,
                     std::int64_t count);

} // namespace weft
