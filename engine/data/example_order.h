// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the examples of a source follow each other where that means something: films, which each row
// of a batch watches for itself. A row begins anew where what it is shown is not what comes next in
// the film that it watches.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

enum class WatchOrder : std::uint8_t {
    free,   ///< means nothing: the design's `order` says
    byFile, ///< row b of step t: example b + t batch
    byList, ///< row b: its own share of the examples, one after another
    given,  ///< row b: starts[b] + t skips[b], round and round
    random, ///< shuffled in each epoch
};

struct ExampleOrder {
    WatchOrder watch = WatchOrder::free;
    std::vector<std::int64_t> starts = {}; ///< by row; of `given` alone
    std::vector<std::int64_t> skips = {};
    std::vector<std::int64_t> films = {}; ///< the first example of each, ascending
    /// The field of f32 that is 1 where a row begins anew. The source says so of the first example
    /// of a film; how rows come by their examples is the batcher's to know.
    std::optional<std::size_t> begins = {};
    bool operator==(const ExampleOrder&) const = default;
};

} // namespace weft
