// SPDX-License-Identifier: Apache-2.0
#include "gpu/communicator_training.h"

#include "backends/backends.h"
#include "comm/threads/threads_communicator.h"
#include "place/place.h"
#include "run/checkpoint/checkpoint.h"
#include "schedule/schedule.h"
#include "schedule/select/choose_communicator.h"
#include "support/fed_pool.h"
#include "support/sim/sim_communicator.h"

#include <algorithm>
#include <cmath>

namespace weft::test {

/// Returns the error that `run` throws, if any.
std::optional<Error> failureOf(const std::function<void()>& run) {
    try {
        run();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

CommunicatorTraining::CommunicatorTraining(std::vector<std::string> devices,
                                           const std::string& wanted, const std::string& assigned)
    : devices_(std::move(devices)) {
    backends::fill(backends_);
    communicators_.add(sim::simCommunicator());
    communicators_.add(sim::simChipCommunicator());
    const ValueId x = network_.input("x", {12, 6});
    const ValueId y = network_.op("act", "relu", {network_.dense("one", x, 8)});
    network_.train(network_.meanLoss("loss", network_.dense("two", y, 4)));
    PlacementRequest request = network_.request(devices_.size(), {{"", assigned}});
    request.devices = devices_;
    plan_ = std::make_shared<const Plan>(
        place(std::make_shared<const Graph>(network_.graph()), network_.ops(), request).plan);
    const Backend& backend = *backends_.find("sim");
    const CommunicatorRule rule = communicatorRule(communicators_, request.devices, wanted);
    for (std::uint32_t d = 0; d < devices_.size(); ++d) {
        programs.push_back(schedule(plan_, DeviceId{d}, backend, backend.find().front(),
                                    {.order = "dataflow",
                                     .streams = 2,
                                     .seed = 3,
                                     .communicators = &rule,
                                     .fallback = &backends_.find("reference")->kernels}));
    }
}

std::unique_ptr<WorkerPool> CommunicatorTraining::pool(Communicator& communicator,
                                                       std::chrono::nanoseconds limit) const {
    const Backend* const backend = backends_.find("sim");
    std::vector<LocalDevice> opened;
    for (std::uint32_t d = 0; d < devices_.size(); ++d) {
        opened.push_back({DeviceId{d}, devices_[d], backend, backend->open(devices_[d], 1), 1});
    }
    return std::make_unique<WorkerPool>(std::move(opened), &communicator, false,
                                        DeviceCommunicators{&communicators_, limit});
}

void CommunicatorTraining::prepare(WorkerPool& pool) const {
    pool.prepare(
        [this](const LocalDevice& local) { return std::vector{programs[local.id.value]}; });
    initialiseSlots(pool, 5);
    feed(pool, 0, *plan_->graph, 0, [](const std::string&) { return 3; });
}

std::vector<double> CommunicatorTraining::numbers() const {
    const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
    const std::unique_ptr<WorkerPool> made = pool(*communicator, std::chrono::minutes(1));
    prepare(*made);
    made->setCollectiveLimit(std::chrono::minutes(1));
    made->run(0);
    std::vector<double> all{lossOf(*made, 0, *plan_->graph)};
    for (std::size_t s = 0; s < plan_->graph->slots.size(); ++s) {
        std::ranges::copy(gather(*made, *plan_->graph, s, {}), std::back_inserter(all));
    }
    return all;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
    double most = a.size() == b.size() ? 0 : 1;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        most = std::max(most, std::abs(a[k] - b[k]) / std::max(1e-3, std::abs(a[k])));
    }
    return most;
}

/// {step, wait} of every wait of the program.
std::vector<std::pair<std::size_t, std::size_t>> waitsOf(const Program& program) {
    std::vector<std::pair<std::size_t, std::size_t>> waits;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        for (std::size_t w = 0; w < program.steps[s].waits.size(); ++w) {
            waits.emplace_back(s, w);
        }
    }
    return waits;
}

} // namespace weft::test
