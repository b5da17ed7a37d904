// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the host channel of a run is reached: a Unix socket without a file on its own host, TCP
// from others. As text: "unix:weft-1f3a...,tcp:10.0.0.1:40001", tried in this order.

#include "base/files.h"

#include <chrono>
#include <string>
#include <vector>

namespace weft {

struct HostDoor {
    std::vector<FileHandle> sockets; ///< that listen
    std::string address;             ///< of all of them
};

/// Opens the Unix socket, and TCP where ranks live on other hosts. Error{peer} where none opens.
[[nodiscard]] HostDoor openHostDoor(bool isAcrossHosts);

/// The next caller, on a socket that does not block; not open where nobody waits.
[[nodiscard]] FileHandle acceptFrom(int listening);

/// The first of the addresses that answers; Error{peer} when none does within the limit.
[[nodiscard]] FileHandle connectTo(const std::string& address, std::chrono::milliseconds limit);

} // namespace weft
