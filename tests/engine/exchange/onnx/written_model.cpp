// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/onnx/written_model.h"

#include "data/arrays/npy.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>
#include <span>

namespace weft::test {

WrittenModel::WrittenModel(std::int64_t opset) {
    model_.set_ir_version(8);
    model_.add_opset_import()->set_version(opset);
    model_.mutable_graph()->set_name("graph");
}

void WrittenModel::input(const std::string& name, const Shape& dims, int element) {
    onnx::wire::ValueInfo& info = *graph().add_input();
    info.set_name(name);
    onnx::wire::TensorType& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(element);
    for (const std::int64_t dim : dims) {
        onnx::wire::Dim& made = *type.mutable_shape()->add_dim();
        dim == 0 ? made.set_dim_param("N") : made.set_dim_value(dim);
    }
}

void WrittenModel::output(const std::string& name) { graph().add_output()->set_name(name); }

void WrittenModel::reals(const std::string& name, const Shape& dims, std::vector<float> numbers) {
    onnx::wire::Tensor& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(1);
    std::ranges::for_each(dims, [&](std::int64_t dim) { tensor.add_dims(dim); });
    if (numbers.empty()) {
        const std::int64_t count =
            std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
        numbers = someNumbers(static_cast<std::size_t>(count), name.size());
    }
    tensor.set_raw_data(numbers.data(), numbers.size() * sizeof(float));
}

void WrittenModel::wholes(const std::string& name, const Shape& numbers) {
    onnx::wire::Tensor& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(7);
    tensor.add_dims(static_cast<std::int64_t>(numbers.size()));
    std::ranges::for_each(numbers, [&](std::int64_t x) { tensor.add_int64_data(x); });
}

onnx::wire::Node& WrittenModel::node(const std::string& op, const std::vector<std::string>& inputs,
                                     const std::string& output) {
    onnx::wire::Node& made = *graph().add_node();
    made.set_op_type(op);
    made.set_name("/" + output + "/" + op);
    std::ranges::for_each(inputs, [&](const std::string& input) { made.add_input(input); });
    made.add_output(output);
    return made;
}

void WrittenModel::set(onnx::wire::Node& node, const std::string& name, std::int64_t value) {
    onnx::wire::Attribute& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(2);
    attribute.set_i(value);
}

void WrittenModel::set(onnx::wire::Node& node, const std::string& name, const Shape& values) {
    onnx::wire::Attribute& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(7);
    std::ranges::for_each(values, [&](std::int64_t x) { attribute.add_ints(x); });
}

void WrittenModel::set(onnx::wire::Node& node, const std::string& name, const std::string& text) {
    onnx::wire::Attribute& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(3);
    attribute.set_s(text);
}

void WrittenModel::save(const std::filesystem::path& file) const {
    std::ofstream(file, std::ios::binary) << bytes();
}

std::vector<float> someNumbers(std::size_t count, std::size_t first) {
    std::vector<float> numbers(count);
    for (std::size_t k = 0; k < count; ++k) {
        numbers[k] = static_cast<float>((k + first) * 37 % 101) / 100.0F - 0.5F;
    }
    return numbers;
}

InferenceResult apply(const Import& import, const std::filesystem::path& folder,
                      const std::vector<GivenInput>& inputs) {
    std::filesystem::remove_all(folder / "imported");
    (void)writeImport(import, folder / "imported");
    InferenceRequest request{.design = import.design,
                             .folder = folder,
                             .weights = folder / "imported" / "weights.safetensors",
                             .backend = "reference"};
    for (const GivenInput& input : inputs) {
        const std::filesystem::path file = folder / ("input_" + input.layer + ".npy");
        if (input.wholes.empty()) {
            writeNpy(file, DType::f32, input.shape, std::as_bytes(std::span(input.reals)));
        } else {
            writeNpy(file, DType::i64, input.shape, std::as_bytes(std::span(input.wholes)));
        }
        request.inputs.push_back({.layer = input.layer, .file = file});
    }
    return infer(request);
}

std::string textOf(const Import& import, ImportOutcome outcome) {
    std::string text;
    for (const ImportLine& line : import.linesWith(outcome)) {
        text += toString(line) + "\n";
    }
    return text;
}

} // namespace weft::test
