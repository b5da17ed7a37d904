// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elementwise kernels: y[k] = f(x[k], ...) for n elements. A result may alias an operand. `Kept` is
// float, or Bf16 for bf16 (kept.h).

#include "backends/cuda/kernels/stream_handle.h"
#include "device/broadcast_loops.h"
#include "functions/table.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

/// The limit of clipFactor, the factor of scale, or the numbers of a row.
struct FunctionNumbers {
    float first = 0, second = 0; ///< parameters of the function, such as alpha
};

/// From `row` on: the functions of the rows of functions/table.h.
enum class Unary : std::uint8_t { clipFactor, copy, scale, sign, row };
template <class Row>
inline constexpr Unary unaryOf = static_cast<Unary>(static_cast<std::size_t>(Unary::row) +
                                                    functions::All::indexOf<Row>());
template <class Kept>
void launchUnary(Unary function, FunctionNumbers numbers, const Kept* x, Kept* y, std::int64_t n,
                 StreamHandle stream);

/// From `rowGradient` on: the gradients of the rows, of (x or y, dy), and then the rows of two
/// operands.
enum class Binary : std::uint8_t { add, divide, expMinus, multiply, second, subtract, rowGradient };
template <class Row>
inline constexpr Binary
    gradientOf = static_cast<Binary>(static_cast<std::size_t>(Binary::rowGradient) +
                                     functions::All::indexOf<Row>());
template <class Row>
inline constexpr Binary pairOf = static_cast<Binary>(static_cast<std::size_t>(Binary::rowGradient) +
                                                     functions::All::count +
                                                     functions::Pairs::indexOf<Row>());
template <class Kept>
void launchBinary(Binary function, FunctionNumbers numbers, const Kept* a, const Kept* b, Kept* y,
                  std::int64_t n, StreamHandle stream);

/// Rows with more operations run in launches of their own. One kernel computes all chains and
/// branches to the function of each step, so every chain takes the registers of the longest one:
/// with sin, cos and power 40, and an array in local memory; without them 38 and no array (compiled
/// by CUDA 13 for sm_90). The effect on the time of a chain was not measured.
inline constexpr std::int64_t mostFlopsInChain = 20;
/// One step of a chain: f(y), f(y, x[k]), or with swapped operands f(x[k], y).
struct ChainFunction {
    FunctionNumbers numbers = {};
    bool isUnary = false;        ///< false: a binary function
    Unary unary = Unary::copy;   ///< if isUnary
    Binary binary = Binary::add; ///< if not isUnary
    bool isSwapped = false;      ///< true: f(x[k], y) in place of f(y, x[k])
};
template <class Kept>
struct ChainStep {
    const Kept* x = nullptr; ///< second operand; nullptr: the function is unary
    Kept* y = nullptr;       ///< output if others read this result; else nullptr
    ChainFunction f = {};
};
/// The steps of one launch, starting with first[k]. A result may alias an operand of its own or an
/// earlier step. Between steps y is f32: results that others read are rounded to their stored type
/// first, as if the ops ran separately; other results are not rounded.
template <class Kept>
struct Chain {
    static constexpr std::size_t most = 12; ///< maximum number of steps
    const Kept* first = nullptr;            ///< operand of the first step
    std::array<ChainStep<Kept>, most> steps = {};
    int count = 0;
};
template <class Kept>
void launchChain(const Chain<Kept>& chain, std::int64_t n, StreamHandle stream);

/// Addresses of the terms of one sum.
template <class Kept>
struct Terms {
    static constexpr int most = 8; ///< maximum number of terms
    std::array<const Kept*, most> x = {};
    int count = 0;
};
/// y = the sum of up to Terms::most operands, in order.
template <class Kept>
void launchAddTerms(const Terms<Kept>& terms, Kept* y, std::int64_t n, StreamHandle stream);

/// Index of the number of a smaller operand for element e of the result: e / block * step + e /
/// inner % n.
struct Broadcast {
    std::int64_t inner = 1;           ///< number of neighbours that share a number
    std::int64_t n = 1;               ///< period of the index, in numbers
    std::int64_t block = 1, step = 0; ///< increment `step` after each `block` elements
};
/// y[k] = f(x[k], b[index]), where f is not the gradient of a row.
template <class Kept>
void launchBroadcast(Binary function, const Kept* x, const float* b, const Broadcast& broadcast,
                     Kept* y, std::int64_t n, StreamHandle stream);
/// y = f(a, b) with operands that are repeated; f is `second` or a row of two operands.
void launchBroadcast(Binary function, const float* a, const float* b, const BroadcastLoops& loops,
                     float* y, std::int64_t n, StreamHandle stream);
/// y[k] = b[index] / divisor
void launchBroadcastQuotient(const float* b, const Broadcast& broadcast, float divisor, float* y,
                             std::int64_t n, StreamHandle stream);

} // namespace weft::cuda
