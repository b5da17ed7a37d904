// SPDX-License-Identifier: Apache-2.0
#pragma once
// Splits a program into parts that a device can capture once and replay. Steps between them run
// each time, because they communicate with other devices or run on the host.

#include "schedule/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct ProgramPart {
    std::vector<std::uint32_t> steps; ///< indices, in an order in which they can be enqueued
    bool isCapturable = true;         ///< false: it is one step that runs each time
    std::uint32_t stream = 0;         ///< the stream that executes the part: that of its first step
    std::vector<StepWait> waits = {}; ///< counted in parts of a stream
};

/// True if a device can capture the step and replay it: the step neither communicates nor runs on
/// the host.
[[nodiscard]] bool isCapturable(const Program& program, const Step& step);

/// Returns all parts in an order in which they can be enqueued. A part ends where a step that
/// cannot be captured is ready, and before a step that waits for such a step.
[[nodiscard]] std::vector<ProgramPart> partsOf(const Program& program);

/// Returns "12 kernels, conv1: conv2d+bias_add to pool5: max_pool2d", or the name of a single step.
[[nodiscard]] std::string nameOf(const Program& program, const ProgramPart& part);

} // namespace weft
