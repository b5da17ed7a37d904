// SPDX-License-Identifier: Apache-2.0
#include "base/process/steady_clock.h"

#include "base/files/files.h"
#include <weft/error.h>

#include <system_error>

namespace weft {

std::string steadyClockName() {
    try {
        constexpr std::size_t longest = 256;
        const std::string boot = readFile("/proc/sys/kernel/random/boot_id", longest);
        // Kernels without time namespaces lack this link.
        std::error_code ignored;
        const auto space = std::filesystem::read_symlink("/proc/self/ns/time", ignored);
        return boot.substr(0, boot.find('\n')) + " " + space.string();
    } catch (const Error&) {
        return {};
    }
}

} // namespace weft
