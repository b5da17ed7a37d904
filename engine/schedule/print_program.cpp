// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory/map_memory.h"
#include "schedule/memory/predict.h"
#include "schedule/program_parts.h"
#include "schedule/schedule.h"
#include <weft/error.h>
#include <weft/timeline.h>

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace weft {

namespace {

std::string printBuffer(const Buffer& buffer) {
    return fmt::format("{}+{}:{}", buffer.arena == ArenaKind::slot ? "slots" : "work",
                       buffer.offset, buffer.size.count);
}

std::string printBuffers(const std::vector<Buffer>& buffers) {
    std::string text;
    for (const Buffer& buffer : buffers) {
        text += (text.empty() ? "" : " ") + printBuffer(buffer);
    }
    return text;
}

std::string printPlace(const RoundPlace& place) {
    using In = RoundPlace::In;
    const std::string_view position = place.stride == 0 ? "" : " by iteration";
    switch (place.in) {
    case In::scratch: return fmt::format("scratch+{}", place.offset);
    case In::operand: return fmt::format("operand {}{}", place.index, position);
    case In::result: return fmt::format("result {}{}", place.index, position);
    case In::begun: return fmt::format("begun {}", place.index);
    case In::ended: return fmt::format("ended {}", place.index);
    case In::nowhere: break;
    }
    return "nowhere";
}

std::string printPlaces(const std::vector<RoundPlace>& places) {
    std::string text;
    for (const RoundPlace& place : places) {
        text += (text.empty() ? "" : ", ") + printPlace(place);
    }
    return text;
}

/// Returns "once" or "in iterations 1 to 49", or an empty string for a kernel that runs in all
/// iterations.
std::string printRuns(const RoundKernel& kernel, std::int64_t count) {
    return kernel.runs() == count ? std::string()
           : kernel.to == 1       ? std::string(" once")
                            : fmt::format(" in iterations {} to {}", kernel.from, kernel.to - 1);
}

std::string printRounds(const StepBody& rounds, const std::string& indent) {
    std::string text = indent + (rounds.isHostFallback
                                     ? std::string("on the host, one iteration after the other\n")
                                     : fmt::format("{} iterations, each\n", rounds.kernels.count));
    for (std::size_t k = 0; k < rounds.steps.size(); ++k) {
        const BodyStep& step = rounds.steps[k];
        const RoundKernel& kernel = rounds.kernels.kernels[k];
        text += fmt::format("{}  {}{} [{}] -> [{}] {}\n", indent, step.name,
                            printRuns(kernel, rounds.kernels.count), printPlaces(kernel.inputs),
                            printPlaces(kernel.outputs), toString(step.predicted));
        text += step.rounds ? printRounds(*step.rounds, indent + "    ") : "";
    }
    return text;
}

std::string printKernels(const StepBody& rounds, const std::string& indent) {
    std::string text;
    for (const BodyStep& step : rounds.steps) {
        text += fmt::format("{}{:<{}} {}\n", indent, step.name, 50 - indent.size(),
                            step.implementation);
        text += step.rounds ? printKernels(*step.rounds, indent + "  ") : "";
    }
    return text;
}

/// Prints the parts that a device captures and replays, and the steps between them.
std::string printParts(const Program& program) {
    std::string text;
    for (const ProgramPart& part : partsOf(program)) {
        text += fmt::format("    {}: {}\n",
                            !part.isCapturable ? "launched step by step" : "captured and replayed",
                            nameOf(program, part));
    }
    return "  parts\n" + text;
}

} // namespace

std::string print(const Program& program) {
    std::string text =
        fmt::format("program {} of {}: {} steps, slots {}, work {}\n", program.member,
                    program.plan->devices[program.device.value], program.steps.size(),
                    toString(program.slotSize), toString(program.workSize));
    for (std::uint32_t stream = 0; stream < program.streams.size(); ++stream) {
        const StreamPlan& plan = program.streams[stream];
        text += fmt::format("  stream {}{}\n", plan.name,
                            program.isOnChip ? "" : fmt::format(" ({} cores)", plan.cores));
        for (const Step& step : program.steps) {
            if (step.stream != stream) {
                continue;
            }
            std::string waits;
            for (const StepWait& wait : step.waits) {
                waits +=
                    fmt::format(" after {} of {}", wait.count, program.streams[wait.stream].name);
            }
            text += fmt::format("    {:4} {}{} [{}] -> [{}] {}\n", step.position, step.name, waits,
                                printBuffers(step.inputs), printBuffers(step.outputs),
                                toString(step.predicted));
            const std::string rounds = roundsText(step.count, step.predicted);
            text += rounds.empty() ? "" : fmt::format("{:9}{}\n", "", rounds);
            text += step.rounds ? printRounds(*step.rounds, std::string(9, ' ')) : "";
        }
    }
    if (program.feeding.bytes.count > 0) {
        text += fmt::format(
            "  stream feeds\n       copies the next batch, {}, while the step runs {}\n",
            toString(program.feeding.bytes), toString(program.feeding.time));
    }
    return program.isAsynchronous ? text + printParts(program) : text;
}

std::string printKernels(const Program& program) {
    std::string text = fmt::format("kernels of {} on {}\n", program.member,
                                   program.plan->devices[program.device.value]);
    for (const Step& step : program.steps) {
        if (step.kind == StepKind::compute || !step.implementation.empty()) {
            text += fmt::format("  {:<48} {}\n", step.name, step.implementation);
            text += step.rounds ? printKernels(*step.rounds, "    ") : "";
        }
    }
    for (const std::string& refusal : program.refusals) {
        text += "  refused: " + refusal + "\n";
    }
    return text;
}

namespace {

constexpr std::size_t longest = 12; // lines of a list

} // namespace

std::string printMemory(const Program& program) {
    std::string text = fmt::format("memory of {} on {}: slots {}, work {} at its peak\n",
                                   program.member, program.plan->devices[program.device.value],
                                   toString(program.slotSize), toString(program.workSize));
    const MemoryPeak peak = peakOf(program);
    if (peak.step >= 0) {
        text += fmt::format("  peak use at {}: {}, allocated by\n",
                            program.steps[static_cast<std::size_t>(peak.step)].name,
                            toString(peak.alive));
        for (const PeakShare& share : peak.shares | std::views::take(longest)) {
            text += fmt::format("  {:>10} {}\n", toString(share.bytes), share.layer);
        }
        if (peak.shares.size() > longest) {
            text += fmt::format("  {:>10} {} more\n", "", peak.shares.size() - longest);
        }
        const auto held = mapMemory(program).heldAt(static_cast<std::uint32_t>(peak.step));
        text += "  including slots, by kind:";
        for (std::size_t kind = 0; kind < blockKinds; ++kind) {
            text += fmt::format(" {} {}", nameOf(static_cast<BlockKind>(kind)),
                                toString(held.at(kind)));
        }
        text += "\n  the largest blocks:\n";
    }
    MemoryMap map = mapMemory(program);
    std::ranges::stable_sort(map.blocks, std::greater<>{}, &MemoryBlock::bytes);
    for (const MemoryBlock& block : map.blocks | std::views::take(longest)) {
        text +=
            fmt::format("  {:>10} at {:>12}  {:<11} steps {} to {}  {}\n", toString(block.bytes),
                        block.offset, nameOf(block.kind), block.first, block.last, block.name);
    }
    return text;
}

void verify(const Program& program) {
    std::vector<std::uint32_t> done(program.streams.size(), 0);
    for (const Step& step : program.steps) {
        ensure(step.stream < program.streams.size() && step.position == done[step.stream],
               "the steps of a stream are in order");
        for (const StepWait& wait : step.waits) {
            ensure(wait.stream < program.streams.size() && wait.count <= done[wait.stream],
                   "a step waits only for earlier steps");
        }
        ++done[step.stream];
        for (const auto* list : {&step.inputs, &step.outputs}) {
            for (const Buffer& buffer : *list) {
                const Bytes arena =
                    buffer.arena == ArenaKind::slot ? program.slotSize : program.workSize;
                ensure(buffer.offset >= 0 && buffer.offset + buffer.size.count <= arena.count,
                       "a buffer lies inside its arena");
            }
        }
    }
}

} // namespace weft
