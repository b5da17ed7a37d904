// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an op must declare: help, shape rule, gradient as ops, placement string, cost, in-place
// pairs, samples. Each op is declared in a file of ops/; the list is const after start. Nothing
// here knows devices.

#include "graph/graph.h"
#include "graph/in_place.h"
#include "graph/signature.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

class Builder;
class Gradient;
class Expansion;

enum class OperandType : std::uint8_t {
    floating, ///< all floating operands of an op have the same type
    integer,  ///< any width
    number,   ///< one floating-point number of any width: the learning rate is f32 even for f64
              ///< weights
    any
};

struct OpInput {
    std::string name;
    OperandType type = OperandType::floating;
};

/// A test case of the contract suites: input shapes and attributes. Integer inputs are drawn below
/// `integersBelow`.
struct Sample {
    std::vector<Shape> inputs; ///< shapes of the operands, or of what `operands` reads
    Attributes attributes = {};
    std::int64_t integersBelow = 4; ///< integer inputs are drawn from 0 to this - 1
    bool positive = false; ///< floating inputs are drawn from (0.1, 2): for logarithms and divisors
    std::vector<DType> dtypes = {}; ///< types of integer operands other than i64
    /// For operands that depend on each other (positions of a maximum, saved statistics): computes
    /// the op's operands from tensors drawn with the shapes `inputs`. These are floating unless
    /// `dtypes` gives an integer type at their position.
    std::function<std::vector<ValueId>(Builder&, const std::vector<ValueId>&)> operands = {};
};

/// Geometry of a window letter (`y:ky`): position = y * stride - padBefore + k * dilation.
struct Window {
    std::string letter;      ///< the y of `y:ky` in the placement string
    std::int64_t kernel = 1; ///< length of the window
    std::int64_t stride = 1;
    std::int64_t padBefore = 0;
    std::int64_t dilation = 1;
};

/// A gradient that jumps: it depends on which of several pieces an element of a value lies in. At
/// near ties, devices that sum in another order may choose another piece, and both are right
/// (run/prove/choices.h). With neither `pieces` nor `elements` the choice is hidden: it depends on
/// two operands, or on elements along a dim, so that no single number decides it.
struct PiecewiseGradient {
    using PieceOf = std::function<int(double number)>; ///< index of the piece that holds the number

    bool isOperand = false; ///< the value is an operand, else a result
    std::size_t index = 0;  ///< index of the operand or result that the gradient reads
    /// Makes that function from the attributes. Pieces are numbered in ascending order; a result
    /// has the same pieces as operand 0. Empty if the value holds positions of the largest elements
    /// of operand 0.
    std::function<PieceOf(const Attributes& attributes)> pieces = {};

    /// Returns the index in a map (the last two dims) of operand 0 of the element at `position` of
    /// a window, or a negative number outside the map. `window` is the index in a map of positions.
    using ElementOf = std::function<std::int64_t(std::int64_t window, std::int64_t position)>;
    /// Makes that function from the attributes and the shapes of operand 0 and of the positions.
    std::function<ElementOf(const Attributes& attributes, const Shape& x, const Shape& positions)>
        elements = {};

    [[nodiscard]] bool isHidden() const { return !pieces && !elements; }
};

struct Op {
    std::string name;
    std::string help = {}; ///< one sentence: what the op computes
    std::vector<OpInput> inputs = {};
    std::vector<std::string> outputs = {};
    bool variadic = false; ///< the last input may occur any number of times (>= 1)
    std::vector<AttributeSpec> attributes = {};
    std::function<void(ShapeInference&)> shape;   ///< shape rule
    std::function<void(Gradient&)> gradient = {}; ///< empty: no gradient flows through the op
    /// The placement string; engine/README.md explains it. `...` stands for all dims that are not
    /// named: alone it means b, b o, b t o, b o y x by rank; before other dims it means b, t, e2,
    /// e3. Use `placementOf` if the string depends on attributes or the number of inputs.
    std::string placement = {}; ///< "b i, o i -> b o": the dims that may be split
    std::function<std::string(const Signature&)> placementOf = {}; ///< instead of `placement`
    /// Sizes of letters that the operand shapes do not determine (groups of a convolution: {"g",
    /// 2}).
    std::function<std::map<std::string, std::int64_t>(const Signature&)> letterSizes = {};
    std::function<std::vector<Window>(const Signature&)> windows = {}; ///< one per window letter
    std::function<void(Expansion&)> expand = {}; ///< into smaller ops, to split a further letter
    std::function<Flops(const Signature&)> cost; ///< operations of one call
    std::vector<InPlacePair> inPlace = {};       ///< results that may use an operand's buffer
    std::vector<Sample> samples = {};            ///< test cases
    bool random = false; ///< draws depend on origin, role, step and logical element
    bool bodied = false; ///< has a body graph: only `repeat`
    /// Correct rows that the placement string does not give, each with the reason: "P, P, R -> P: a
    /// parameter is never stored as Partial".
    std::vector<std::string> undeclaredRows = {}; ///< placements that are correct and not offered
    std::string onnx = {};                        ///< name of the equivalent ONNX operator
    bool stopsGradient = false;                   ///< no gradient flows to the operands
    std::optional<PiecewiseGradient> choice = {}; ///< none: the gradient has no jumps
    bool isOfDynamics = false; ///< batch elements are separate networks (or as `per_element` says)

    [[nodiscard]] std::string placementFor(const Signature& signature) const {
        return placementOf ? placementOf(signature) : placement;
    }
};

/// True if the batch elements of this node are separate networks, by their state or their weights,
/// so that no mean over them exists.
[[nodiscard]] bool hasNetworkPerElement(const Node& node);

/// Returns the operations of a node; for a repeat, of all iterations.
[[nodiscard]] Flops flopsOf(const Graph& graph, const Node& node);

/// The first operand with a type that the op does not accept, and an accepted type. Kernels rely on
/// declared types: with a wrong type they would read beyond the operand's end.
struct TypeFault {
    std::size_t input = 0;     ///< index of the operand
    DType wanted = DType::f32; ///< an accepted type
};
[[nodiscard]] std::optional<TypeFault> typeFault(const Op& op, const std::vector<DType>& inputs);

/// All ops by name. Filled once by the generated list of ops/, then const.
class OpList {
public:
    void add(Op op);
    [[nodiscard]] const Op* find(std::string_view name) const;
    /// Returns the op, which must exist.
    [[nodiscard]] const Op& at(std::string_view name) const;
    [[nodiscard]] std::vector<const Op*> all() const;

private:
    std::vector<std::unique_ptr<const Op>> ops_;
    std::map<std::string, const Op*, std::less<>> byName_;
};

} // namespace weft
