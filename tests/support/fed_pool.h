// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker pool from the test's side: its devices, feeds drawn by name and step so that every
// spreading sees the same numbers, slots put together from their parts, results read. Free of Qt.

#include "run/execute/worker_pool.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft::test {

[[nodiscard]] std::vector<LocalDevice> openDevices(const BackendList& backends, std::size_t count,
                                                   const std::string& backend = "reference",
                                                   int cores = 1);

/// Integers of a feed are drawn below this.
using Below = std::function<std::int64_t(const std::string& feed)>;

/// Hands every worker its part of each feed of the member, for that step.
void feed(WorkerPool& pool, std::size_t member, const Graph& graph, int step, const Below& below);

/// The whole slot, a sum over devices added up; what nobody here holds, and a sum of which somebody
/// else holds a share, stays as it was, or NAN.
[[nodiscard]] std::vector<double> gather(const WorkerPool& pool, const Graph& graph,
                                         std::size_t slot, std::vector<double> whole = {});

/// A result that is one number; NAN where nobody holds it.
[[nodiscard]] double numberOf(const WorkerPool& pool, std::size_t member, std::size_t result);
[[nodiscard]] double lossOf(const WorkerPool& pool, std::size_t member, const Graph& graph);

} // namespace weft::test
