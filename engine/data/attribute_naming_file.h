// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the attribute of a source that names a missing file, so that the user can correct its
// value.

#include "data/source_kind.h"
#include <weft/error.h>

namespace weft {

/// Returns nullptr if the error is not about a named file. `given`: the attributes as in the
/// design. The attribute for the folder is returned if the folder is missing, or if a file with a
/// standard name is missing in it.
[[nodiscard]] const AttributeSpec* attributeNamingFile(const SourceKind& kind,
                                                       const Attributes& given,
                                                       const DataFolders& folders,
                                                       const Error& error);

} // namespace weft
