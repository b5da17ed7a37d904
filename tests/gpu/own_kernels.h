// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small network scheduled for the stand-in with CUDA's own kernels, and trained a few steps.

#include "backends/backends.h"
#include "schedule/schedule.h"
#include "support/small_network.h"

#include <functional>
#include <string>
#include <vector>

namespace weft::test {

constexpr std::int64_t classesHere = 5; ///< below which integers are fed

struct Scheduled {
    BackendList backends;
    Program program;
};

struct Scheduling {
    std::string order = "dataflow";
    int streams = 0;
    Precision precision = Precision::exact;
    /// Selects the kernels to use; empty: all.
    std::function<KernelList(const KernelList&)> kernels = {};
};

[[nodiscard]] Scheduled scheduled(void (*build)(SmallNetwork&), const Scheduling& how = {});

/// Those of ops and groups that `isTaken`, and nothing for free chains.
[[nodiscard]] KernelList kernelsWhere(const KernelList& all,
                                      const std::function<bool(const std::string& op)>& isTaken);

/// Losses, then slots.
[[nodiscard]] std::vector<double> trainedBy(const Scheduled& made);

/// Steps whose name has that.
[[nodiscard]] std::ptrdiff_t stepsOf(const Scheduled& made, const std::string& name);

} // namespace weft::test
