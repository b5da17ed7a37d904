// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order of a source's examples if it matters: each row of a batch watches films of its own. A
// row restarts if its example does not continue its film.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

enum class MovieOrder : std::uint8_t { ///< which frame of the films each batch row visits
    free,                              ///< films do not matter: the design's `order` applies
    byFile,                            ///< row b of step t: example b + t batch
    byList,                            ///< row b: its own contiguous share of the examples
    given,                             ///< row b: starts[b] + t skips[b], cyclically
    random,                            ///< shuffled in each epoch
};

struct ExampleOrder {
    MovieOrder watch = MovieOrder::free;   ///< how rows of successive batches go through films
    std::vector<std::int64_t> starts = {}; ///< by row; only for `given`
    std::vector<std::int64_t> skips = {};  ///< frames per step, by row; only for `given`
    std::vector<std::int64_t> films = {};  ///< first example of each film, ascending
    /// The f32 field that is 1 where a row restarts. The source sets it for the first example of a
    /// film; the batcher sets it for rows.
    std::optional<std::size_t> begins = {}; ///< the f32 field that is 1 where a row restarts
    bool operator==(const ExampleOrder&) const = default;
};

} // namespace weft
