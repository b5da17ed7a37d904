// SPDX-License-Identifier: Apache-2.0
#pragma once
// Older files become current ones, one version at a time: a function and a file per step, which is
// never changed again. Works on the JSON, so that no step needs the types of its day.

#include "base/json.h"

#include <cstdint>
#include <string>

namespace weft {

/// Brings the document to the current version and gives back the version it had. Throws
/// Error{format} where it is no design or of a newer version; `name` stands for the file.
std::int64_t migrate(Json& document, const std::string& name);

/// Drafts before the first release: nodes and edges.
void migrate0To1(Json& document);

} // namespace weft
