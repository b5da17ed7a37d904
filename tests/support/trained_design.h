// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design trained a few steps as it is spread, the short last batch among them, and evaluated: the
// whole programSet over one set of slots. Reference kernels; data drawn by name and step. Free of
// Qt.

#include "compile/registry.h"
#include "support/fed_pool.h"
#include "support/trained.h"
#include <weft/design.h>

namespace weft::test {

struct DesignTraining {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::size_t devices = 1; ///< the first of those that the design declares
    CommunicatorKind communicator = CommunicatorKind::simulated;
    std::int64_t shortBatch = 0; ///< 0: every batch is full
    Below below = {};
    const OneRank* ranks = nullptr; ///< nullptr: all devices are of this process
    /// 0: not at all; else every first weight is the next number up or down, as drawn from this:
    /// how much the last bits matter.
    std::uint32_t nudge = 0;
};

/// Two full batches, the short one, an evaluation of each.
[[nodiscard]] Trained trainDesign(const DesignTraining& training);

/// The same network on one device: without any assignment.
[[nodiscard]] Design withoutAssignments(Design design);

} // namespace weft::test
