// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiles the programs of all devices of a plan, whether or not these devices exist here. Opens no
// device, makes no kernel and allocates no device memory.

#include "compile/set_programs.h"
#include "front/preview/study.h"
#include "schedule/predict/alike_devices.h"
#include <weft/diagnostics.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct CompileRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::string backend = {};  ///< replaces the devices' own backends
    MachineSheet machine = {}; ///< without devices: each kind of device has default rates
    int ranks = 1;             ///< processes that the devices are spread over
    int hosts = 1;             ///< machines that the ranks are spread over
    KernelChoiceCache* choices = nullptr; ///< cache of kernel choices; nullptr: none
    std::function<bool()> isWanted = {};  ///< asked before each program; false cancels
};

/// The locations, data sheets and backends of a study's devices, in the order of the study.
struct StudyDevices {
    std::vector<HostShare> shares;        ///< host, memory and cores of each device
    std::vector<DeviceSheet> sheets;      ///< data sheet of each device
    std::vector<const Backend*> backends; ///< one without a name: this build has none for it
    Links links;                          ///< links between the devices
    CommunicatorRule communicators;       ///< chooses the communicator of a collective
};
[[nodiscard]] StudyDevices studyDevices(const Study& study, const CompileRequest& request);
/// Returns the diagnostics of the first device that refuses the precision.
[[nodiscard]] std::vector<Diagnostic> checkPrecision(const TrainingSettings& training,
                                                     const StudyDevices& devices);

struct CompiledStep {
    StudyDevices devices;
    AlikeDevices alike;            ///< groups of devices whose programs are equal
    std::vector<Program> programs; ///< in the order of `alike.representatives()`

    [[nodiscard]] const Program& programOf(DeviceId device) const;
    [[nodiscard]] std::vector<const Program*> programPointers() const;
};

/// Compiles all steps of a study that has a plan. Returns nothing if it was cancelled.
[[nodiscard]] std::optional<std::vector<CompiledStep>>
compileSteps(const Study& study, const StudyDevices& devices, const CompileRequest& request);
/// Compiles one step with a separate program for every device, including all transfers of
/// collectives.
[[nodiscard]] CompiledStep compileEachDevice(const Study& study, const CompileRequest& request,
                                             std::size_t stepIndex = 0);

/// The device memory that a run of the program set needs.
struct ProgramSetMemory {
    Bytes slots = {};         ///< parameters, optimizer state, statistics
    Bytes work = {};          ///< the largest work arena of all variants
    Bytes ahead = {};         ///< the next batch, copied while a step runs
    std::string largest = {}; ///< the variant with the largest work arena
    Bytes observed = {};      ///< part of `work` that only observed steps need
};
struct CompiledProgramSet {
    std::vector<Diagnostic> problems;     ///< errors: everything else is empty
    std::vector<std::string> variants;    ///< names: "train", "evaluate"
    AlikeDevices alike;                   ///< groups of devices whose programs are equal
    std::vector<ProgramSetMemory> memory; ///< in the order of `alike.representatives()`
    [[nodiscard]] const ProgramSetMemory& memoryOf(DeviceId device) const;
};
/// Compiles all variants of a design without errors. `members`: the training step
/// first, which `step` has compiled already. `seen` receives the programs of the others. Returns
/// nothing if it was cancelled.
[[nodiscard]] std::optional<CompiledProgramSet>
compileProgramSet(const Study& study, const CompiledStep& step, const CompileRequest& request,
                  const std::vector<VariantRequest>& members,
                  const std::function<void(const Program& program)>& seen = {});

} // namespace weft
