// SPDX-License-Identifier: Apache-2.0
#include "front/prepared.h"

#include "run/device_sheets.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

/// Of a device that no backend of this build is for: the kernels of last resort do all its work.
const Backend& nobodys() {
    static const Backend none;
    return none;
}

const Backend& backendFor(const PrepareRequest& request, const DeviceSheet& sheet) {
    const Backend* own = request.registry->backends.find(backendOf(sheet.name));
    if (request.backend.empty() && !sheet.isPresent) {
        return own == nullptr ? nobodys() : *own;
    }
    return backendFor(*request.registry, sheet.name, request.backend);
}

} // namespace

Prepared prepare(const Study& study, const PrepareRequest& request) {
    ensure(study.plan != nullptr, "programs are made from a plan");
    const auto& plan = study.plan;
    Prepared made;
    const DeviceSpread spread{study.devices, request.ranks, request.hosts};
    made.shares = sharesFor(*request.design, spread, request.machine);
    made.sheets = sheetsFor(*request.design, study.devices, request.machine, made.shares);
    const TrainingSettings& training = request.design->training;
    for (std::uint32_t k = 0; k < study.devices.size(); ++k) {
        ScheduleRequest wanted{.order = training.order,
                               .lanes = static_cast<int>(std::max<std::int64_t>(0, training.lanes)),
                               .cores = static_cast<int>(made.sheets[k].cores),
                               .seed = static_cast<std::uint64_t>(training.seed)};
        wanted.links.machine = request.machine;
        wanted.links.places = evenPlaces(study.devices.size(), request.ranks, request.hosts);
        wanted.fallback = &request.registry->reference;
        const Backend& backend = backendFor(request, made.sheets[k]);
        made.hasKernels.push_back(!backend.name.empty());
        made.programs.push_back(schedule(plan, DeviceId{k}, backend, made.sheets[k], wanted));
    }
    return made;
}

} // namespace weft
