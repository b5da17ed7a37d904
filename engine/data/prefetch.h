// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads batches ahead on a thread of its own into a ring of buffers that the consumer owns. The
// reader waits if all are full, the consumer if all are empty. Allocates nothing in steady state.

#include "base/process/waiting.h"
#include "data/batcher.h"
#include "data/source.h"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace weft {

/// Rows [begin, end) of a batch's field, and where to copy them.
struct Destination {
    std::size_t field = 0;           ///< index of the source's field
    std::int64_t begin = 0;          ///< first row of the batch
    std::int64_t end = 0;            ///< past the last row
    std::span<std::byte> bytes = {}; ///< memory to fill
};

/// The parts of a batch with so many rows that a worker, or all workers of a process, need.
struct BatchLayout {
    std::int64_t rows = 0;                 ///< batch size for which the layout is
    std::vector<Destination> destinations; ///< what to read, and into which memory
};

/// One slot of the ring: a layout for each batch size that occurs (`Batcher::rowCounts`).
struct PrefetchSlot {
    std::vector<BatchLayout> layouts; ///< one per batch size that occurs
};

class Prefetch {
public:
    struct Settings {
        std::string name;          ///< name of the thread and of waits for it
        DataPosition start = {};   ///< position of the first batch
        std::int64_t batches = -1; ///< number to read; -1: until stopped
    };
    struct FilledSlot {
        Batch batch;          ///< the batch that was read
        std::size_t slot = 0; ///< index of the slot that holds it
    };

    /// The reader owns a slot's buffers until the slot is taken, and again after it is given back.
    Prefetch(SourcePointer source, Batcher batcher, std::vector<PrefetchSlot> ring,
             Settings settings);
    Prefetch(const Prefetch&) = delete;
    Prefetch& operator=(const Prefetch&) = delete;
    ~Prefetch();

    /// Returns the next batch in order; nothing after the last. Rethrows the reader's error after
    /// the batches before it, Error{timeout} at the deadline, Error{stopped} after `stop`.
    [[nodiscard]] std::optional<FilledSlot> take(const Deadline& deadline);
    void give(std::size_t slot); ///< returns a slot to the reader
    /// Stops reading and wakes waiting threads. Thread-safe.
    void stop();

private:
    enum class State : std::uint8_t { empty, filled, taken }; ///< taken: the consumer reads it
    struct RingSlot {
        PrefetchSlot slot;
        Batch batch = {};
        State state = State::empty;
    };

    void readAhead(); ///< function of the thread
    void readBatch(const Batch& batch, const PrefetchSlot& slot);

    SourcePointer source_;
    Batcher batcher_;
    Settings settings_;
    std::string waitName_;               ///< names waits for a batch in messages
    std::vector<std::int64_t> examples_; ///< examples of the rows that are being read

    std::mutex mutex_;
    std::condition_variable slotChanged_; ///< a slot was filled or given back
    std::vector<RingSlot> slots_;
    std::size_t nextTaken_ = 0; ///< index of the slot that `take` returns next
    bool isStopped_ = false;
    bool hasEnded_ = false;    ///< the last batch was read, or reading failed
    std::exception_ptr error_; ///< failure of the reader

    std::jthread thread_;
};

} // namespace weft
