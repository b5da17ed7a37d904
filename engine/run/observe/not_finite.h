// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds where a loss or gradient became NaN or infinite: an observed step repeats the failing step
// with the same batch, slots and random numbers. The first value in plan order that is not finite
// is the culprit, since all its operands were finite.

#include "compile/program_set.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct NotFinite {
    std::string layer; ///< empty for values of no layer, such as the norm of all gradients
    std::string op;    ///< the op that computed it
    std::string text;  ///< what was found, for the user
    std::string remedy = "lower the learning rate or clip gradients";
    bool operator==(const NotFinite&) const = default;
};

/// Copies the bytes of rank 0 to all ranks. Empty in a run of one rank.
using BroadcastFromFirst = std::function<void(std::vector<std::byte>& bytes)>;

/// Runs the member once with the current inputs and checks every value. Returns the same on every
/// rank.
[[nodiscard]] std::optional<NotFinite> findNotFinite(WorkerPool& pool, const Variant& member,
                                                     std::size_t index, int rank = 0,
                                                     const FetchPart& fetch = {},
                                                     const BroadcastFromFirst& share = {});

} // namespace weft
