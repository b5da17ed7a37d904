// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cuts the epochs of a run into batches. A pure function of the position: there is no state but the
// position itself, so anybody may compute any batch, or only the rows of it that a worker wants.

#include "data/example_order.h"
#include <weft/design.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// What a short last batch becomes: a smaller batch, none, or one filled up from the start of its
/// epoch.
enum class LastBatch : std::uint8_t { keep, drop, wrap };

/// Where in the data a run stands: the next example to be visited. This is what a checkpoint holds.
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
        /// Where all rows begin anew: with the run, or where it goes on with others than before.
        DataPosition anew = {};
    };
    /// Error{design} when there is no batch to be had.
    explicit Batcher(const Settings& settings);

    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] std::int64_t stepsPerEpoch() const;
    /// Rows of the epoch's last batch where it is short; 0: all batches are full.
    [[nodiscard]] std::int64_t shortRows() const;
    /// Every number of rows that occurs from here on: of the full batch, of the last one, and of
    /// the last of this epoch where a run goes on with another batch size than it began with.
    [[nodiscard]] std::vector<std::int64_t> rowCounts(DataPosition from = {}) const;

    /// The batch that begins at the position, or at the start of the next epoch where none begins
    /// there.
    [[nodiscard]] Batch at(DataPosition position) const;
    [[nodiscard]] DataPosition after(const Batch& batch) const;

    /// The examples in rows [begin, begin + examples.size()) of the batch.
    void fill(const Batch& batch, std::int64_t begin, std::span<std::int64_t> examples) const;
    /// Makes 1 what stands for such a row of [begin, begin + begins.size()) whose example is not
    /// the one that follows, in its film, what the row was shown in the batch before.
    void markBegins(const Batch& batch, std::int64_t begin, std::span<float> begins) const;

private:
    [[nodiscard]] std::int64_t watched(DataPosition position, std::int64_t row) const;
    [[nodiscard]] bool goesOn(DataPosition position, std::int64_t row) const;

    Settings settings_;
};

/// As a design says for training, where one full batch can be had, and the order of the source goes
/// before the design's: rows that each watch their own films are all there in every batch.
[[nodiscard]] Batcher trainingBatcher(const DataSettings& settings, std::int64_t examples,
                                      std::uint64_t seed, const ExampleOrder& order = {},
                                      DataPosition anew = {});
/// For evaluation: each example once, in the order of the file; of films each row its own share.
[[nodiscard]] Batcher evaluationBatcher(const DataSettings& settings, std::int64_t examples,
                                        const ExampleOrder& order = {},
                                        LastBatch last = LastBatch::keep);
/// Who watches what, in words that are others where rows are; empty: no row goes on with anything.
[[nodiscard]] std::string watchText(const Batcher::Settings& settings);
/// Where a run that stood there goes on with rows that are others: each at the first of what it
/// watches, where that is its own.
[[nodiscard]] DataPosition beginAnew(const Batcher::Settings& settings, DataPosition stood);
/// The same in words: "element b now begins at example b x 50 (of 100 in 2 parts)"
[[nodiscard]] std::string beginText(const Batcher::Settings& settings);
/// What the source's order makes of the design's, in words; empty: nothing.
[[nodiscard]] std::string orderOverruled(const DataSettings& settings, const ExampleOrder& order);

} // namespace weft
