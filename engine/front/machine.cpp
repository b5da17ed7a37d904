// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "device/kept_rates.h"
#include "run/calibrate.h"
#include "run/registry.h"
#include <weft/devices.h>

#include <unistd.h>

#include <array>
#include <thread>

namespace weft {

namespace {

MachineSheet machineOf(const Registry& registry) {
    MachineSheet machine;
    std::array<char, 256> host{};
    machine.host = gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "localhost";
    for (const Backend& backend : registry.backends.all()) {
        for (DeviceSheet& sheet : backend.find()) {
            machine.devices.push_back(withKeptRates(std::move(sheet)));
        }
    }
    return machine;
}

} // namespace

MachineSheet thisMachine() { return machineOf(*makeRegistry()); }

MachineSheet measureThisMachine() {
    const auto registry = makeRegistry();
    MachineSheet machine = machineOf(*registry);
    for (DeviceSheet& sheet : machine.devices) {
        const Backend& backend = *registry->backends.find(sheet.backend);
        const auto device = backend.open(sheet.name, static_cast<int>(sheet.cores));
        // A thread of its own becomes the lane, so that the caller is bound to no cores.
        std::thread([&] { sheet = measureRates(*device, registry->ops); }).join();
        keepRates(sheet);
    }
    return machine;
}

} // namespace weft
