// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device of a run is called where it is. A design numbers chips through all of its hosts,
// each host counts its own from 0: what is opened, and whose sheet prices it, is that chip. To all
// that a run tells, a device has the name that its design gives it.

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

class BackendList;
struct RunRequest;

/// By device. Those of one number in `counted` are counted together: by their own lowest number,
/// as the lowest of all. So "cuda:4/1" is "cuda:0/1" where cuda:4 is the first.
[[nodiscard]] std::vector<std::string> localNames(const std::vector<std::string>& devices,
                                                  const std::vector<std::int64_t>& counted);

/// The same number on processes that count the same chips: those that see the same ones, and where
/// none are seen, all of a host. A process that a batch system has bound to some of its host's
/// chips counts these alone.
[[nodiscard]] std::int64_t chipsSeen(const BackendList& backends, const std::string& host);

/// By device of the run. All ranks call it.
[[nodiscard]] std::vector<std::string> localNames(const RunRequest& request);

} // namespace weft
