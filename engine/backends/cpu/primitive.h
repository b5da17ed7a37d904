// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions and products as oneDNN computes them, without oneDNN in sight. An operand lies as
// its owner keeps it; where the library is faster with another layout, the primitive converts on
// the way, in scratch that is booked with its own. Chosen first, made later: only what is made has
// code compiled for it.

#include "device/epilogue.h"
#include "device/format.h"
#include <weft/types.h>

#include <tl/expected.hpp>

#include <memory>
#include <span>
#include <string>

namespace weft::cpu {

enum class ConvolutionPass : std::uint8_t { forward, inputGradient, weightsGradient };

/// y = x * w, x [b, g i, h, w], w [g o, i, kh, kw], y [b, g o, h', w']. Spatial numbers are
/// [rows, columns].
struct Convolution {
    ConvolutionPass pass = ConvolutionPass::forward;
    Shape x, w, y;
    Format xFormat, wFormat, yFormat; ///< as their owners keep them
    Format mapFormat;                 ///< of x and y while computing, where not Winograd's
    bool isWinograd = false; ///< by F(4x4, 3x3), in whatever layout the library wants for it
    Shape stride, dilation, padBefore, padAfter;
    std::int64_t groups = 1;
    Epilogue epilogue = {}; ///< of the forward pass; its addend lies as y does
};

/// c[m, n] = a[m, k] b[k, n], each with its steps in elements; `batch` of them where given, at
/// distances of `steps[0]`.
struct Product {
    std::int64_t batch = 0; ///< 0: one product, operands have two dims
    std::int64_t m = 0, n = 0, k = 0;
    Shape aSteps, bSteps, cSteps;
    Epilogue epilogue = {}; ///< the bias has n numbers
};

/// Made on the thread that runs it; one call at a time.
class Primitive {
public:
    struct State;
    explicit Primitive(std::unique_ptr<State> state);
    Primitive(Primitive&&) noexcept;
    Primitive& operator=(Primitive&&) noexcept;
    ~Primitive();

    /// Inputs in the order of the formula (a gradient's own first: dy, w; x, dy), then those of the
    /// epilogue.
    void run(std::span<const void* const> inputs, void* output, void* scratch);

private:
    std::unique_ptr<State> state_;
};

/// What the library would compute it with. Copies share what they know.
class PrimitiveChoice {
public:
    struct State;
    explicit PrimitiveChoice(std::shared_ptr<const State> state);

    [[nodiscard]] const std::string& implementation() const;
    [[nodiscard]] Bytes scratch() const;
    /// The layout in which it computes an operand that it converts (the output is the third); plain
    /// where that has no name or nothing is converted.
    [[nodiscard]] const Format& preferred(std::size_t operand) const;
    [[nodiscard]] Primitive make() const;

private:
    std::shared_ptr<const State> state_;
};

using PrimitiveOrReason = tl::expected<PrimitiveChoice, std::string>;

/// For a team of `cores`. The reason names what the library lacks.
[[nodiscard]] PrimitiveOrReason chooseConvolution(const Convolution& convolution, int cores);
[[nodiscard]] PrimitiveOrReason chooseProduct(const Product& product, int cores);

} // namespace weft::cpu
