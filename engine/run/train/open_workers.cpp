// SPDX-License-Identifier: Apache-2.0
#include "run/train/open_workers.h"

#include "compile/device_sheets.h"
#include "compile/host_share.h"
#include "compile/local_names.h"
#include "compile/set_programs.h"
#include "run/train/admit_memory.h"
#include "run/train/training_run.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

std::string asDeviceOf(const std::string& backend, const std::string& device) {
    const auto colon = device.find(':');
    return backend + (colon == std::string::npos ? ":0" : device.substr(colon));
}

/// Opens a device. An error carries the device's name in the design, the rank and the host.
std::unique_ptr<Device> openHere(const RunRequest& request, const std::string& name,
                                 const std::string& local, int cores) {
    try {
        return openDevice(*request.registry, local, cores, request.backend);
    } catch (const Error& error) {
        if (name == local) {
            throw;
        }
        const Where where{.rank = request.party->rank, .host = request.party->host, .op = name};
        throw Error(error.code(), where, error.problem(), error.remedy());
    }
}

LocalDevice openLocal(const RunRequest& request, std::size_t index, std::string local,
                      const HostShare& share, DeviceSheet sheet) {
    const std::string& name = request.devices[index];
    LocalDevice opened{DeviceId{static_cast<std::uint32_t>(index)}, name,
                       &backendFor(*request.registry, name, request.backend),
                       openHere(request, name, local, share.cores), share.cores};
    opened.sheet = std::move(sheet);
    opened.sheet.isPresent = true; // whatever sheet prices it
    opened.local = std::move(local);
    return opened;
}

std::vector<Program> programsOf(const RunRequest& request, const ProgramSet& programSet,
                                const LocalDevice& local, const ScheduleContext& schedule) {
    std::vector<Program> programs;
    programs.reserve(programSet.members.size());
    for (const Variant& member : programSet.members) {
        const std::string name = nameOf(member.request, programSet.members.front().request.batch);
        programs.push_back(programOf(
            schedule,
            {.plan = member.plan,
             .device = local.id,
             .backend = local.backend,
             .sheet = &local.sheet,
             .cores = local.cores,
             .groups = !request.observes && !member.request.isObserved,
             .first = programs.empty() ? nullptr : &programs.front(),
             .kept = request.selection == nullptr
                         ? nullptr
                         : request.selection->choicesFor(local.name, name, *member.plan)}));
        programs.back().member = name;
    }
    return programs;
}

/// Returns the communicators that every rank has, since a communicator needs all of its members.
CommunicatorRule communicatorsOf(const RunRequest& request) {
    const RunParticipant* party = request.party;
    if (party == nullptr || party->communicator == nullptr || party->isStepped) {
        return {.wanted = request.design->training.communicator};
    }
    CommunicatorRule rule =
        communicatorRule(request.registry->communicators, request.devices,
                         request.design->training.communicator, request.backend);
    for (CommunicatorRule::Offer& offer : rule.offers) {
        const std::vector<std::int64_t> said =
            party->gatherNumbers ? party->gatherNumbers(offer.lacks.empty() ? 1 : 0)
                                 : std::vector<std::int64_t>{};
        const auto lacking = std::ranges::find(said, 0);
        if (offer.lacks.empty() && lacking != said.end()) {
            offer.lacks = fmt::format("rank {} cannot open {}", lacking - said.begin(), offer.name);
        }
    }
    return rule;
}

} // namespace

std::unique_ptr<Device> openDevice(const Registry& registry, const std::string& name, int cores,
                                   const std::string& backend) {
    const Backend& found = backendFor(registry, name, backend);
    return found.open(asDeviceOf(found.name, name), cores);
}

std::vector<HostShare> hostSharesOf(const RunRequest& request) {
    return hostSharesOn(*request.design, request.devices, hostsOf(request), machineOf(request),
                        coresOf(request));
}

std::unique_ptr<WorkerPool> openWorkers(const RunRequest& request, const ProgramSet& programSet) {
    const std::vector<HostShare> shares = hostSharesOf(request);
    std::vector<std::string> local = localNames(request);
    std::vector<DeviceSheet> sheets =
        sheetsFor(*request.design, request.devices, local, machineOf(request), shares);
    const RunParticipant* party = request.party;
    Links links = party == nullptr ? Links{} : party->links;
    links.connections = connectionsOf(sheets);
    std::vector<LocalDevice> devices;
    devices.reserve(request.local.size());
    for (const std::size_t index : request.local) {
        devices.push_back(openLocal(request, index, std::move(local[index]), shares[index],
                                    std::move(sheets[index])));
        if (programSet.members.front().request.mode == Mode::train) {
            const LocalDevice& opened = devices.back();
            refuseErrors(checkPrecision(request.design->training, *opened.backend, opened.sheet));
        }
    }
    const ScheduleContext scheduling{.design = request.design,
                                     .registry = request.registry,
                                     .links = std::move(links),
                                     .communicators = communicatorsOf(request)};
    for (const Variant& member : programSet.members) {
        refuseErrors(
            checkCommunicators(scheduling.communicators, scheduling.links.places, *member.plan));
    }
    auto pool = std::make_unique<WorkerPool>(
        std::move(devices), party == nullptr ? nullptr : party->communicator,
        party != nullptr && party->isStepped,
        DeviceCommunicators{&request.registry->communicators,
                            party == nullptr ? DeviceCommunicators{}.limit : party->limit});
    pool->prepare(
        [&](const LocalDevice& local) {
            return programsOf(request, programSet, local, scheduling);
        },
        [&](const auto& local, const std::vector<ArenaNeed>& needs) {
            admitMemory(request, local, needs);
        });
    if (request.party != nullptr) {
        pool->setCollectiveLimit(request.party->limit);
    }
    return pool;
}

std::vector<std::string> localNames(const RunRequest& request) {
    const RunParticipant* party = request.party;
    if (party == nullptr || !party->gatherNumbers) {
        return request.devices;
    }
    const std::vector<std::int64_t> said =
        party->gatherNumbers(visibleChipsHash(request.registry->backends, party->host));
    std::vector<std::int64_t> counted;
    for (const DevicePlace& place : party->links.places) {
        counted.push_back(said[static_cast<std::size_t>(place.rank)]);
    }
    return localNames(request.devices, counted);
}

} // namespace weft
