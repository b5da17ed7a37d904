// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an op must declare: shape rule, gradient made of ops, one placement string, cost, in-place
// pairs, samples. The instances are in ops/, one file each; the list is const after start. Nothing
// here knows a device.

#include "graph/graph.h"
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

enum class Operand : std::uint8_t {
    floating, ///< all of an op's are of one type
    integer,
    number, ///< one floating number of whatever width: a learning rate is f32 also for f64 weights
    any
};

struct OpInput {
    std::string name;
    Operand type = Operand::floating;
};

/// Input `input` may share its buffer with output `output`: the kernel reads each element before it
/// writes it.
struct InPlace {
    std::size_t input = 0;
    std::size_t output = 0;
};

/// A case the contract suites run: input shapes and attributes. Integer inputs are drawn below
/// `integersBelow`.
struct Sample {
    std::vector<Shape> inputs;
    Attributes attributes = {};
    std::int64_t integersBelow = 4;
    bool positive = false; ///< floating inputs drawn from (0.1, 2): for logarithms and divisors
    std::vector<DType> dtypes = {}; ///< of integer operands, where not i64
    /// Where operands must agree with each other (positions of a maximum, saved statistics):
    /// `inputs` are the shapes to draw (floating but where `dtypes` says an integer type, by
    /// position), and this makes the op's operands of them with other ops.
    std::function<std::vector<ValueId>(Builder&, const std::vector<ValueId>&)> operands = {};
};

/// Geometry of a window letter (`y:ky`): position = y * stride - padBefore + k * dilation.
struct Window {
    std::string letter;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t padBefore = 0;
    std::int64_t dilation = 1;
};

/// A gradient that jumps: which of several pieces an element of a value lies in decides what flows
/// back. Where two pieces nearly tie, devices that add in another order may choose differently, and
/// both are right (run/choices.h).
struct GradientChoice {
    /// Gives the number of the piece in which a number of the value lies.
    using PieceOf = std::function<int(double number)>;

    bool isOperand = false; ///< the value is an operand, else a result
    std::size_t index = 0;  ///< of the operand or result that the gradient reads
    /// Makes that function for these attributes; pieces are numbered from left to right, and those
    /// of a result are those of operand 0 too. Empty: the value holds positions of the largest
    /// elements of operand 0.
    std::function<PieceOf(const Attributes& attributes)> pieces = {};

    /// Index in a map of operand 0 (its last two dims) of the element that a position names;
    /// `window` counts the positions of a map. Negative: it lies outside of the map.
    using ElementOf = std::function<std::int64_t(std::int64_t window, std::int64_t position)>;
    /// Makes that function for the shapes of operand 0 and of the positions.
    std::function<ElementOf(const Attributes& attributes, const Shape& x, const Shape& positions)>
        elements = {};
};

struct Op {
    std::string name;
    std::vector<OpInput> inputs;
    std::vector<std::string> outputs;
    bool variadic = false; ///< the last input may be given any number of times (>= 1)
    std::vector<AttributeSpec> attributes = {};
    std::function<void(Inference&)> shape;
    /// Empty: no gradient flows through this op (metrics, gradients themselves, updates).
    std::function<void(Gradient&)> gradient = {};
    /// placements.md; `...` stands for all dims not named: alone it reads b, b o, b t o, b o y x by
    /// rank, before other dims it reads b, t, e2, e3. `placementOf` where the string depends on
    /// attributes or on the number of inputs.
    std::string placement = {};
    std::function<std::string(const Signature&)> placementOf = {};
    /// Sizes of letters that the operand shapes do not fix (groups of a convolution: {"g", 2}).
    std::function<std::map<std::string, std::int64_t>(const Signature&)> letterSizes = {};
    std::function<std::vector<Window>(const Signature&)> windows = {};
    /// Its meaning in smaller ops, used when a whole letter must be split.
    std::function<void(Expansion&)> expand = {};
    std::function<Flops(const Signature&)> cost;
    std::vector<InPlace> inPlace = {};
    std::vector<Sample> samples = {};
    bool random = false; ///< draws by origin, role, step and logical element
    bool bodied = false; ///< only `repeat`
    /// Rows that are right though the string does not give them, each with the reason: "P, P, R ->
    /// P: a parameter is never kept as a sum".
    std::vector<std::string> undeclaredRows = {};
    std::string onnx = {}; ///< its twin's name there
    /// Whatever its operands do, losses behind it do not move them.
    bool stopsGradient = false;
    std::optional<GradientChoice> choice = {}; ///< none: the gradient has no jumps
    /// Part of a layer whose elements of the batch are networks of their own. (Where it depends on
    /// the attribute `per_element`, that says it.)
    bool isOfDynamics = false;

    [[nodiscard]] std::string placementFor(const Signature& signature) const {
        return placementOf ? placementOf(signature) : placement;
    }
};

/// True if the batch elements of this node are separate networks, by their state or their weights,
/// so that no mean over them exists.
[[nodiscard]] bool keepsElementsApart(const Node& node);

/// Arithmetic of a node; for a repeat, of all iterations.
[[nodiscard]] Flops flopsOf(const Graph& graph, const Node& node);

/// The first operand that the op does not take, and a type that it would; none: all fit. A kernel
/// reads its operands as the op declares them, so one that does not fit is read past its end.
struct TypeFault {
    std::size_t input = 0;
    DType wanted = DType::f32;
};
[[nodiscard]] std::optional<TypeFault> typeFault(const Op& op, const std::vector<DType>& inputs);

/// All ops by name. Filled once by the generated list of ops/, then const.
class OpList {
public:
    void add(Op op);
    [[nodiscard]] const Op* find(std::string_view name) const;
    /// The op; ensures that it exists.
    [[nodiscard]] const Op& at(std::string_view name) const;
    [[nodiscard]] std::vector<const Op*> all() const;

private:
    std::vector<std::unique_ptr<const Op>> ops_;
    std::map<std::string, const Op*, std::less<>> byName_;
};

} // namespace weft
