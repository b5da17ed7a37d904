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
    MachineSheet machine = {}; ///< without devices: the defaults of their kinds
    int ranks = 1;
    int hosts = 1;
    KernelChoiceCache* choices = nullptr;
    std::function<bool()> isWanted = {}; ///< asked before each program; false cancels
};

/// The locations and sheets of a study's devices.
struct DevicesOf {
    std::vector<HostShare> shares;
    std::vector<DeviceSheet> sheets;
    /// Without a name: this build has no backend for the device.
    std::vector<const Backend*> backends;
    Links links;
    CommunicatorRule communicators;
};
[[nodiscard]] DevicesOf devicesOf(const Study& study, const CompileRequest& request);
/// Returns the diagnostics of the first device that refuses the precision.
[[nodiscard]] std::vector<Diagnostic> checkPrecision(const TrainingSettings& training,
                                                     const DevicesOf& devices);

struct CompiledStep {
    DevicesOf devices;
    AlikeDevices alike;
    std::vector<Program> programs; ///< in the order of `alike.representatives()`

    [[nodiscard]] const Program& of(DeviceId device) const;
    [[nodiscard]] std::vector<const Program*> all() const;
};

/// Compiles all steps of a study that has a plan. None if it was cancelled.
[[nodiscard]] std::optional<std::vector<CompiledStep>>
compileSteps(const Study& study, const DevicesOf& devices, const CompileRequest& request);
/// Compiles one step with a separate program for every device, including all transfers of
/// collectives.
[[nodiscard]] CompiledStep compileEach(const Study& study, const CompileRequest& request,
                                       std::size_t which = 0);

/// The device memory that a run of the program set needs.
struct ProgramSetMemory {
    Bytes kept = {};
    Bytes work = {};          ///< the largest work arena
    Bytes ahead = {};         ///< the waiting next batch
    std::string largest = {}; ///< the variant with the largest work arena
    Bytes observed = {};      ///< part of `work` that only observed steps need
};
struct CompiledProgramSet {
    std::vector<Diagnostic> problems; ///< errors: everything else is empty
    std::vector<std::string> members;
    AlikeDevices alike;
    std::vector<ProgramSetMemory> memory; ///< in the order of `alike.representatives()`
    [[nodiscard]] const ProgramSetMemory& of(DeviceId device) const;
};
/// Compiles all variants of a design without errors. `members`: the training step first. `seen`
/// receives the programs of the others. Returns nothing if it was cancelled.
[[nodiscard]] std::optional<CompiledProgramSet>
compileProgramSet(const Study& study, const CompiledStep& step, const CompileRequest& request,
                  const std::vector<VariantRequest>& members,
                  const std::function<void(const Program& program)>& seen = {});

} // namespace weft
