// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prediction as a fold over the very programs that run: streams in their order, steps when what
// they wait for has ended, collectives when all their members have arrived, each taking the price
// that schedule gave it from the sheets. The executor on null devices with time of their own does
// the same, to the nanosecond. Streams that share a chip take what `ChipStreams` says; null
// devices, whose streams each have a clock of their own, share nothing and cannot show that.

#include "schedule/alike_devices.h"
#include "schedule/chip_streams.h"
#include "schedule/program.h"
#include "schedule/program_parts.h"
#include <weft/timeline.h>

#include <span>
#include <vector>

namespace weft {

/// What the spans of a program's steps are of, as the steps stand.
[[nodiscard]] std::vector<SpanSite> sitesOf(const Program& program);

/// The same of its parts; one of a single step is that step's.
[[nodiscard]] std::vector<SpanSite> sitesOf(const Program& program,
                                            std::span<const ProgramPart> parts);

/// Which of its price each step takes.
enum class Priced : std::uint8_t { predicted, low, high };

/// Span site of the batch that is copied ahead; its stream comes after those of the program.
[[nodiscard]] SpanSite feedSite(const Program& program);
[[nodiscard]] std::uint32_t feedStream(const Program& program);

/// The times of all steps of all programs, as the steps stand. The sites are those of the programs,
/// one after the other; those of what was waited for come behind them.
[[nodiscard]] Timeline timelineOf(std::span<const Program* const> programs,
                                  std::span<const std::vector<StepTime>> times);

/// One run of the programs of all devices of a plan, or of those that stand for them, from moment
/// 0, as `timelineOf` lays it out. Error{bug} where they would wait for each other for ever.
[[nodiscard]] Timeline simulate(std::span<const Program* const> programs, const AlikeDevices& alike,
                                Priced priced = Priced::predicted);

} // namespace weft
