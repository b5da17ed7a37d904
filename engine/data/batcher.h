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
enum class LastBatch : std::uint8_t { keep, drop, wrap };

/// The position of a run in the data: the next example to visit. Checkpoints store it.
struct DataPosition {
    std::int64_t epoch = 0;
    std::int64_t example = 0; ///< in the order of the epoch
    auto operator<=>(const DataPosition&) const = default;
};

struct Batch {
    DataPosition position;
    std::int64_t rows = 0;
    bool operator==(const Batch&) const = default;
};

class Batcher {
public:
    struct Settings {
        std::int64_t examples = 0;
        std::int64_t batch = 1;
        LastBatch lastBatch = LastBatch::keep;
        bool isShuffled = true;
        std::uint64_t seed = 0;
        ExampleOrder order = {};
        /// Position from which the frames of each row are counted, because all rows began new
        /// films there: the start of the run, or where the row layout changed.
        DataPosition countedFrom = {};
    };
    /// Throws Error{design} if no batch can be formed.
    explicit Batcher(const Settings& settings);

    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] std::int64_t stepsPerEpoch() const;
    /// Rows of the epoch's last batch if it is short; 0: all batches are full.
    [[nodiscard]] std::int64_t shortRows() const;
    /// Returns every batch size that occurs from here on: full batches, the last batch, and the
    /// last batch of the current epoch if the run resumed with another batch size.
    [[nodiscard]] std::vector<std::int64_t> rowCounts(DataPosition from = {}) const;

    /// Returns the batch at the position, or the first of the next epoch if none begins there.
    [[nodiscard]] Batch at(DataPosition position) const;
    [[nodiscard]] DataPosition after(const Batch& batch) const;

    /// Returns the examples in rows [begin, begin + examples.size()) of the batch.
    void fill(const Batch& batch, std::int64_t begin, std::span<std::int64_t> examples) const;
    /// Sets `begins` to 1 for rows of [begin, begin + begins.size()) whose example does not
    /// continue, in its film, the row's example of the previous batch.
    void markBegins(const Batch& batch, std::int64_t begin, std::span<float> begins) const;

private:
    [[nodiscard]] std::int64_t watched(DataPosition position, std::int64_t row) const;
    [[nodiscard]] bool goesOn(DataPosition position, std::int64_t row) const;

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
[[nodiscard]] std::string watchText(const Batcher::Settings& settings);
/// Returns the position at which a run at `stood` resumes with other rows; each row restarts at its
/// first example.
[[nodiscard]] DataPosition beginAnew(const Batcher::Settings& settings, DataPosition stood);
/// Describes the restart of beginAnew: "element b now begins at example b x 50 (of 100 in 2 parts)"
[[nodiscard]] std::string beginText(const Batcher::Settings& settings);
/// Describes how the source's order overrides the design's; empty: it does not.
[[nodiscard]] std::string orderOverruled(const DataSettings& settings, const ExampleOrder& order);

} // namespace weft
