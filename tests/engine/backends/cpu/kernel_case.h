// SPDX-License-Identifier: Apache-2.0
#pragma once

// One call of an op with its operands: computed by the oracle in double, and by any kernel with
// operands offered in any format. Values are plain here; formats exist only inside a call.

#include "device/kernel.h"
#include "graph/op.h"

#include <optional>
#include <string>
#include <vector>

namespace weft::test {

struct Tensor {
    DType dtype = DType::f32; ///< of the kernel's operand; values are kept in double
    Shape shape;
    std::vector<double> values;
};

struct KernelCase {
    std::string name;
    std::string op;
    Attributes attributes;
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs; ///< as the oracle computes them
    std::vector<InPlace> inPlace;
    std::uint64_t randomKey = 0;
};

/// The op's samples, operands drawn by `seed`, results by the reference kernels in double.
[[nodiscard]] std::vector<KernelCase> casesOf(const Op& op, const OpList& ops, std::uint64_t seed);

struct Outcome {
    std::string refusal; ///< empty: it ran
    std::string implementation;
    std::vector<Tensor> outputs;
    std::string overrun; ///< what was written outside of results and scratch
};

struct Offer {
    Format format = {}; ///< of every operand of four dims
    int cores = 1;
    bool mayChooseFormats = true;
};

[[nodiscard]] Outcome runKernel(const KernelMaker& maker, const KernelCase& each,
                                const Offer& offer);

/// The request for a whole value on one device.
[[nodiscard]] KernelRequest requestOf(const KernelCase& each, const Offer& offer);

} // namespace weft::test
