// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory that processes of this host may use: the machine's, or the smallest limit of the
// control groups of this process.

#include <weft/types.h>

#include <filesystem>

namespace weft {

/// The system's files; tests replace them.
struct HostFiles {
    std::filesystem::path proc = "/proc";            ///< root of the proc file system
    std::filesystem::path groups = "/sys/fs/cgroup"; ///< root of the control groups
};

/// Total memory; 0: unknown.
[[nodiscard]] Bytes hostMemory(const HostFiles& files = {}); ///< total; 0: unknown
/// Memory available now without swapping; 0: unknown.
[[nodiscard]] Bytes freeHostMemory(const HostFiles& files = {}); ///< without swapping

} // namespace weft
