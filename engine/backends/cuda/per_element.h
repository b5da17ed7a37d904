// SPDX-License-Identifier: Apache-2.0
#pragma once
// y[k] = f(x[k], ...) for each of n elements. A result may lie where an operand does. What is
// `Kept` is float or, of halves, Half (kept.h).

#include "backends/cuda/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

enum class Unary : std::uint8_t {
    clipFactor,
    copy,
    exp,
    gelu,
    log,
    reciprocalRoot,
    relu,
    scale,
    sigmoid,
    sign,
    square,
    tanh,
    value
};
/// `number` is the limit of clipFactor, the epsilon of reciprocalRoot, the factor of scale, what
/// value fills with.
template <class Kept>
void launchUnary(Unary function, float number, const Kept* x, Kept* y, std::int64_t n,
                 StreamHandle stream);

enum class Binary : std::uint8_t {
    add,
    divide,
    expMinus,
    geluGradient,
    multiply,
    reluGradient,
    second,
    sigmoidGradient,
    subtract,
    tanhGradient
};
template <class Kept>
void launchBinary(Binary function, const Kept* a, const Kept* b, Kept* y, std::int64_t n,
                  StreamHandle stream);

/// What becomes of y in a chain: f(y), f(y, x[k]), or with the operands turned f(x[k], y).
struct ChainFunction {
    float number = 0; ///< as launchUnary's
    bool isUnary = false;
    Unary alone = Unary::copy;
    Binary function = Binary::add;
    bool isTurned = false;
};
template <class Kept>
struct ChainStep {
    const Kept* x = nullptr;
    Kept* y = nullptr; ///< where others read it; none: nobody does
    ChainFunction f = {};
};
/// Steps that one launch takes, from first[k] on. A result may lie where an operand of its own step
/// or of one before does. Between steps y is an f32: what others read goes on as they read it, as
/// if the ops came one by one, what nobody reads is not rounded.
template <class Kept>
struct Chain {
    static constexpr std::size_t most = 12;
    const Kept* first = nullptr;
    std::array<ChainStep<Kept>, most> steps = {};
    int count = 0;
};
template <class Kept>
void launchChain(const Chain<Kept>& chain, std::int64_t n, StreamHandle stream);

/// Addresses of what one launch adds up.
template <class Kept>
struct Terms {
    static constexpr int most = 8;
    std::array<const Kept*, most> x = {};
    int count = 0;
};
/// y = the sum of up to Terms::most operands, from the first on.
template <class Kept>
void launchAddTerms(const Terms<Kept>& terms, Kept* y, std::int64_t n, StreamHandle stream);

/// Where an operand that is smaller has the number for element e of the result: at
/// e / block * step + e / inner % n.
struct Spread {
    std::int64_t inner = 1;           ///< neighbours that share a number
    std::int64_t n = 1;               ///< numbers in a row, which then begin again
    std::int64_t block = 1, step = 0; ///< or go on by `step` after so many elements
};
/// y[k] = f(x[k], b[its place])
template <class Kept>
void launchSpread(Binary function, const Kept* x, const float* b, const Spread& spread, Kept* y,
                  std::int64_t n, StreamHandle stream);
/// y[k] = b[its place] / divisor
void launchSpreadOut(const float* b, const Spread& spread, float divisor, float* y, std::int64_t n,
                     StreamHandle stream);

} // namespace weft::cuda
