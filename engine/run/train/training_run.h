// SPDX-License-Identifier: Apache-2.0
#pragma once
// One run of a design on the devices of this process: opens its data, makes the program set,
// prepares the workers and trains. Used alike on a laptop, by a rank under mpirun and by the
// window's own process; they differ only in their `RunParticipant`.

#include "compile/registry.h"
#include "data/open.h"
#include "run/checkpoint/selection.h"
#include "run/train/party.h"
#include "run/train/trainer.h"
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
    std::vector<std::string> devices;    ///< all ranks' devices, by DeviceId
    std::vector<std::size_t> local = {}; ///< devices of this process
    int cores = 0; ///< cores of each host, shared by its devices; 0: as many as its machine has
    std::string backend = {}; ///< "reference", "null": instead of that of the devices' names
    DataFolders folders = {};
    std::function<void(Data&)> adapt = {}; ///< may change the opened data before it is used
    const RunParticipant* party = nullptr; ///< nullptr: this process alone
    std::vector<TrainerListener*> listeners = {};
    std::filesystem::path weights = {};    ///< file loaded before the first step; empty: none
    std::filesystem::path checkpoint = {}; ///< file to resume from; empty: none
    RunControls* controls = nullptr;
    bool observes = false;         ///< all steps are observed steps, without fused groups
    bool preparesObserved = false; ///< also makes an observed variant of each step
    const RecordedSelection* selection = nullptr; ///< kernels to reuse if possible
};

/// Returns the host number of each device.
[[nodiscard]] std::vector<int> hostsOf(const RunRequest& request);
/// Returns the machine that the run is planned for.
[[nodiscard]] MachineSheet machineOf(const RunRequest& request);
[[nodiscard]] int coresOf(const RunRequest& request);

class TrainingRun {
public:
    /// Prepares everything up to the first step. Throws Error{design} with the first error of a
    /// design that has errors.
    explicit TrainingRun(RunRequest request);
    ~TrainingRun();

    TrainingOutcome train();
    StepReport evaluate();
    /// See Trainer.
    std::vector<ObservedValue> observedStep(StepReport& report,
                                            const ObservationOptions& look = {});
    [[nodiscard]] WorkerPool& pool();
    [[nodiscard]] const ProgramSet& programSet() const;
    /// Call before the first step.
    void addListener(TrainerListener& listener);
    /// Keeps checkpoints in this folder; by default none are kept. `before` is called on every rank
    /// before a checkpoint gets its final name.
    void keepCheckpoints(std::filesystem::path folder, std::function<void()> before = {});
    /// Keeps observed values, and per-iteration numbers of layers on steps for which they are
    /// requested, in these folders.
    void keepTensors(const std::filesystem::path& observed, const std::filesystem::path& series);
    /// After a failure, saves a checkpoint of the last whole step from what this process holds, and
    /// returns its path. Throws an Error that says why it cannot.
    std::string rescue();
    /// Returns the number of hosts of the run's devices.
    [[nodiscard]] int hosts() const;
    /// Returns the number of steps taken before this run began.
    [[nodiscard]] std::int64_t firstStep() const;
    /// Returns the number of steps taken so far.
    [[nodiscard]] std::int64_t steps() const;
    /// Returns remarks for the user before the run begins: how `weights` and the design differ,
    /// cores on which devices take turns.
    [[nodiscard]] const std::vector<std::string>& remarks() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
