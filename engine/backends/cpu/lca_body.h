// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether the body of a repeat is the dynamics of neurons that compete (layers/lca.cpp), told from
// its members and how they hang together, in whatever order its operands and results stand.

#include "device/repeat_body.h"
#include "device/window.h"

#include <optional>
#include <vector>

namespace weft::cpu {

/// What a round begins with and ends with, each an operand and a result of the repeat.
struct LcaState {
    std::size_t potential = 0, code = 0, residual = 0, energy = 0;
    std::size_t before = 0, step = 0, cap = 0; ///< of adaptive steps, else none
};

struct LcaBody {
    std::int64_t rounds = 1;
    bool isReversed = false; ///< as what is collected lies
    LcaState carried;
    std::size_t x = 0, dictionary = 0;        ///< operands
    std::size_t fixedStep = 0;                ///< an operand, where steps do not adapt
    std::vector<std::size_t> energies, steps; ///< results that collect those of all rounds
    bool hasOwnDictionaries = false;          ///< one for each element
    bool isAdaptive = false;
    bool isLagged = false; ///< energies are of the residual that a round begins with
    double tau = 1, self = 1;
    Attributes transfer;
    Attributes rule; ///< of adaptive steps
    Windows windows; ///< of code over picture
};

/// Or why it is another body.
[[nodiscard]] tl::expected<LcaBody, std::string> lcaBodyOf(const RepeatBody& body);

} // namespace weft::cpu
