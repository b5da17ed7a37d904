// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory that processes of this host may take: what the machine has, or the least limit of a
// control group that this process is in.

#include <weft/types.h>

#include <filesystem>

namespace weft {

/// Where the system tells of itself; tests have a copy.
struct HostFiles {
    std::filesystem::path proc = "/proc";
    std::filesystem::path groups = "/sys/fs/cgroup";
};

/// At all; 0: nobody says.
[[nodiscard]] Bytes hostMemory(const HostFiles& files = {});
/// Without swapping, as it stands; 0: nobody says.
[[nodiscard]] Bytes freeHostMemory(const HostFiles& files = {});

} // namespace weft
