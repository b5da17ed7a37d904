// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of an op's operands and results on devices when one of its letters is split. Windows follow
// the simplest rule: all elements that any tap reads. An independent implementation of the notation
// for tests.

#include "support/op_case.h"

#include <string>
#include <vector>

namespace weft::test {

/// Operands and results of one device, and the operands' numbers.
struct LocalCase {
    std::string name; ///< "conv2d 2, y in [0, 3)"
    std::vector<TensorPart> inputs;
    std::vector<TensorPart> outputs;
    std::vector<Tensor> numbers;
};

/// The case as one device holds all of it.
[[nodiscard]] LocalCase wholeCase(const OpCase& one);
/// Every letter that may be split, among two devices, unevenly; devices without a part left out.
[[nodiscard]] std::vector<LocalCase> localCases(const OpCase& one);

} // namespace weft::test
