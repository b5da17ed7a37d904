// SPDX-License-Identifier: Apache-2.0
#pragma once
// An op with one of its samples made real: attributes completed, operands drawn, types of the
// results inferred. What the contract suites walk.

#include "graph/op.h"
#include "place/notation.h"
#include "support/evaluate.h"

#include <string>
#include <vector>

namespace weft::test {

struct OpCase {
    const Op* op = nullptr;
    std::string name; ///< "conv2d 2": the op and the number of its sample
    Attributes attributes;
    std::vector<Tensor> inputs;
    std::vector<TensorType> outputs;
    Signature signature; ///< signature of the whole op
};

/// Sample `number` of the op. Floating operands of that type, the same numbers whichever it is
/// (unless made by other ops).
[[nodiscard]] OpCase makeCase(const OpList& ops, const Op& op, std::size_t number, Oracle& oracle,
                              DType floating = DType::f64, std::uint64_t seed = 1);
/// The placement string of a case, read, and the size of each letter.
struct CaseLetters {
    Rule rule;
    std::vector<std::int64_t> sizes;
};
[[nodiscard]] CaseLetters lettersOf(const OpCase& one);
/// Names of the letters that must be whole, of size above one.
[[nodiscard]] std::vector<std::string> wholeLetters(const OpCase& one);
/// Product of the sizes of all letters: the combinations that an op can look at.
[[nodiscard]] std::int64_t productOfLetters(const OpCase& one);
/// How many numbers are summed or compared into one result, at most: what rounding grows with.
[[nodiscard]] std::int64_t contractionLength(const OpCase& one);

} // namespace weft::test
