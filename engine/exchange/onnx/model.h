// SPDX-License-Identifier: Apache-2.0
#pragma once
// An ONNX model as plain values, read from a file without trust: every value is written before it
// is read and has one writer, so that there are no cycles.

#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft::onnx {

/// Element types by ONNX's numbers.
enum class Element : std::int32_t {
    none = 0,
    f32 = 1,
    u8 = 2,
    i8 = 3,
    u16 = 4,
    i16 = 5,
    i32 = 6,
    i64 = 7,
    text = 8,
    boolean = 9,
    f16 = 10,
    f64 = 11,
    u32 = 12,
    u64 = 13,
    bf16 = 16
};
[[nodiscard]] std::string nameOf(Element element);
[[nodiscard]] bool isFloating(Element element);
/// Returns the bytes of an element in the file; 0 for text and types that a Tensor cannot hold.
[[nodiscard]] std::size_t elementBytes(Element element);
[[nodiscard]] inline bool holdsNumbers(Element element) { return elementBytes(element) > 0; }

/// A constant. Floating elements become f32, all others i64.
struct Tensor {
    Element element = Element::none; ///< the type in the file
    Shape shape;
    std::vector<float> reals;         ///< elements of floating types; else empty
    std::vector<std::int64_t> wholes; ///< elements of all other types; else empty

    [[nodiscard]] bool isReal() const { return isFloating(element); }
    [[nodiscard]] std::size_t size() const { return isReal() ? reals.size() : wholes.size(); }
    [[nodiscard]] double real(std::size_t k) const {
        return isReal() ? static_cast<double>(reals[k]) : static_cast<double>(wholes[k]);
    }
    bool operator==(const Tensor&) const = default;
};
using TensorPointer = std::shared_ptr<const Tensor>;

struct Attribute {
    enum class ValueType : std::uint8_t { real, whole, text, reals, wholes, tensor, other };

    std::string name;
    ValueType type = ValueType::other; ///< the one of the following members that is set
    double real = 0;
    std::int64_t whole = 0; ///< integer
    std::string text = {};
    std::vector<double> reals = {};
    std::vector<std::int64_t> wholes = {}; ///< integers
    TensorPointer tensor = {};
};

struct Node {
    std::string name;
    std::string op;     ///< operator, "Conv"
    std::string domain; ///< empty: ONNX's own operators
    std::vector<std::string> inputs;
    std::vector<std::string> outputs; ///< an empty name: not computed
    std::vector<Attribute> attributes;

    /// "node /conv1/Conv (Conv)"; a node without a name is named after its first output.
    [[nodiscard]] std::string label() const;
    [[nodiscard]] const std::string& input(std::size_t k) const; ///< empty: not given
};

struct Dim {
    std::int64_t size = -1; ///< -1: open
    std::string name = {};  ///< symbolic name, "batch"; empty: none
};

/// An input or output of the model.
struct ModelPort {
    std::string name;
    Element element = Element::none;
    std::optional<std::vector<Dim>> dims = {}; ///< none: not even their number is known
    bool isTensor = true;
};

struct Model {
    std::filesystem::path file;
    std::string name;
    std::string producer; ///< program that exported the model
    std::int64_t opset = 0;
    std::vector<Node> nodes;
    std::map<std::string, TensorPointer, std::less<>> constants;
    std::vector<ModelPort> inputs; ///< without initializers
    std::vector<ModelPort> outputs;
    std::vector<std::string> remarks;            ///< fields that are not read, types that change
    std::map<std::string, std::string> metadata; ///< the metadata_props of the model
};

inline constexpr std::int64_t oldestOpset = 6;
inline constexpr std::int64_t newestOpset = 28;
/// Largest number of nodes of a file, and of constants.
inline constexpr std::size_t mostNodes = 200'000;
/// Largest number of dims of a tensor.
inline constexpr std::size_t mostDims = 64;

/// Reads a file. Throws Error{format} with the file, and the node or tensor, if it is damaged or
/// needs a file outside its folder.
[[nodiscard]] Model readModel(const std::filesystem::path& file);
/// Reads a file that holds one tensor, such as ONNX's test data.
[[nodiscard]] Tensor readTensor(const std::filesystem::path& file);

} // namespace weft::onnx
