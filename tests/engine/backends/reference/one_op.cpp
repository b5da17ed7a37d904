// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/reference/one_op.h"

#include "graph/signature.h"
#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::test {

OneOp::OneOp() : ops_(allOps()) {}

std::vector<Tensor> OneOp::operator()(const std::string& name, const std::vector<Tensor>& inputs,
                                      const Attributes& attributes, const RunOptions& options) {
    const Op& op = ops_.at(name);
    Signature signature{completed(attributes, op.attributes), {}, {}};
    for (const Tensor& input : inputs) {
        signature.inputs.push_back({input.dtype, input.shape});
    }
    const auto floating = std::ranges::find_if(
        signature.inputs, [](const TensorType& type) { return isFloating(type.dtype); });
    const DType dtype = floating == signature.inputs.end() ? DType::f32 : floating->dtype;
    signature.outputs.assign(op.outputs.size(), {dtype, {}});
    ShapeInference inference(signature);
    op.shape(inference);
    ensure(!inference.isRefused(), "a test gives an op what it takes");
    return oracle_.run(name, signature.attributes, inputs, signature.outputs, options);
}

Tensor row(const std::vector<double>& numbers) {
    return {DType::f64, {static_cast<std::int64_t>(numbers.size())}, numbers};
}

Tensor number(double value) { return {DType::f64, {}, {value}}; }

Tensor ids(const std::vector<double>& numbers, DType dtype) {
    return {dtype, {static_cast<std::int64_t>(numbers.size())}, numbers};
}

Tensor step(std::int64_t value) { return {DType::i64, {}, {static_cast<double>(value)}}; }

double distance(const Tensor& found, const std::vector<double>& expected) {
    const std::vector<double> numbers = found.numbers();
    if (numbers.size() != expected.size()) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const double difference = std::abs(numbers[k] - expected[k]);
        largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                         : std::max(largest, difference);
    }
    return largest;
}

} // namespace weft::test
