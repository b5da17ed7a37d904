// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs of all devices of a plan, whether they would run here or not. No device is opened,
// no kernel is made and nothing is allocated.

#include "front/study.h"
#include "run/set_programs.h"
#include "schedule/alike_devices.h"
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
    std::string backend = {};  ///< instead of the devices' own
    MachineSheet machine = {}; ///< without devices: class defaults
    int ranks = 1;
    int hosts = 1;
    ChoiceMemory* choices = nullptr;
    std::function<bool()> isWanted = {}; ///< asked before each program
};

/// Where a study's devices are, and what they are.
struct DevicesOf {
    std::vector<HostShare> shares;
    std::vector<DeviceSheet> sheets;
    std::vector<const Backend*> backends; ///< nameless: this build has none for it
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
    std::vector<Program> programs; ///< of `alike.shown()`

    [[nodiscard]] const Program& of(DeviceId device) const;
    [[nodiscard]] std::vector<const Program*> all() const;
};

/// All of a study that has a plan; nothing: it was not wanted to its end.
[[nodiscard]] std::optional<std::vector<CompiledStep>>
compileSteps(const Study& study, const DevicesOf& devices, const CompileRequest& request);
/// That step, with a program of its own for every device, and all that communicators move.
[[nodiscard]] CompiledStep compileEach(const Study& study, const CompileRequest& request,
                                       std::size_t which = 0);

/// What a device gives to a run of the programSet.
struct ProgramSetMemory {
    Bytes kept = {};
    Bytes work = {};          ///< the largest arena
    Bytes ahead = {};         ///< where the next batch waits
    std::string largest = {}; ///< the member whose arena that is
    Bytes observed = {};      ///< of it, beyond what the others need
};
struct CompiledProgramSet {
    std::vector<Diagnostic> problems; ///< errors: nothing else is made
    std::vector<std::string> members;
    AlikeDevices alike;
    std::vector<ProgramSetMemory> memory; ///< of `alike.shown()`
    [[nodiscard]] const ProgramSetMemory& of(DeviceId device) const;
};
/// Compiles all variants of a design without errors. `members`: the training step first. `seen`
/// receives the programs of the others. Returns nothing if it was cancelled.
[[nodiscard]] std::optional<CompiledProgramSet>
compileProgramSet(const Study& study, const CompiledStep& step, const CompileRequest& request,
                  const std::vector<VariantRequest>& members,
                  const std::function<void(const Program& program)>& seen = {});

} // namespace weft
