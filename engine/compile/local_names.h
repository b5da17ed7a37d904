// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names of a run's devices on their hosts. A design numbers chips over all hosts; each host numbers
// its own chips from 0. The local name opens the chip and finds its sheet. Everything that a run
// reports uses the design's name.

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

class BackendList;

/// Returns the local name per device. Devices of one backend with the same number in `counted` (the
/// chips of one host) are renumbered together: the lowest of them gets the lowest number that any
/// device of the backend has in the design. With cuda:0 to cuda:3 on one host and cuda:4 to cuda:7
/// on the next, "cuda:4/1" becomes "cuda:0/1".
[[nodiscard]] std::vector<std::string> localNames(const std::vector<std::string>& devices,
                                                  const std::vector<std::int64_t>& counted);

/// Returns a number that is equal on processes that see the same chips, or, if no chips are
/// visible, on processes of the same host. A process that a batch system has bound to some chips of
/// its host counts only these.
[[nodiscard]] std::int64_t visibleChipsHash(const BackendList& backends, const std::string& host);

} // namespace weft
