// SPDX-License-Identifier: Apache-2.0
#pragma once
// Older files become current ones, one version at a time: a function and a file per step, which is
// never changed again. Works on the JSON, so that no step needs the types of its day.

#include "base/json.h"

#include <cstdint>
#include <span>
#include <string>

namespace weft {

using MigrationStep = void (*)(Json&);

/// Brings the document to the current version and gives back the version it had. Throws
/// Error{format} where it is no design, of a newer version or of one that never was; `name` stands
/// for the file.
std::int64_t migrate(Json& document, const std::string& name);

/// The same by steps of one's own: that at place k leads from version k + 1 to k + 2, the last one
/// to the current version.
std::int64_t migrate(Json& document, const std::string& name, std::span<const MigrationStep> steps);

} // namespace weft
