// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records how a run was started in its folder as begin.json, so that it can be resumed from
// anywhere.

#include <weft/runs.h>
#include <weft/session.h>

#include <filesystem>

namespace weft {

/// Returns how a new run begins. A resume begins like the original run, except for the backend,
/// devices and data folders that the request names.
[[nodiscard]] RunBegin beginFor(const SessionRequest& request);
void writeBegin(const std::filesystem::path& run, const RunBegin& begin);

} // namespace weft
