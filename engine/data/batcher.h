// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cuts the epochs of a run into batches. A pure function of the position, so that any batch, or
// only a worker's rows of it, can be computed at any time.

#include "data/example_order.h"
#include <weft/design.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// What happens to a short last batch: it is kept, dropped, or filled up from the start of its
/// epoch.
enum class LastBatch : std::uint8_t { keep, drop, wrap }; ///< for a short last batch of an epoch

/// The position of a run in the data: the next example to visit. Checkpoints store it.
struct DataPosition {
    std::int64_t epoch = 0;   ///< number of the epoch, from 0
    std::int64_t example = 0; ///< next example, in the order of the epoch
    auto operator<=>(const DataPosition&) const = default;
};

struct Batch {
    DataPosition position; ///< position of its first row
    std::int64_t rows = 0; ///< number of examples in the batch
    bool operator==(const Batch&) const = default;
};

class Batcher {
public:
    struct Settings {
        std::int64_t examples = 0; ///< number of examples in an epoch
        std::int64_t batch = 1;    ///< examples per batch
        LastBatch lastBatch = LastBatch::keep;
        bool isShuffled = true;  ///< examples are shuffled in each epoch
        std::uint64_t seed = 0;  ///< seed of the shuffling
        ExampleOrder order = {}; ///< order that the source asks for
        /// Position from which the frames of each row are counted, because all rows began new
        /// films there: the start of the run, or where the row layout changed.
        DataPosition countedFrom = {}; ///< where every row began a new film
    };
    /// Throws Error{design} if no batch can be formed.
    explicit Batcher(const Settings& settings);

    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] std::int64_t stepsPerEpoch() const;
    [[nodiscard]] std::int64_t shortRows() const; ///< size of a short last batch; 0: all are full
    /// Returns every batch size that occurs from here on: full batches, the last batch, and the
    /// last batch of the current epoch if the run resumed with another batch size.
    [[nodiscard]] std::vector<std::int64_t> rowCounts(DataPosition from = {}) const;

    /// Returns the batch at the position, or the first of the next epoch if none begins there.
    [[nodiscard]] Batch at(DataPosition position) const; ///< batch that begins there, or the next
    [[nodiscard]] DataPosition after(const Batch& batch) const;

    /// Returns the examples in rows [begin, begin + examples.size()) of the batch.
    void fill(const Batch& batch, std::int64_t begin, std::span<std::int64_t> examples) const;
    /// Sets `begins` to 1 for rows of [begin, begin + begins.size()) whose example does not
    /// continue, in its film, the row's example of the previous batch.
    void markFilmBegins(const Batch& batch, std::int64_t begin, std::span<float> begins) const;

private:
    [[nodiscard]] std::int64_t exampleOf(DataPosition position, std::int64_t row) const;
    [[nodiscard]] bool continuesFilm(DataPosition position, std::int64_t row) const;

    Settings settings_;
};

/// Returns the batcher of a design's training data. The source's order takes precedence over the
/// design's. If rows watch their own films, every batch has all rows.
[[nodiscard]] Batcher trainingBatcher(const DataSettings& settings, std::int64_t examples,
                                      std::uint64_t seed, const ExampleOrder& order = {},
                                      DataPosition countedFrom = {});
/// Returns the batcher for evaluation: each example once, in file order; each row has its own share
/// of films.
[[nodiscard]] Batcher evaluationBatcher(const DataSettings& settings, std::int64_t examples,
                                        const ExampleOrder& order = {},
                                        LastBatch last = LastBatch::keep);
/// Describes which examples each row watches, to compare layouts; empty: rows do not continue
/// films.
[[nodiscard]] std::string rowOrderText(const Batcher::Settings& settings); ///< to compare orders
/// Returns the position at which a run at `position` resumes with other rows; each row restarts at
/// its first example.
[[nodiscard]] DataPosition restartPosition(const Batcher::Settings& settings,
                                           DataPosition position);
/// Describes the restart of restartPosition: "element b now begins at example b x 50 (of 100 in 2
/// parts)"
[[nodiscard]] std::string restartText(const Batcher::Settings& settings); ///< for a message
/// Describes how the source's order overrides the design's; empty: it does not.
[[nodiscard]] std::string overriddenOrderText(const DataSettings& settings,
                                              const ExampleOrder& order);

} // namespace weft
