// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device gives to the programs of a family: one arena of each kind serves all of them.

#include "schedule/program.h"

#include <span>

namespace weft {

struct ArenaNeed {
    Bytes slots = {};
    Bytes work = {};
    Bytes ahead = {}; ///< where the next batch waits (schedule/feeds_ahead.h)
    [[nodiscard]] Bytes all() const { return slots + work + ahead; }
    void hold(const Program& program);
};
[[nodiscard]] ArenaNeed arenaNeed(std::span<const Program> programs);

} // namespace weft
