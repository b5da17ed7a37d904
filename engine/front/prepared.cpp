// SPDX-License-Identifier: Apache-2.0
#include "front/prepared.h"

#include "comm/simulated/simulated_room.h"
#include "front/device_sheets.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

std::unique_ptr<Device> open(const PrepareRequest& request, const DeviceSheet& sheet) {
    const std::string name = request.backend.empty() ? backendOf(sheet.name) : request.backend;
    if (request.backend.empty() && !sheet.isPresent) {
        const auto all = request.registry->backends.all();
        const auto standIn = std::ranges::find_if(
            all, [](const Backend& backend) { return static_cast<bool>(backend.standIn); });
        if (standIn == all.end()) {
            throw Error(ErrorCode::device, Where{.op = sheet.name},
                        "is not there, and this build has no backend that stands in for it",
                        "build with engine/backends/null, or name devices that are there");
        }
        return standIn->standIn(sheet);
    }
    const Backend* backend = request.registry->backends.find(name);
    if (backend == nullptr) {
        throw Error(ErrorCode::device, Where{.op = sheet.name},
                    "this build of Weft has no backend \"" + name + "\"",
                    "weft devices lists what it has");
    }
    const auto colon = sheet.name.find(':');
    return backend->open(name + (colon == std::string::npos ? ":0" : sheet.name.substr(colon)),
                         static_cast<int>(sheet.cores));
}

} // namespace

Prepared prepare(const Study& study, const PrepareRequest& request) {
    ensure(study.plan != nullptr, "programs are made from a plan");
    const auto& plan = study.plan;
    Prepared made;
    const DeviceSpread spread{study.devices, request.ranks, request.hosts};
    made.shares = sharesFor(*request.design, spread, request.machine);
    made.sheets = sheetsFor(*request.design, study.devices, request.machine, made.shares);
    made.room = makeSimulatedRoom();
    const TrainingSettings& training = request.design->training;
    for (std::uint32_t k = 0; k < study.devices.size(); ++k) {
        made.devices.push_back(open(request, made.sheets[k]));
        ScheduleRequest wanted{.order = training.order,
                               .lanes = static_cast<int>(std::max<std::int64_t>(0, training.lanes)),
                               .cores = static_cast<int>(made.sheets[k].cores),
                               .share = made.shares[k].share,
                               .seed = static_cast<std::uint64_t>(training.seed)};
        wanted.links.machine = request.machine;
        wanted.links.places = evenPlaces(study.devices.size(), request.ranks, request.hosts);
        wanted.room = made.room.get();
        wanted.fallback = &request.registry->reference;
        made.programs.push_back(schedule(plan, DeviceId{k}, *made.devices.back(), wanted));
    }
    return made;
}

} // namespace weft
