// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs one step of one variant with the current inputs: sets arguments, runs programs, reads
// numbers. On the trainer's thread.

#include "compile/program_set.h"
#include "run/execute/worker_pool.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// The numbers of one training step or evaluation. The names live as long as the runner.
struct StepReport {
    std::int64_t step = 0; ///< counts from 1
    double epoch = 0;      ///< epoch of the data, with its fraction
    double loss = 0;       ///< sum of all losses, or of energies
    double learningRate = 0;
    std::optional<double> gradientNorm = {};             ///< none: no gradient was applied
    double seconds = 0;                                  ///< duration
    std::int64_t rows = 0;                               ///< examples
    std::vector<std::pair<std::string, double>> metrics; ///< other losses, accuracies

    [[nodiscard]] bool isFinite() const;
};

class StepRunner {
public:
    StepRunner(const ProgramSet& programSet, WorkerPool& pool);

    /// `step` and `update` count from 1; `update` is the update applied in this step, or the next
    /// one.
    void setArguments(std::size_t member, std::int64_t step, std::int64_t update, double rate);
    /// Reads loss, norm and metrics of the variant's last run.
    void readResults(std::size_t member, StepReport& report) const;
    /// Returns the variants by number of rows of their batch: one for each kind of step, in order.
    [[nodiscard]] std::map<std::int64_t, std::vector<std::size_t>> variantsByRows(Mode mode) const;

private:
    /// Where the numbers of a variant are among the results of its graph.
    struct ResultIndices {
        std::vector<std::size_t> metrics = {}; ///< single losses, energies and metrics
        int loss = -1;                         ///< the total; -1: none
        int norm = -1;                         ///< squared norm of the gradients; -1: none
    };
    static ResultIndices resultIndicesOf(const Graph& graph);
    /// Returns the number of each of these results, in their order.
    [[nodiscard]] std::vector<double> numbersIn(std::size_t member,
                                                const std::vector<std::size_t>& results) const;

    const ProgramSet& programSet_;
    WorkerPool& pool_;
    std::vector<ResultIndices> resultIndices_; ///< per variant
};

} // namespace weft
