// SPDX-License-Identifier: Apache-2.0
#include "base/process/environment.h"
#include "base/process/supervised_program.h"
#include "base/process/wall_clock.h"
#include "base/text/lenient_json.h"
#include "comm/threads/threads_communicator.h"
#include "comm/world.h"
#include "compile/host_share.h"
#include "compile/registry.h"
#include "device/kept_rates.h"
#include "front/machine/features.h"
#include "remote/query_program.h"
#include "run/measure/calibrate.h"
#include "run/measure/calibrate_link.h"
#include "run/session/mpirun_line.h"
#include "run/train/open_workers.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/launch.h>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <span>
#include <thread>

namespace weft {

namespace {

MachineSheet machineOf(const Registry& registry) {
    MachineSheet machine;
    machine.host = hostName();
    machine.devices = devicesFound(registry);
    return withKeptLinks(std::move(machine));
}

/// Measures the link between two threads of this process.
LinkSheet measureThreads(const LinkSheet& link) {
    const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
    auto other = std::async(std::launch::async,
                            [&] { return measureLink(*communicator, DeviceId{1}, link); });
    LinkSheet mine = measureLink(*communicator, DeviceId{0}, link);
    other.get();
    return mine;
}

/// True on both ranks if ranks 0 and 1 are on one host.
bool isOnOneHost(World& world) {
    constexpr std::chrono::seconds limit{20};
    std::array<char, 256> name{};
    world.host().copy(name.data(), name.size() - 1);
    world.bringToFirst(1, std::as_writable_bytes(std::span(name)), limit);
    std::vector<std::byte> decision{std::byte{world.host() == name.data()}};
    world.shareFromFirst(decision, limit);
    return decision.front() != std::byte{0};
}

} // namespace

MachineSheet thisMachine() { return machineOf(*makeRegistry()); }

MachineReport surveyMachine() {
    const auto registry = makeRegistry();
    MachineReport report{.machine = machineOf(*registry),
                         .cores = 1,
                         .memory = {},
                         .features = featuresOf(registry->backends, registry->communicators),
                         .ratesFile = keptRatesPath().string()};
    report.cores = coresOf(report.machine.devices);
    for (const DeviceSheet& sheet : report.machine.devices) {
        report.memory = std::max(report.memory, sheet.backend == "cpu" ? sheet.memory : Bytes{});
    }
    return report;
}

void askFreeMemory(MachineReport& report) {
    const auto registry = makeRegistry();
    for (const DeviceSheet& sheet : report.machine.devices) {
        if (!sheet.bus) {
            continue;
        }
        try {
            report.freeMemory[sheet.name] = openDevice(*registry, sheet.name, 1)->freeMemory();
        } catch (const Error&) {
            continue; // not reported here: a run reports why the device fails
        }
    }
}

void askFreeMemory(MachineReport& report, const std::filesystem::path& program) {
    if (std::ranges::none_of(report.machine.devices,
                             [](const DeviceSheet& sheet) { return sheet.bus.has_value(); })) {
        return;
    }
    const ProgramAnswer answer = answerOf(
        {.words = {program.string(), "devices", "--json"}, .limit = std::chrono::seconds(10)});
    try {
        const Json free = objectIn(answer.said).at("free_bytes");
        for (const DeviceSheet& sheet : report.machine.devices) {
            if (free.contains(sheet.name)) {
                report.freeMemory[sheet.name] = {free.at(sheet.name).get<std::int64_t>()};
            }
        }
    } catch (const std::exception&) {
        return; // free memory stays unknown
    }
}

MachineSheet measureThisMachine(const CalibrationRequest& request) {
    const auto registry = makeRegistry();
    MachineSheet machine = machineOf(*registry);
    const auto isAsked = [&](const DeviceSheet& sheet) {
        return request.backend.empty() ? sheet.backend != "reference"
                                       : sheet.backend == request.backend;
    };
    const auto asked = std::ranges::count_if(machine.devices, isAsked);
    if (asked == 0 && !request.backend.empty()) {
        // Throws an error that says why the backend has no device.
        (void)openDevice(*registry, request.backend + ":0", 1);
    }
    double before = 0;
    const MeasuringProgress progress = [&](double done) {
        return !request.progress || request.progress((before + done) / static_cast<double>(asked));
    };
    for (DeviceSheet& sheet : machine.devices) {
        if (!isAsked(sheet)) {
            continue;
        }
        const Backend& backend = *registry->backends.find(sheet.backend);
        const auto device = backend.open(sheet.name, static_cast<int>(sheet.cores));
        // Runs on a separate thread, since the thread that becomes a stream is bound to cores.
        sheet = std::async(std::launch::async, [&] {
                    return measureRates(*device, backend, registry->ops, progress);
                }).get();
        sheet.measuredAt = unixSeconds();
        keepRates(sheet);
        before += 1;
    }
    if (request.measuresThreads) {
        machine.withinProcess = measureThreads(machine.withinProcess);
        keepLink(machine.withinProcess, machine.host);
    }
    return machine;
}

LinkSheet measureLinkBetweenRanks() {
    const std::unique_ptr<World> world = joinWorld();
    if (world->ranks() != 2) {
        throw Error(ErrorCode::peer, {},
                    "a link is measured between two ranks, but the number of ranks is " +
                        std::to_string(world->ranks()) + " ranks",
                    "start it with mpirun -n 2 weft calibrate --between-ranks");
    }
    const bool isShared = isOnOneHost(*world);
    const MachineSheet machine = machineOf(*makeRegistry());
    Communicator& communicator = world->communicator({0, 1});
    LinkSheet link = measureLink(communicator, DeviceId{static_cast<std::uint32_t>(world->rank())},
                                 isShared ? machine.withinHost : machine.betweenHosts);
    if (world->rank() == 0) {
        keepLink(link, machine.host);
    }
    return link;
}

std::optional<LinkSheet> measureLinkBetweenProcesses(const std::filesystem::path& program,
                                                     const std::function<bool()>& goesOn) {
    if (!isMpiBuilt() || programInPath("mpirun").empty()) {
        return std::nullopt;
    }
    constexpr std::chrono::milliseconds look{20};
    const LaunchRequest request{.command = {program.string(), "calibrate", "--between-ranks"}};
    SupervisedProgram mpirun(mpirunFor(request, {}));
    while (!mpirun.hasEnded()) {
        std::this_thread::sleep_for(look);
        if (goesOn && !goesOn()) {
            throw Error(ErrorCode::stopped, Where{.op = "mpirun"}, "the measurement was stopped",
                        "start it again");
        }
    }
    if (mpirun.code() != 0) {
        throw Error(ErrorCode::peer, Where{.op = "mpirun"},
                    "the link between processes was not measured",
                    "mpirun -n 2 weft calibrate --between-ranks prints the cause");
    }
    return thisMachine().withinHost;
}

} // namespace weft
