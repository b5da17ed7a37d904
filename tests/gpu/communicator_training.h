// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small network trained on chips that are not there, which meet in the communicators of devices
// that the stand-in has.

#include "run/execute/worker_pool.h"
#include "schedule/program.h"
#include "support/small_network.h"
#include <weft/error.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

/// Returns the error that `run` throws, if any.
[[nodiscard]] std::optional<Error> failureOf(const std::function<void()>& run);

/// On devices of these names, its layers assigned so.
class CommunicatorTraining {
public:
    /// `wanted`: training.communicator
    CommunicatorTraining(std::vector<std::string> devices, const std::string& wanted,
                         const std::string& assigned = "data");

    [[nodiscard]] std::unique_ptr<WorkerPool> pool(Communicator& communicator,
                                                   std::chrono::nanoseconds limit) const;
    void prepare(WorkerPool& pool) const;
    /// The loss and all that is kept, after a step.
    [[nodiscard]] std::vector<double> numbers() const;

    std::vector<Program> programs; ///< by device

private:
    SmallNetwork network_;
    BackendList backends_;
    CommunicatorList communicators_;
    std::vector<std::string> devices_;
    std::shared_ptr<const Plan> plan_;
};

/// The largest difference, as a share of the first.
[[nodiscard]] double apart(const std::vector<double>& a, const std::vector<double>& b);

/// {step, wait} of every wait of the program.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> waitsOf(const Program& program);

} // namespace weft::test
