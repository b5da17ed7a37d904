// SPDX-License-Identifier: Apache-2.0
#pragma once
// Migrates older files to the current version, one version at a time: each step has a function in a
// file of its own, which is never changed again. Steps work on JSON, so that they do not depend on
// present types.

#include "base/text/json.h"

#include <cstdint>
#include <span>
#include <string>

namespace weft {

using MigrationStep = void (*)(Json&);

/// Migrates the document to the current version and returns its previous version. Throws
/// Error{format} if it is not a design, or of a newer or invalid version. `name` is the file's name
/// for messages.
std::int64_t migrate(Json& document, const std::string& name);

/// Migrates with the given steps: the step at index k migrates from version k + 1 to k + 2, the
/// last one to the current version.
std::int64_t migrate(Json& document, const std::string& name, std::span<const MigrationStep> steps);

} // namespace weft
