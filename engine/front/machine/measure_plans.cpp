// SPDX-License-Identifier: Apache-2.0
#include "device/kept_rates.h"
#include "front/preview/compile_step.h"
#include "front/preview/run_members.h"
#include "run/measure/try_plans.h"
#include "run/train/open_workers.h"
#include <weft/error.h>
#include <weft/plan_trials.h>

#include <algorithm>
#include <future>
#include <map>

namespace weft {

namespace {

/// The kernels to measure for one GPU model, and the device to measure them on.
struct ModelTrials {
    std::string device;
    ChoicesWithAlternatives choices = {};
};
using TrialsByModel = std::map<std::string, ModelTrials>;

class Collecting {
public:
    Collecting(const Design& design, const PlanTrialsRequest& request)
        : design_(design),
          request_(request),
          registry_(makeRegistry()),
          machine_(thisMachine()),
          study_(study({.design = &design,
                        .registry = registry_.get(),
                        .devices = request.devices,
                        .machine = machine_})),
          compiling_{.design = &design, .registry = registry_.get(), .machine = machine_} {
        refuseErrors(study_.problems);
    }

    TrialsByModel run() {
        const StudyDevices devices = studyDevices(study_, compiling_);
        const auto steps = compileSteps(study_, devices, compiling_);
        for (const CompiledStep& step : *steps) {
            std::ranges::for_each(step.programs,
                                  [&](const Program& program) { add(devices, program); });
        }
        const RunVariants of =
            runVariants(design_, PreviewData{request_.folder, {}}, registry_->sources);
        const auto programSet =
            compileProgramSet(study_, steps->front(), compiling_, of.variants,
                              [&](const Program& program) { add(devices, program); });
        refuseErrors(programSet->problems);
        std::erase_if(trials_, [](const auto& one) { return one.second.choices.empty(); });
        return std::move(trials_);
    }

    [[nodiscard]] const Registry& registry() const { return *registry_; }

private:
    void add(const StudyDevices& devices, const Program& program) {
        const DeviceSheet& sheet = devices.sheets[program.device.value];
        if (sheet.isPresent) {
            const auto [at, isNew] = trials_.try_emplace(sheet.backend + " " + sheet.model);
            at->second.device = isNew ? chipOf(sheet.name) : at->second.device;
            addChoicesWithAlternatives(program, at->second.choices);
        }
    }

    const Design& design_;
    const PlanTrialsRequest& request_;
    std::unique_ptr<const Registry> registry_;
    MachineSheet machine_;
    Study study_;
    CompileRequest compiling_;
    TrialsByModel trials_;
};

void keep(const DeviceSheet& of, const std::vector<TimedAlternatives>& tried) {
    DeviceSheet sheet = of;
    sheet.plans = {.model = sheet.model, .library = sheet.library};
    for (const TimedAlternatives& one : tried) {
        sheet.plans.best[one.name] = one.best;
    }
    keepPlans(sheet);
}

} // namespace

std::vector<PlanTrial> measurePlans(const Design& design, const PlanTrialsRequest& request) {
    Collecting collecting(design, request);
    const TrialsByModel all = collecting.run();
    if (all.empty()) {
        throw Error(ErrorCode::device, {},
                    "no device of the design on this machine has kernels from a library with "
                    "several algorithms",
                    "`weft devices` lists the devices of this machine, `weft explain --stage "
                    "kernels` the kernels of the design");
    }
    std::vector<PlanTrial> made;
    double before = 0;
    const MeasuringProgress progress = [&](double done) {
        return !request.progress ||
               request.progress((before + done) / static_cast<double>(all.size()));
    };
    for (const auto& [model, trials] : all) {
        const auto device = openDevice(collecting.registry(), trials.device, 1);
        // Runs on a separate thread, since the thread that becomes a stream is bound to cores.
        std::vector<TimedAlternatives> tried =
            std::async(std::launch::async, [&] {
                return timeAlternatives(*device, trials.choices, progress);
            }).get();
        keep(device->sheet(), tried);
        for (TimedAlternatives& one : tried) {
            made.push_back({trials.device, std::move(one.name), one.ways, std::move(one.first),
                            std::move(one.best)});
        }
        before += 1;
    }
    return made;
}

} // namespace weft
