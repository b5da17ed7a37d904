// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which attribute of a source is at fault when one of its files cannot be had: the one whose value
// its author has to choose anew.

#include "data/source_kind.h"
#include <weft/error.h>

namespace weft {

/// nullptr: the error is about none of the files that attributes name. `given`: as the design has
/// them. A folder is at fault where it is not there, or where a file is missing that nobody named
/// otherwise than it is given out.
[[nodiscard]] const AttributeSpec* namingAttribute(const SourceKind& kind, const Attributes& given,
                                                   const DataFolders& folders, const Error& error);

} // namespace weft
