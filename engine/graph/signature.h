// SPDX-License-Identifier: Apache-2.0
#pragma once
// The input of an op's shape rule, cost rule and placement string: attributes, shapes and element
// types. No device, no placement, no numbers.

#include <weft/attributes.h>
#include <weft/types.h>

#include <string>
#include <vector>

namespace weft {

struct TensorType {
    DType dtype = DType::f32;
    Shape shape = {};
    [[nodiscard]] std::int64_t elements() const { return elementsOf(shape); }
    [[nodiscard]] Bytes bytes() const {
        return {elements() * static_cast<std::int64_t>(byteSize(dtype))};
    }
    bool operator==(const TensorType&) const = default;
};

struct Signature {
    Attributes attributes;
    std::vector<TensorType> inputs;
    std::vector<TensorType> outputs;
};

/// The interface of a shape rule. The rule reads inputs and writes outputs (sized to the op's,
/// dtype preset to that of the first floating input), or says in one sentence for the user why the
/// inputs do not fit.
class ShapeInference {
public:
    explicit ShapeInference(Signature& signature) : signature_(signature) {}

    [[nodiscard]] std::size_t inputs() const { return signature_.inputs.size(); }
    [[nodiscard]] std::size_t outputs() const { return signature_.outputs.size(); }
    [[nodiscard]] const TensorType& input(std::size_t k) const { return signature_.inputs[k]; }
    [[nodiscard]] const Shape& shape(std::size_t k) const { return signature_.inputs[k].shape; }
    [[nodiscard]] TensorType& output(std::size_t k) { return signature_.outputs[k]; }
    [[nodiscard]] const Attributes& attributes() const { return signature_.attributes; }

    /// Keeps only the first refusal. `insert` may name a layer kind to insert before input `input`:
    /// "flatten".
    void refuse(std::string reason, std::size_t input = 0, std::string insert = {});
    [[nodiscard]] bool isRefused() const { return !reason_.empty(); }
    [[nodiscard]] const std::string& reason() const { return reason_; } ///< empty: not refused
    [[nodiscard]] std::size_t refusedInput() const { return refusedInput_; }
    [[nodiscard]] const std::string& layerToInsert() const { return layerToInsert_; }

private:
    Signature& signature_;
    std::string reason_;
    std::string layerToInsert_;
    std::size_t refusedInput_ = 0;
};

} // namespace weft
