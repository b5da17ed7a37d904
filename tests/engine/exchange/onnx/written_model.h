// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes small ONNX models, and applies imported ones.

#include <weft/import.h>
#include <weft/infer.h>

#include <model.pb.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft::test {

class WrittenModel {
public:
    explicit WrittenModel(std::int64_t opset = 17);

    /// Adds an input; a dim of 0 is the open batch "N".
    void input(const std::string& name, const Shape& dims, int element = 1);
    void output(const std::string& name);
    /// Adds a constant of these numbers, or of small numbers that differ.
    void reals(const std::string& name, const Shape& dims, std::vector<float> numbers = {});
    void wholes(const std::string& name, const Shape& numbers);
    onnx::wire::Node& node(const std::string& op, const std::vector<std::string>& inputs,
                           const std::string& output);
    static void set(onnx::wire::Node& node, const std::string& name, std::int64_t value);
    static void set(onnx::wire::Node& node, const std::string& name, const Shape& values);
    static void set(onnx::wire::Node& node, const std::string& name, const std::string& text);

    [[nodiscard]] onnx::wire::Model& model() { return model_; }
    [[nodiscard]] onnx::wire::Graph& graph() { return *model_.mutable_graph(); }
    [[nodiscard]] std::string bytes() const { return model_.SerializeAsString(); }
    void save(const std::filesystem::path& file) const;

private:
    onnx::wire::Model model_;
};

/// Numbers around 0 that differ from place to place.
[[nodiscard]] std::vector<float> someNumbers(std::size_t count, std::size_t first = 0);

/// One input of an imported design.
struct GivenInput {
    std::string layer;
    Shape shape;
    std::vector<float> reals = {};
    std::vector<std::int64_t> wholes = {};
};

/// Writes the import to a new folder below `folder` and applies it with the reference backend.
[[nodiscard]] InferenceResult apply(const Import& import, const std::filesystem::path& folder,
                                    const std::vector<GivenInput>& inputs);

/// "converted: node ...", a line each.
[[nodiscard]] std::string textOf(const Import& import, ImportOutcome outcome);

} // namespace weft::test
