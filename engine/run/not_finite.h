// SPDX-License-Identifier: Apache-2.0
#pragma once
// The search for where a loss or gradient stopped being a finite number: an observed step, repeated
// over the same batch, slots and random numbers. The first value of the plan's order that is not
// finite is the culprit, since all it was made of was finite.

#include "run/checkpoint.h"
#include "run/program_set.h"
#include "run/worker_pool.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct NotFinite {
    std::string layer; ///< empty: of no layer, as the norm of all gradients
    std::string op;
    std::string text; ///< "its op conv2d (forward) makes the first number that is not finite"
    std::string remedy = "lower the learning rate or clip gradients";
    bool operator==(const NotFinite&) const = default;
};

/// What rank 0 has, everywhere; empty in a run of one rank.
using ShareFromFirst = std::function<void(std::vector<std::byte>& bytes)>;

/// Runs the member once, the feeds being in place, and looks at all that is made. The same answer
/// on every rank.
[[nodiscard]] std::optional<NotFinite> findNotFinite(WorkerPool& pool, const Variant& member,
                                                     std::size_t index, int rank = 0,
                                                     const FetchPart& fetch = {},
                                                     const ShareFromFirst& share = {});

} // namespace weft
