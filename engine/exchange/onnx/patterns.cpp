// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/patterns.h"

#include "exchange/onnx/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <unordered_map>

namespace weft::onnx {

namespace {

class Recogniser {
public:
    explicit Recogniser(Model& model) : model_(model), isGone_(model.nodes.size(), false) {
        for (std::size_t k = 0; k < model.nodes.size(); ++k) {
            for (const std::string& output : model.nodes[k].outputs) {
                writers_[output] = k;
            }
            for (const std::string& input : model.nodes[k].inputs) {
                readers_[input].push_back(k);
            }
        }
        for (const ModelPort& port : model.outputs) {
            outputs_.insert(port.name);
        }
    }

    std::vector<ImportLine> run() {
        for (std::size_t k = 0; k < model_.nodes.size(); ++k) {
            if (isGone_[k] || !model_.nodes[k].domain.empty()) {
                continue;
            }
            const std::string& op = model_.nodes[k].op;
            if (op == "Erf") {
                findGelu(k);
            } else if (op == "Sqrt") {
                findLayerNorm(k);
            } else if (op == "MatMul" || op == "Gemm" || op == "Conv") {
                findBias(k);
            } else if (op == "Sigmoid") {
                findSilu(k);
            }
        }
        std::vector<Node> kept;
        for (std::size_t k = 0; k < model_.nodes.size(); ++k) {
            if (!isGone_[k]) {
                kept.push_back(std::move(model_.nodes[k]));
            }
        }
        model_.nodes = std::move(kept);
        return std::move(lines_);
    }

private:
    using Found = std::optional<std::size_t>;

    [[nodiscard]] const Node& node(std::size_t k) const { return model_.nodes[k]; }

    /// Returns the node that computes the value, if it is one of these operators.
    [[nodiscard]] Found writer(const std::string& value, std::string_view op) const {
        const auto found = writers_.find(value);
        const bool fits = found != writers_.end() && !isGone_[found->second] &&
                          node(found->second).domain.empty() && node(found->second).op == op;
        return fits ? Found(found->second) : std::nullopt;
    }
    /// Returns the only node that reads the first output of node k, if it has this operator and the
    /// value is no output of the model.
    [[nodiscard]] Found next(std::size_t k, std::string_view op) const {
        if (node(k).outputs.empty() || !isReadOnlyBy(node(k).outputs.front(), 1)) {
            return {};
        }
        const std::size_t reader = readers_.at(node(k).outputs.front()).front();
        const bool fits = !isGone_[reader] && node(reader).domain.empty() && node(reader).op == op;
        return fits ? Found(reader) : std::nullopt;
    }
    [[nodiscard]] bool isReadOnlyBy(const std::string& value, std::size_t readers) const {
        const auto found = readers_.find(value);
        return found != readers_.end() && found->second.size() == readers &&
               !outputs_.contains(value);
    }
    [[nodiscard]] TensorPointer constant(const std::string& value) const {
        const auto found = model_.constants.find(value);
        return found == model_.constants.end() ? nullptr : found->second;
    }
    [[nodiscard]] bool isNumber(const std::string& value, double number) const {
        const TensorPointer tensor = constant(value);
        return tensor != nullptr && tensor->size() == 1 &&
               std::abs(tensor->real(0) - number) < 1e-3 * std::abs(number);
    }
    /// Returns the other operand of node k if it has two operands, one of which satisfies `fits`.
    template <class Fits>
    [[nodiscard]] std::optional<std::string> other(std::size_t k, Fits fits) const {
        const std::vector<std::string>& inputs = node(k).inputs;
        if (inputs.size() != 2) {
            return {};
        }
        if (fits(inputs[1])) {
            return inputs[0];
        }
        return fits(inputs[0]) ? std::optional(inputs[1]) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> otherThanNumber(std::size_t k, double number) const {
        return other(k, [&](const std::string& value) { return isNumber(value, number); });
    }

    /// Replaces node `last` by `made`, and removes the nodes of `parts`, which `made` includes.
    void replace(std::size_t last, const std::vector<std::size_t>& parts, Node made) {
        if (made.name.empty()) {
            made.name = node(last).name;
        }
        made.domain = recognisedDomain;
        made.outputs = node(last).outputs;
        const std::string whole = made.label();
        for (const std::size_t part : parts) {
            lines_.push_back({ImportOutcome::recognised, node(part).label(), "part of " + whole});
            isGone_[part] = true;
        }
        if (made.op != node(last).op) {
            lines_.push_back({ImportOutcome::recognised, node(last).label(), "part of " + whole});
        }
        model_.nodes[last] = std::move(made);
    }

    /// Replaces GELU: x / sqrt(2) or x * sqrt(1 / 2), erf, + 1, and the product with x and 1 / 2 in
    /// any order.
    void findGelu(std::size_t erf) {
        const Found divide = writer(node(erf).input(0), "Div");
        const Found scale = divide ? divide : writer(node(erf).input(0), "Mul");
        const Found add = next(erf, "Add");
        const Found multiply = add ? next(*add, "Mul") : std::nullopt;
        if (!scale || !multiply || !isReadOnlyBy(node(erf).input(0), 1) ||
            !otherThanNumber(*add, 1)) {
            return;
        }
        const std::optional<std::string> x = !divide
                                                 ? otherThanNumber(*scale, 1 / std::numbers::sqrt2)
                                             : isNumber(node(*scale).input(1), std::numbers::sqrt2)
                                                 ? std::optional(node(*scale).input(0))
                                                 : std::nullopt;
        const std::optional<std::string> factor = other(
            *multiply, [&](const std::string& value) { return value == node(*add).outputs[0]; });
        if (!x || !factor) {
            return;
        }
        const Node gelu{.op = "Gelu", .inputs = {*x}};
        if (const Found half = writer(*factor, "Mul")) {
            if (otherThanNumber(*half, 0.5) == x && isReadOnlyBy(*factor, 1)) {
                replace(*multiply, {*scale, erf, *add, *half}, gelu);
                return;
            }
        }
        const Found last = next(*multiply, "Mul");
        if (!last) {
            return;
        }
        const std::optional<std::string> rest = other(
            *last, [&](const std::string& value) { return value == node(*multiply).outputs[0]; });
        if (rest &&
            ((*factor == *x && isNumber(*rest, 0.5)) || (*rest == *x && isNumber(*factor, 0.5)))) {
            replace(*last, {*scale, erf, *add, *multiply}, gelu);
        }
    }

    /// Returns the one axis of a mean that keeps its dims.
    [[nodiscard]] std::optional<std::int64_t> axisOfMean(std::size_t mean) const {
        Shape axes;
        for (const Attribute& attribute : node(mean).attributes) {
            if (attribute.name == "axes") {
                axes = attribute.wholes;
            } else if (attribute.name != "keepdims" || attribute.whole != 1) {
                return {};
            }
        }
        const TensorPointer input = constant(node(mean).input(1));
        if (input != nullptr && input->wholes.size() == 1) {
            axes = input->wholes;
        }
        return axes.size() == 1 ? std::optional(axes.front()) : std::nullopt;
    }

    /// Replaces layer normalization: d = x - mean(x), d / sqrt(mean(d^2) + epsilon), and a scale
    /// and a shift if they follow.
    void findLayerNorm(std::size_t root) {
        const Found add = writer(node(root).input(0), "Add");
        const std::optional<std::string> variance =
            add ? other(*add,
                        [&](const std::string& value) {
                            const TensorPointer tensor = constant(value);
                            return tensor != nullptr && tensor->size() == 1;
                        })
                : std::nullopt;
        const Found meanOfSquares = variance ? writer(*variance, "ReduceMean") : std::nullopt;
        if (!meanOfSquares || !isReadOnlyBy(node(root).input(0), 1) ||
            !isReadOnlyBy(*variance, 1)) {
            return;
        }
        const std::string& squares = node(*meanOfSquares).input(0);
        const Found power = writer(squares, "Pow");
        const Found square = power ? power : writer(squares, "Mul");
        if (!square || !isReadOnlyBy(squares, 1) ||
            !(power ? isNumber(node(*square).input(1), 2)
                    : node(*square).input(0) == node(*square).input(1))) {
            return;
        }
        const std::string& deviation = node(*square).input(0);
        const Found subtract = writer(deviation, "Sub");
        const Found divide = next(root, "Div");
        if (!subtract || !divide || node(*divide).input(1) != node(root).outputs[0]) {
            return;
        }
        const Found foundMean = writer(node(*subtract).input(1), "ReduceMean");
        if (!foundMean) {
            return;
        }
        const std::size_t mean = *foundMean;
        if (node(mean).input(0) != node(*subtract).input(0) || !axisOfMean(mean) ||
            axisOfMean(mean) != axisOfMean(*meanOfSquares)) {
            return;
        }
        std::vector<std::size_t> parts = {mean, *subtract, *square, *meanOfSquares, *add, root};
        const std::string& dividend = node(*divide).input(0);
        const std::size_t squareReads = power ? 1 : 2;
        if (dividend == deviation) {
            if (!isReadOnlyBy(deviation, squareReads + 1) ||
                !isReadOnlyBy(node(mean).outputs[0], 1)) {
                return;
            }
        } else {
            const Found again = writer(dividend, "Sub");
            if (!again || node(*again).inputs != node(*subtract).inputs ||
                !isReadOnlyBy(dividend, 1) || !isReadOnlyBy(deviation, squareReads) ||
                !isReadOnlyBy(node(mean).outputs[0], 2)) {
                return;
            }
            parts.push_back(*again);
        }
        finishLayerNorm(std::move(parts), *divide, *add, *axisOfMean(mean),
                        node(*subtract).input(0));
    }

    void finishLayerNorm(std::vector<std::size_t> parts, std::size_t last, std::size_t add,
                         std::int64_t axis, const std::string& x) {
        const TensorPointer epsilon = constant(node(add).input(0)) != nullptr
                                          ? constant(node(add).input(0))
                                          : constant(node(add).input(1));
        Node made{.op = "LayerNormalization", .inputs = {x}};
        made.attributes = {
            {.name = "axis", .type = Attribute::ValueType::whole, .whole = axis},
            {.name = "epsilon", .type = Attribute::ValueType::real, .real = epsilon->real(0)}};
        for (const char* op : {"Mul", "Add"}) {
            const Found after = next(last, op);
            const std::optional<std::string> rest =
                after ? other(*after,
                              [&](const std::string& value) {
                                  return value == node(last).outputs[0];
                              })
                      : std::nullopt;
            const TensorPointer tensor = rest ? constant(*rest) : nullptr;
            if (tensor == nullptr || tensor->shape.size() != 1) {
                break;
            }
            made.inputs.push_back(*rest);
            parts.push_back(last);
            last = *after;
        }
        replace(last, parts, std::move(made));
    }

    /// Makes a constant that is added after a product or a convolution the bias of that node.
    void findBias(std::size_t k) {
        const Found add = next(k, "Add");
        const TensorPointer weight = constant(node(k).input(1));
        if (!add || weight == nullptr || node(k).inputs.size() != 2) {
            return;
        }
        const std::optional<std::string> name =
            other(*add, [&](const std::string& value) { return value == node(k).outputs[0]; });
        const TensorPointer bias = name ? constant(*name) : nullptr;
        const bool isConvolution = node(k).op == "Conv";
        const std::size_t rank = weight->shape.size();
        if (bias == nullptr || !bias->isReal() || rank < 2 || (!isConvolution && rank != 2)) {
            return;
        }
        // Requires one number per output unit; the bias may have other dims only if their size
        // is 1.
        bool isTransposed = false;
        for (const Attribute& attribute : node(k).attributes) {
            isTransposed = isTransposed || (attribute.name == "transB" && attribute.whole != 0);
        }
        const std::int64_t units = weight->shape[isConvolution || isTransposed ? 0 : 1];
        const std::size_t behind = isConvolution ? rank - 2 : 0;
        const Shape& shape = bias->shape;
        if (shape.size() <= behind || static_cast<std::int64_t>(bias->size()) != units ||
            shape[shape.size() - 1 - behind] != units ||
            (!isConvolution && node(k).op == "MatMul" && shape.size() != 1) ||
            shape.size() > (isConvolution ? rank : 2)) {
            return;
        }
        // Several products may share this constant, so its reshaped copy is made once.
        const auto [row, isNew] = rows_.try_emplace(*name, *name + ":bias");
        if (isNew) {
            if (model_.constants.contains(row->second) || writers_.contains(row->second)) {
                rows_.erase(row);
                return;
            }
            model_.constants.emplace(row->second, floatTensor({units}, bias->reals));
        }
        Node made = node(k);
        made.inputs.push_back(row->second);
        // `beta` scales the bias; the node had no bias, so `beta` had no effect.
        std::erase_if(made.attributes, [](const Attribute& each) { return each.name == "beta"; });
        replace(*add, {k}, std::move(made));
    }

    /// Replaces x * sigmoid(x) by Swish.
    void findSilu(std::size_t sigmoid) {
        const Found multiply = next(sigmoid, "Mul");
        const std::optional<std::string> x =
            multiply
                ? other(*multiply,
                        [&](const std::string& value) { return value == node(sigmoid).outputs[0]; })
                : std::nullopt;
        if (x && *x == node(sigmoid).input(0)) {
            replace(*multiply, {sigmoid}, {.op = "Swish", .inputs = {*x}});
        }
    }

    Model& model_;
    std::vector<bool> isGone_;
    std::vector<ImportLine> lines_;
    std::unordered_map<std::string, std::size_t> writers_;
    std::unordered_map<std::string, std::vector<std::size_t>> readers_;
    std::set<std::string, std::less<>> outputs_;
    std::unordered_map<std::string, std::string>
        rows_; ///< name of a constant -> name of its copy with one dim
};

} // namespace

std::vector<ImportLine> recognisePatterns(Model& model) { return Recogniser(model).run(); }

} // namespace weft::onnx
