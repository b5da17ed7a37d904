// SPDX-License-Identifier: Apache-2.0
#pragma once
// One run of a design on the devices of this process: opens its data, makes the programSet,
// prepares the workers and trains. The same for a laptop, a rank under mpirun and the window's own
// process; what differs is in `Party`.

#include "data/open.h"
#include "run/party.h"
#include "run/registry.h"
#include "run/selection.h"
#include "run/trainer.h"
#include <weft/design.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft {

struct RunRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::vector<std::string> devices;    ///< of all ranks, by DeviceId
    std::vector<std::size_t> local = {}; ///< those of this process
    int cores = 0; ///< of each host, shared by all devices that are on it; 0: as its machine has
    std::string backend = {}; ///< "reference", "null": instead of the one that a device's name says
    DataFolders folders = {};
    std::function<void(Data&)> adapt = {}; ///< has the last word on the data that was opened
    const Party* party = nullptr;
    std::vector<TrainerListener*> listeners = {};
    std::filesystem::path weights = {};    ///< loaded before the first step
    std::filesystem::path checkpoint = {}; ///< resumed from
    RunControls* controls = nullptr;
    bool observes = false; ///< every value is made by itself, so that it can be looked at
    /// Each training step has an observed observed, prepared with it and swapped in on demand.
    bool preparesObserved = false;
    /// What select chose for an earlier attempt: it is had again where the plan is the same.
    const RecordedSelection* selection = nullptr;
};

/// By device, the number of its host.
[[nodiscard]] std::vector<int> hostsOf(const RunRequest& request);
/// What it is planned for.
[[nodiscard]] MachineSheet machineOf(const RunRequest& request);
[[nodiscard]] int coresOf(const RunRequest& request);

class TrainingRun {
public:
    /// Everything up to the first step. Error{design} carries the first problem of a design that
    /// has errors.
    explicit TrainingRun(RunRequest request);
    ~TrainingRun();

    TrainingOutcome train();
    StepReport evaluate();
    /// See Trainer.
    std::vector<ObservedValue> observedStep(StepReport& report, const StepLook& look = {});
    [[nodiscard]] WorkerPool& pool();
    [[nodiscard]] const ProgramSet& programSet() const;
    /// Before the first step.
    void addListener(TrainerListener& listener);
    /// In this folder; without it none are kept. `before` is called on every rank before one has
    /// its name.
    void keepCheckpoints(std::filesystem::path folder, std::function<void()> before = {});
    /// What is observed, likewise, and what layers tell of their rounds on steps on which that is
    /// due.
    void keepTensors(const std::filesystem::path& observed, const std::filesystem::path& series);
    /// After a failure: a checkpoint of the last whole step, from what this process alone holds;
    /// its path. Throws an Error that says why it cannot.
    std::string rescue();
    /// On which its devices are.
    [[nodiscard]] int hosts() const;
    /// Steps already taken when it began.
    [[nodiscard]] std::int64_t firstStep() const;
    /// Steps taken until now.
    [[nodiscard]] std::int64_t steps() const;
    /// What its user should know before it begins, in words: what `weights` did not hold of the
    /// design or held besides, cores that devices take turns on.
    [[nodiscard]] const std::vector<std::string>& remarks() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
