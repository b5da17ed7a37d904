// SPDX-License-Identifier: Apache-2.0
#include "device/kept_rates.h"
#include "run/calibrate.h"
#include "run/registry.h"
#include <weft/devices.h>

#include <unistd.h>

#include <array>
#include <future>

namespace weft {

namespace {

MachineSheet machineOf(const Registry& registry) {
    MachineSheet machine;
    std::array<char, 256> host{};
    machine.host = gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "localhost";
    for (const Backend& backend : registry.backends.all()) {
        for (DeviceSheet& sheet : backend.find()) {
            machine.devices.push_back(std::move(sheet));
        }
    }
    return machine;
}

} // namespace

MachineSheet thisMachine() { return machineOf(*makeRegistry()); }

MachineSheet measureThisMachine(const std::string& backend) {
    const auto registry = makeRegistry();
    MachineSheet machine = machineOf(*registry);
    for (DeviceSheet& sheet : machine.devices) {
        if (sheet.backend != backend) {
            continue;
        }
        const auto device =
            registry->backends.find(backend)->open(sheet.name, static_cast<int>(sheet.cores));
        // A thread of its own becomes the lane, so that the caller is bound to no cores.
        sheet = std::async(std::launch::async, [&] {
                    return measureRates(*device, registry->ops);
                }).get();
        keepRates(sheet);
    }
    return machine;
}

} // namespace weft
