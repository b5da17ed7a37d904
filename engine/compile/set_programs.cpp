// SPDX-License-Identifier: Apache-2.0
#include "compile/set_programs.h"

#include "base/text/mending.h"
#include "compile/registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

/// All programs of a set use the streams of the first program.
int streamsOf(const Design& design, const Program* first) {
    return first == nullptr ? static_cast<int>(std::max<std::int64_t>(0, design.training.streams))
                            : static_cast<int>(std::ranges::count(first->streams, false,
                                                                  &StreamPlan::communicates));
}

} // namespace

Precision precisionOf(const TrainingSettings& training) {
    return training.precision == "tf32"   ? Precision::tf32
           : training.precision == "bf16" ? Precision::bf16
                                          : Precision::exact;
}

std::vector<Diagnostic> checkPrecision(const TrainingSettings& training, const Backend& backend,
                                       const DeviceSheet& sheet) {
    if (precisionOf(training) != Precision::bf16) {
        return {}; // every other precision may fall back to exact
    }
    const std::string why = whyNotRounded(Precision::bf16, backend, sheet);
    if (why.empty()) {
        return {};
    }
    return {{.code = "E077",
             .layerName = "training",
             .attribute = "precision",
             .text = fmt::format("{} computes nothing in bf16: {}", sheet.name, why),
             .fix = fixBy("set training.precision to exact, or use NVIDIA GPUs of compute "
                          "capability 8.0 and later",
                          "training", {"precision", "exact"})}};
}

Program programOf(const ScheduleContext& programSet, const VariantOnDevice& member) {
    const TrainingSettings& training = programSet.design->training;
    return schedule(member.plan, member.device, *member.backend, *member.sheet,
                    {.order = training.order,
                     .streams = streamsOf(*programSet.design, member.first),
                     .cores = member.cores,
                     .seed = static_cast<std::uint64_t>(training.seed),
                     .links = programSet.links,
                     .communicators = &programSet.communicators,
                     .fallback = &programSet.registry->reference,
                     .settled = member.first,
                     .kept = member.kept,
                     .precision = precisionOf(training),
                     .choices = programSet.choices,
                     .groups = member.groups,
                     .wantsTransfers = programSet.wantsTransfers});
}

int coresOf(const HostShare& share, const DeviceSheet& sheet) {
    return share.host == noHost ? static_cast<int>(sheet.cores) : share.cores;
}

} // namespace weft
