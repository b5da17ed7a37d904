// SPDX-License-Identifier: Apache-2.0
// Lives are read off the buffers: one begins where a step writes it and ends with the last read
// before something else is written there. What is read without having been written was handed in.
#include "schedule/predict.h"

#include <algorithm>
#include <map>

namespace weft {

namespace {

struct Stay {
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    std::string layer = {};
};

class Lives {
public:
    explicit Lives(const Program& program) : program_(program) {
        for (const auto* ports : {&program.feeds, &program.results}) {
            for (const Port& port : *ports) {
                if (port.isHeld && port.buffer.arena == ArenaKind::work) {
                    pinned_[port.buffer.offset] = port.buffer.size.count;
                }
            }
        }
        for (const auto& [offset, size] : pinned_) {
            lives_.push_back({offset, size, 0, lastStep(), "fed and handed back"});
        }
        for (std::size_t k = 0; k < program.steps.size(); ++k) {
            read(k);
            write(k);
        }
    }

    [[nodiscard]] const std::vector<Stay>& all() const { return lives_; }

private:
    std::size_t lastStep() const { return program_.steps.empty() ? 0 : program_.steps.size() - 1; }

    bool isPinned(const Buffer& buffer) const {
        auto at = pinned_.upper_bound(buffer.offset);
        return at != pinned_.begin() &&
               buffer.offset < std::prev(at)->first + std::prev(at)->second;
    }
    bool counts(const Buffer& buffer) const {
        return buffer.arena == ArenaKind::work && buffer.size.count > 0 && !isPinned(buffer);
    }

    /// The lives that hold some of these bytes now.
    template <class Visit>
    void forEachAt(const Buffer& buffer, const Visit& visit) {
        auto at = current_.upper_bound(buffer.offset);
        at = at == current_.begin() ? at : std::prev(at);
        while (at != current_.end() && at->first < buffer.offset + buffer.size.count) {
            const auto next = std::next(at);
            if (at->first + lives_[at->second].size > buffer.offset) {
                visit(at);
            }
            at = next;
        }
    }

    void read(std::size_t k) {
        for (const Buffer& buffer : program_.steps[k].inputs) {
            if (counts(buffer)) {
                forEachAt(buffer, [&](auto at) { lives_[at->second].last = k; });
            }
        }
    }

    void write(std::size_t k) {
        const Step& step = program_.steps[k];
        const std::string& layer = program_.plan->graph->layerName(step.origin);
        for (const Buffer& buffer : step.outputs) {
            if (!counts(buffer)) {
                continue;
            }
            forEachAt(buffer, [&](auto at) {
                Stay& before = lives_[at->second];
                // In place: the new value takes the old one's bytes over.
                before.last = before.last == k && before.first < k ? k - 1 : before.last;
                current_.erase(at);
            });
            current_[buffer.offset] = lives_.size();
            lives_.push_back({buffer.offset, buffer.size.count, k, k, layer});
        }
        if (step.scratch.size.count > 0) {
            lives_.push_back(
                {step.scratch.offset, step.scratch.size.count, k, k, layer + " (scratch)"});
        }
    }

    const Program& program_;
    std::map<std::int64_t, std::int64_t> pinned_;
    std::map<std::int64_t, std::size_t> current_; ///< offset -> life
    std::vector<Stay> lives_;
};

} // namespace

MemoryPeak peakOf(const Program& program) {
    MemoryPeak peak;
    if (program.steps.empty()) {
        return peak;
    }
    const Lives lives(program);
    std::vector<std::int64_t> change(program.steps.size() + 1, 0);
    for (const Stay& life : lives.all()) {
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
    for (const Stay& life : lives.all()) {
        const auto at = static_cast<std::size_t>(peak.step);
        if (life.first <= at && at <= life.last) {
            byLayer[life.layer] += Bytes{life.size};
        }
    }
    for (const auto& [layer, bytes] : byLayer) {
        peak.shares.push_back({layer, bytes});
    }
    std::ranges::stable_sort(peak.shares, std::greater<>{}, &PeakShare::bytes);
    return peak;
}

} // namespace weft
