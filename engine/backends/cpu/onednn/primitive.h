// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions and products by oneDNN, without oneDNN's types. Operands keep their formats; if the
// library is faster in another layout, the primitive reorders them in its scratch. A choice
// compiles nothing; only `make` generates code.

#include "device/epilogue.h"
#include "device/format.h"
#include <weft/types.h>

#include <tl/expected.hpp>

#include <memory>
#include <span>
#include <string>

namespace weft::cpu {

enum class ConvolutionPass : std::uint8_t { forward, inputGradient, weightsGradient };

/// y = x * w with x [b, g i, h, w], w [g o, i, kh, kw], y [b, g o, h', w']. Spatial numbers are
/// [rows, columns].
struct Convolution {
    ConvolutionPass pass = ConvolutionPass::forward;
    Shape x, w, y;                    ///< shapes of input, filters and output
    Format xFormat, wFormat, yFormat; ///< formats of the operands in memory
    Format mapFormat;                 ///< format of x and y in the computation, except for Winograd
    bool isWinograd = false;          ///< F(4x4, 3x3), in the layout that the library prefers
    Shape stride, dilation, padBefore, padAfter; ///< [rows, columns] each
    std::int64_t groups = 1;
    Epilogue epilogue = {}; ///< fused into the forward pass; the addend has the format of y
};

/// c[m, n] = a[m, k] b[k, n], with strides in elements; optionally a batch of products with stride
/// `steps[0]`.
struct Product {
    std::int64_t batch = 0; ///< 0: one product of operands with two dims
    std::int64_t m = 0, n = 0, k = 0;
    Shape aSteps, bSteps, cSteps; ///< strides in elements: [batch,] row, column
    Epilogue epilogue = {};       ///< the bias has n numbers
};

/// Made on the thread that runs it; one call at a time.
class Primitive {
public:
    struct State;
    explicit Primitive(std::unique_ptr<State> state);
    Primitive(Primitive&&) noexcept;
    Primitive& operator=(Primitive&&) noexcept;
    ~Primitive();

    /// Inputs in the order of the formula (gradients: dy, w or x, dy), then those of the epilogue.
    void run(std::span<const void* const> inputs, void* output, void* scratch);

private:
    std::unique_ptr<State> state_;
};

/// The library's implementation of a request. Copies share their state.
class PrimitiveChoice {
public:
    struct State;
    explicit PrimitiveChoice(std::shared_ptr<const State> state);

    [[nodiscard]] const std::string& implementation() const; ///< oneDNN's name of it
    [[nodiscard]] Bytes scratch() const;
    /// Format in which an operand is computed if it is converted (the output is the third); plain
    /// if the layout has no name or nothing is converted.
    [[nodiscard]] const Format& preferred(std::size_t operand) const;
    [[nodiscard]] Primitive make() const;

private:
    std::shared_ptr<const State> state_;
};

using PrimitiveOrReason = tl::expected<PrimitiveChoice, std::string>;

/// Choose for a team of `cores`. The reason of a refusal names what the library lacks.
[[nodiscard]] PrimitiveOrReason chooseConvolution(const Convolution& convolution, int cores);
[[nodiscard]] PrimitiveOrReason chooseProduct(const Product& product, int cores);

} // namespace weft::cpu
