// SPDX-License-Identifier: Apache-2.0
#pragma once
// Recognises the body of a repeat as the dynamics of competing neurons (layers/sparse/lca.cpp) by
// its members and their connections, in any order of operands and results.

#include "device/repeat_body.h"
#include "device/window.h"

#include <optional>
#include <vector>

namespace weft::cpu {

/// The loop-carried values, each an operand and a result of the repeat.
struct LcaState {
    std::size_t potential = 0, code = 0, residual = 0, energy = 0; ///< operand indices
    std::size_t before = 0, step = 0, cap = 0; ///< last energy, step, its limit, if adaptive
};

struct LcaBody {
    std::int64_t rounds = 1;                  ///< number of iterations
    bool isReversed = false;                  ///< reversed order of the collected results
    LcaState carried;                         ///< operand indices of the loop-carried values
    std::size_t x = 0, dictionary = 0;        ///< operand indices
    std::size_t fixedStep = 0;                ///< operand index, without adaptive steps
    std::vector<std::size_t> energies, steps; ///< results that collect the values of all iterations
    bool hasOwnDictionaries = false;          ///< true: one dictionary per batch element
    bool isAdaptive = false;                  ///< true: time steps follow the energy
    bool isLagged = false;    ///< true: energies use the residual at the start of the iteration
    double tau = 1, self = 1; ///< time constant, self-interaction
    Attributes transfer;      ///< attributes of the transfer function
    Attributes rule;          ///< rule for adaptive steps
    Windows windows;          ///< windows of the code on the picture
};

/// Returns the recognised body, or why it is another one.
[[nodiscard]] tl::expected<LcaBody, std::string> lcaBodyOf(const RepeatBody& body);

} // namespace weft::cpu
