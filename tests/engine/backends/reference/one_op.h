// SPDX-License-Identifier: Apache-2.0
#pragma once
// One op on numbers written down in a test.

#include "support/evaluate.h"

#include <string>
#include <vector>

namespace weft::test {

class OneOp {
public:
    OneOp();
    /// Results of the op on whole values; attributes are completed.
    [[nodiscard]] std::vector<Tensor> operator()(const std::string& name,
                                                 const std::vector<Tensor>& inputs,
                                                 const Attributes& attributes = {},
                                                 const RunOptions& options = {});
    [[nodiscard]] Oracle& oracle() { return oracle_; }

private:
    OpList ops_;
    Oracle oracle_;
};

/// A row of numbers in double; a single number has no dims.
[[nodiscard]] Tensor row(const std::vector<double>& numbers);
[[nodiscard]] Tensor number(double value);
[[nodiscard]] Tensor ids(const std::vector<double>& numbers, DType dtype = DType::i64);
/// A single whole number: a step.
[[nodiscard]] Tensor step(std::int64_t value);

/// The largest difference from the numbers expected.
[[nodiscard]] double distance(const Tensor& found, const std::vector<double>& expected);

} // namespace weft::test
