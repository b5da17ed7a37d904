// SPDX-License-Identifier: Apache-2.0
#pragma once
// The addresses of a run's host channel: an abstract Unix socket on the same host, TCP from other
// hosts. As text: "unix:weft-1f3a...,tcp:10.0.0.1:40001", tried in this order.

#include "base/files/files.h"

#include <chrono>
#include <string>
#include <vector>

namespace weft {

struct HostListener {
    std::vector<FileHandle> sockets; ///< listening
    std::string address;             ///< addresses of all sockets
};

/// Opens the Unix socket, and TCP if ranks run on other hosts. Throws Error{peer} if none can be
/// opened.
[[nodiscard]] HostListener openHostListener(bool isAcrossHosts);

/// Accepts the next connection of a non-blocking socket. The handle is not open if nobody waits.
[[nodiscard]] FileHandle acceptFrom(int listening); ///< not open: nobody waits

/// Connects to the first address that answers. Throws Error{peer} if none does within the limit.
[[nodiscard]] FileHandle connectTo(const std::string& address, std::chrono::milliseconds limit);

} // namespace weft
