// SPDX-License-Identifier: Apache-2.0
#pragma once
// Test cases of kernels: all samples of an op, and the parts on devices when a letter is split,
// with the reference kernel's results in double.

#include "support/parts.h"

#include <utility>

namespace weft::test {

/// A sample of an op, or a part of it, with what the oracle makes of it.
struct KernelCase {
    LocalCase local;
    Attributes attributes;
    std::vector<Tensor> results;
    std::int64_t length = 1; ///< terms of the longest sum
    bool isWhole = true;
};

class KernelCases {
public:
    static constexpr std::uint64_t randomKey = 11; ///< key of random ops

    /// Samples, by op, behind those of the catalogue; without their parts.
    explicit KernelCases(std::map<std::string, std::vector<Sample>> more = {})
        : more_(std::move(more)) {}

    [[nodiscard]] const OpList& ops() const { return ops_; }
    /// Operands in f32.
    [[nodiscard]] const std::vector<KernelCase>& of(const std::string& name);

private:
    void add(const OpCase& one, LocalCase local, bool isWhole);

    OpList ops_ = allOps();
    std::map<std::string, std::vector<Sample>> more_;
    Oracle reference_;
    std::map<std::string, std::vector<KernelCase>> cases_; ///< by op
};

/// The case with numbers that bf16 holds exactly, and the formats in which operands are kept as
/// such. As of gradients, results are commanded so too.
struct HalvedCase {
    KernelCase held;
    std::vector<Format> formats;
};
[[nodiscard]] HalvedCase keptAsBf16(Oracle& reference, const std::string& op,
                                    const KernelCase& one);

/// Returns what is wrong with the results of two runs of a kernel in f32: errors beyond rounding to
/// f32 or the given precision, or bits that differ between the runs. Empty: nothing.
[[nodiscard]] std::string faultIn(const KernelCase& one, const std::vector<Tensor>& y,
                                  const std::vector<Tensor>& again,
                                  Precision precision = Precision::exact);

} // namespace weft::test
