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

/// Returns the local name per device. Devices with the same number in `counted` share one
/// numbering, whose lowest design number becomes their lowest local number. So "cuda:4/1" becomes
/// "cuda:0/1" if cuda:4 is the first.
[[nodiscard]] std::vector<std::string> localNames(const std::vector<std::string>& devices,
                                                  const std::vector<std::int64_t>& counted);

/// Returns a number that is equal on processes that see the same chips, or, if no chips are
/// visible, on processes of the same host. A process that a batch system has bound to some chips of
/// its host counts only these.
[[nodiscard]] std::int64_t chipsSeen(const BackendList& backends, const std::string& host);

} // namespace weft
