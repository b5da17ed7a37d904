// SPDX-License-Identifier: Apache-2.0
#pragma once
// Predicts times by running the actual programs in a simulation: streams in their order, steps when
// what they wait for has ended, collectives when all members have arrived, each with the price that
// schedule took from the sheets. The executor with null devices on simulated time gives the same
// result to the nanosecond, except for streams that share a chip (`ChipStreams`): null devices have
// a clock per stream.

#include "schedule/predict/alike_devices.h"
#include "schedule/predict/chip_streams.h"
#include "schedule/program.h"
#include "schedule/program_parts.h"
#include <weft/timeline.h>

#include <span>
#include <vector>

namespace weft {

/// Returns what the spans of a program's steps describe, in the order of the steps.
[[nodiscard]] std::vector<SpanSite> spanSitesOf(const Program& program);

/// Returns the same for parts. A part of one step has that step's site.
[[nodiscard]] std::vector<SpanSite> spanSitesOf(const Program& program,
                                                std::span<const ProgramPart> parts);

enum class PriceBound : std::uint8_t { predicted, low, high };

/// Span site of the batch that is copied ahead; its stream comes after those of the program.
[[nodiscard]] SpanSite feedSite(const Program& program);
[[nodiscard]] std::uint32_t feedStream(const Program& program);

/// Builds a timeline from the times of all steps of all programs, in the order of the steps. The
/// sites of the programs come first, one program after the other, then those of waits.
[[nodiscard]] Timeline timelineOf(std::span<const Program* const> programs,
                                  std::span<const std::vector<StepTime>> times);

/// Simulates one run of the programs of a plan's devices, or of those that stand for them, from
/// time 0, and lays it out like `timelineOf`. Throws Error{bug} on a deadlock.
[[nodiscard]] Timeline simulate(std::span<const Program* const> programs, const AlikeDevices& alike,
                                PriceBound priced = PriceBound::predicted);

} // namespace weft
