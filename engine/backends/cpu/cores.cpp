// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cores.h"

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace weft::cpu {

namespace {

struct DestroyTopology {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};

std::vector<int> fromSystem() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &allowed)) {
                cores.push_back(cpu);
            }
        }
    }
    return cores;
}

/// Binds a name in the abstract namespace of Unix sockets, which works once per machine and ends
/// with the process: a lock without leftovers. Returns -1 if it is taken or unsupported.
int claimByName(int core) {
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return -1;
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = fmt::format("weft/core/{}", core);
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

} // namespace

std::vector<int> usableCores() {
    std::vector<int> allowed = fromSystem();
    hwloc_topology* raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) {
        return allowed;
    }
    const std::unique_ptr<hwloc_topology, DestroyTopology> topology(raw);
    if (hwloc_topology_load(raw) != 0) {
        return allowed;
    }
    std::vector<std::pair<int, int>> byRank; // {sibling index within its core, processing unit}
    const int count = hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_PU);
    for (int k = 0; k < count; ++k) {
        const hwloc_obj* const unit =
            hwloc_get_obj_by_type(raw, HWLOC_OBJ_PU, static_cast<unsigned>(k));
        const auto cpu = static_cast<int>(unit->os_index);
        if (std::ranges::find(allowed, cpu) != allowed.end()) {
            const bool inCore = unit->parent != nullptr && unit->parent->type == HWLOC_OBJ_CORE;
            byRank.emplace_back(inCore ? static_cast<int>(unit->sibling_rank) : 0, cpu);
        }
    }
    if (byRank.size() != allowed.size()) {
        return allowed;
    }
    std::ranges::stable_sort(byRank, {}, [](const auto& entry) { return entry.first; });
    std::vector<int> cores;
    cores.reserve(byRank.size());
    for (const auto& [rank, cpu] : byRank) {
        cores.push_back(cpu);
    }
    return cores;
}

CoreClaim::CoreClaim(int count) {
    for (const int core : usableCores()) {
        if (static_cast<int>(cores_.size()) == count) {
            break;
        }
        if (const int descriptor = claimByName(core); descriptor >= 0) {
            claimSockets_.push_back(descriptor);
            cores_.push_back(core);
        }
    }
    if (static_cast<int>(cores_.size()) < count) {
        for (const int descriptor : claimSockets_) {
            close(descriptor);
        }
        claimSockets_.clear();
        cores_.clear();
    }
}

CoreClaim::~CoreClaim() {
    for (const int descriptor : claimSockets_) {
        close(descriptor);
    }
}

void runThisThreadOn(const std::vector<int>& cores) {
    if (cores.empty()) {
        return;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : cores) {
        CPU_SET(static_cast<std::size_t>(core), &set);
    }
    // A failure costs speed, not correctness.
    static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

} // namespace weft::cpu
