// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kernels are held against: all samples of an op, and the parts that devices hold when a
// letter is split, with what the reference kernel makes of them in double.

#include "support/parts.h"

#include <utility>

namespace weft::test {

/// A sample of an op, or a part of it, with what the oracle makes of it.
struct KernelCase {
    LocalCase local;
    Attributes attributes;
    std::vector<Tensor> results;
    std::int64_t length = 1; ///< of the longest sum
    bool isWhole = true;
};

class KernelCases {
public:
    static constexpr std::uint64_t randomKey = 11; ///< of ops that draw

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

/// The case with numbers that halves hold, and the formats in which operands are kept as such. As
/// of gradients, results are commanded so too.
struct HalvedCase {
    KernelCase held;
    std::vector<Format> formats;
};
[[nodiscard]] HalvedCase keptAsHalves(Oracle& reference, const std::string& op,
                                      const KernelCase& one);

/// What is wrong with the results of two runs of a kernel in f32: numbers that rounding, of f32 or
/// to less, does not explain, bits that differ from run to run. Empty: nothing.
[[nodiscard]] std::string faultIn(const KernelCase& one, const std::vector<Tensor>& y,
                                  const std::vector<Tensor>& again,
                                  Precision precision = Precision::exact);

} // namespace weft::test
