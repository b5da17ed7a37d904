// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory/predict.h"

#include "schedule/memory/lives.h"

#include <algorithm>
#include <map>

namespace weft {

namespace {

std::string sharerOf(const BlockLife& life, const Program& program) {
    if (life.port != nullptr) {
        return "fed";
    }
    const std::string& layer = program.plan->graph->layerName(program.steps[life.first].origin);
    return life.output < 0 ? layer + " (scratch)" : layer;
}

} // namespace

MemoryPeak peakOf(const Program& program) {
    MemoryPeak peak;
    if (program.steps.empty()) {
        return peak;
    }
    const std::vector<BlockLife> lives = livesOf(program);
    std::vector<std::int64_t> change(program.steps.size() + 1, 0);
    for (const BlockLife& life : lives) {
        change[life.first] += life.size;
        change[life.last + 1] -= life.size;
    }
    std::int64_t alive = 0;
    for (std::size_t k = 0; k < program.steps.size(); ++k) {
        alive += change[k];
        if (peak.step < 0 || alive > peak.alive.count) {
            peak.alive = {alive};
            peak.step = static_cast<int>(k);
        }
    }
    std::map<std::string, Bytes> byLayer;
    for (const BlockLife& life : lives) {
        const auto at = static_cast<std::size_t>(peak.step);
        if (life.first <= at && at <= life.last) {
            byLayer[sharerOf(life, program)] += Bytes{life.size};
        }
    }
    for (const auto& [layer, bytes] : byLayer) {
        peak.shares.push_back({layer, bytes});
    }
    std::ranges::stable_sort(peak.shares, std::greater<>{}, &PeakShare::bytes);
    return peak;
}

} // namespace weft
