// SPDX-License-Identifier: Apache-2.0
#pragma once
// A node whose inputs are constant, and the table of the operators that are computed at import.

#include "exchange/onnx/node_reader.h"
#include "exchange/onnx/strided.h"

#include <string_view>
#include <vector>

namespace weft::onnx {

/// Computes a node whose inputs are all constant.
class NodeFolding {
public:
    NodeFolding(const Node& node, std::int64_t opset, const std::vector<TensorPointer>& inputs)
        : node_(node), attributes_(node), opset_(opset), inputs_(inputs) {}

    [[nodiscard]] const Node& node() const { return node_; }
    AttributeReader& attributes() { return attributes_; }
    [[nodiscard]] std::int64_t opset() const { return opset_; }
    [[nodiscard]] std::size_t inputCount() const { return inputs_.size(); }
    [[nodiscard]] bool hasInput(std::size_t k) const {
        return k < inputs_.size() && inputs_[k] != nullptr;
    }
    [[nodiscard]] const Tensor& input(std::size_t k) const {
        if (!hasInput(k)) {
            throw Refusal("its input " + std::to_string(k) + " is missing");
        }
        if (!holdsNumbers(inputs_[k]->element)) {
            throw Refusal("it computes with text, or with numbers of few bits");
        }
        return *inputs_[k];
    }
    [[nodiscard]] Shape integers(std::size_t k) const {
        if (input(k).isReal()) {
            throw Refusal("its input " + std::to_string(k) + " is not made of whole numbers");
        }
        return input(k).wholes;
    }
    [[nodiscard]] std::int64_t integer(std::size_t k) const {
        const Shape values = integers(k);
        if (values.size() != 1) {
            throw Refusal("its input " + std::to_string(k) + " is not one number");
        }
        return values.front();
    }
    /// Reads a list that is an attribute before `since`, and an input from then on.
    [[nodiscard]] Shape integersOf(std::string_view name, std::size_t k, std::int64_t since) {
        if (opset_ < since) {
            return attributes_.wholes(name);
        }
        return hasInput(k) ? integers(k) : Shape{};
    }

private:
    const Node& node_;
    AttributeReader attributes_;
    std::int64_t opset_;
    const std::vector<TensorPointer>& inputs_;
};

struct FoldRow {
    std::string_view op; ///< "Reshape"
    Tensor (*fold)(NodeFolding&);
};

/// Operators that compute element by element, and sums over dims.
[[nodiscard]] std::vector<FoldRow> elementFoldRows();
/// Operators that make constants and move elements.
[[nodiscard]] std::vector<FoldRow> shapeFoldRows();

} // namespace weft::onnx
