// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a run was begun, kept in its folder as begin.json, so that it goes on alike from anywhere.

#include <weft/runs.h>
#include <weft/session.h>

#include <filesystem>

namespace weft {

/// As a new run begins; one that goes on as it was begun, but with the backend, on the devices and
/// with the folders of data first that the request names, where it does.
[[nodiscard]] RunBegin beginFor(const SessionRequest& request);
void keepBegin(const std::filesystem::path& run, const RunBegin& begin);

} // namespace weft
