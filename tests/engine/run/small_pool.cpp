// SPDX-License-Identifier: Apache-2.0
#include "small_pool.h"

#include "comm/threads/threads_communicator.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "schedule/schedule.h"
#include <weft/design_file.h>
#include <weft/error.h>

namespace weft::test {

SmallPool::SmallPool(const std::string& text, std::size_t devices,
                     std::vector<VariantRequest> members, std::size_t here)
    : registry(makeRegistry()),
      design(parseDesign(text, registry->kinds).design),
      expanded(expand(design, registry->kinds)),
      communicator(makeThreadsCommunicator()) {
    ProgramSetRequest request{.design = &design,
                              .expanded = &expanded,
                              .ops = &registry->ops,
                              .layers = &registry->layers,
                              .optimizers = &registry->optimizers,
                              .devices = {},
                              .machine = {},
                              .members = std::move(members)};
    std::vector<LocalDevice> local;
    for (std::size_t k = 0; k < devices; ++k) {
        const std::string name = "reference:" + std::to_string(k);
        request.devices.push_back(name);
        const Backend* reference = registry->backends.find("reference");
        if (here == 0 || k < here) {
            local.push_back({DeviceId{static_cast<std::uint32_t>(k)}, name, reference,
                             reference->open(name, 1), 1});
        }
    }
    programSet = makeProgramSet(request);
    for (const Diagnostic& problem : programSet.problems) {
        ensure(problem.severity != Severity::error, toString(problem).c_str());
    }
    pool = std::make_unique<WorkerPool>(std::move(local), communicator.get(), false);
    pool->prepare([this](const LocalDevice& device) {
        std::vector<Program> programs;
        for (const Variant& member : programSet.members) {
            ScheduleRequest wanted{.cores = 1, .seed = 1};
            wanted.fallback = &registry->reference;
            wanted.settled = programs.empty() ? nullptr : &programs.front();
            programs.push_back(
                schedule(member.plan, device.id, *device.backend, device.device->sheet(), wanted));
        }
        return programs;
    });
    pool->setCollectiveLimit(std::chrono::seconds(60));
    initialiseSlots(*pool, 1);
}

SmallPool::~SmallPool() = default;

std::vector<std::byte> feedOf(const WorkerPool& pool, std::size_t member, const std::string& name) {
    std::vector<std::byte> all;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        for (const ProgramPort& port : pool.program(w, member).program().feeds) {
            if (port.name == name && port.isHeld) {
                const std::size_t before = all.size();
                all.resize(before + static_cast<std::size_t>(port.buffer.size.count));
                pool.copyOut(w, member, port.buffer, all.data() + before);
            }
        }
    }
    return all;
}

void fillIds(WorkerPool& pool, std::size_t member, const std::string& feed, std::int64_t last) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        for (const ProgramPort& port : pool.program(w, member).program().feeds) {
            if (port.isHeld && port.part.dtype == DType::i64 && port.part.elements() > 0) {
                std::vector<std::int64_t> ids(static_cast<std::size_t>(port.part.elements()), 0);
                ids.back() = port.name == feed ? last : 0;
                pool.copyIn(w, member, port.buffer, ids.data());
            }
        }
    }
}

} // namespace weft::test
