// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays whose first dim counts the examples, as the fields of a source: one file each, or the
// parts of an archive.

#include "data/arrays/npy.h"
#include "data/source_kind.h"

#include <functional>
#include <string>
#include <vector>

namespace weft {

/// Finds the bytes of an array by the name that the design gives.
using ArrayFinder = std::function<FileBytes(const std::string& name)>; ///< opens an array by name

/// Opens the arrays named by the attributes inputs, targets, test_inputs and test_targets, each as
/// "name" or "field=name", with the attributes of `arrayAttributes`.
[[nodiscard]] Data openArrays(const OpenRequest& request, const ArrayFinder& find);

/// The attributes that name arrays; `what` says what they name: "files", whose names end in
/// `ending`.
[[nodiscard]] std::vector<AttributeSpec>
arrayNameAttributes(const std::string& what, const std::string& ending, TextContent content);
/// floating, integer, class_names, and those for normalising and augmenting.
[[nodiscard]] std::vector<AttributeSpec> arrayAttributes(); ///< but those that name arrays

/// Fills in inputs, targets, test_inputs and test_targets from the names of arrays, such as
/// "x_train.npy" and "y_test".
void recogniseArrays(Attributes& attributes, const std::vector<std::string>& names);

} // namespace weft
