// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shapes on which kernels are timed: those of the networks one trains, each pass of each layer.

#include <weft/attributes.h>
#include <weft/types.h>

#include <string>
#include <vector>

namespace weft::bench {

struct Row {
    std::string name; ///< "resnet18 64x32x32"
    std::string op;
    std::vector<Shape> inputs;
    Attributes attributes = {};
    std::vector<bool> isMap = {}; ///< per input: lies channels-last
    DType integers = DType::i64;
    std::int64_t integersBelow = 10;
};

[[nodiscard]] std::vector<Row> rows();

} // namespace weft::bench
