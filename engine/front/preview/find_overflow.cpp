// SPDX-License-Identifier: Apache-2.0
#include "front/preview/find_overflow.h"

#include <weft/edits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace weft {

namespace {

/// Indices in the preview of devices that share one memory.
using Sharers = std::vector<std::size_t>;

std::vector<Sharers> sharersOf(const std::vector<HostShare>& shares) {
    std::vector<Sharers> all;
    std::map<std::size_t, std::size_t> byMemory;
    for (std::size_t d = 0; d < shares.size(); ++d) {
        const auto [known, isNew] = byMemory.try_emplace(shares[d].memory, all.size());
        if (isNew) {
            all.emplace_back();
        }
        all[known->second].push_back(d);
    }
    return all;
}

/// One memory that is too small, and its possible remedies.
class Overflow {
public:
    Overflow(const Preview& preview, const Sharers& sharers, const OverflowRequest& question)
        : preview_(preview), sharers_(sharers), question_(question), design_(*question.design) {}

    [[nodiscard]] Diagnostic problem() const {
        const std::string& most = first().step->largestLayer;
        const auto largest = std::ranges::find(preview_.layers, most, &LayerPreview::name);
        const std::string who =
            sharers_.size() == 1 ? first().name
                                 : fmt::format("{} and {} more devices of its {}", first().name,
                                               sharers_.size() - 1, isOnChip() ? "chip" : "host");
        return {.code = "W070",
                .severity = Severity::warning,
                .layer = largest == preview_.layers.end() ? LayerId{} : (*largest).origin.layer,
                .layerName = most,
                .attribute = "assignment",
                .text = fmt::format("{} would run out of memory: a run needs {}{}, and {} are "
                                    "available; layer {} uses the most",
                                    who, toString(first().run->together),
                                    sharers_.size() == 1 ? "" : " together",
                                    toString(first().available), most),
                .fix = mending()};
    }

private:
    [[nodiscard]] const DevicePreview& first() const { return preview_.devices[sharers_.front()]; }

    [[nodiscard]] bool isOnChip() const {
        return (*question_.shares)[sharers_.front()].workers > 1;
    }

    [[nodiscard]] Fix mending() const {
        if (const LayerPreview* layer = heaviest(); layer != nullptr && mayFitSplit(*layer)) {
            const std::string word{nameOf(AxisWord::modelStack)};
            Fix split{fmt::format("split the weights of {}: {}", layer->name, word),
                      {{"assign", {layer->name, word}}}};
            if (fitsWith(split)) {
                return split;
            }
        }
        for (std::int64_t batch = design_.data.batch / 2; batch >= 1; batch /= 2) {
            const bool isHalf = batch == design_.data.batch / 2;
            Fix smaller{fmt::format("{} the batch to {}", isHalf ? "halve" : "lower", batch),
                        {{"data", {"batch", std::to_string(batch)}}}};
            if (beyond(batch) <= 0 && fitsWith(smaller)) {
                return smaller;
            }
        }
        return {
            fmt::format("even with a batch of 1, {} of memory are missing, and splitting one layer "
                        "does not help: use {} with more memory, or make the network smaller",
                        toString(Bytes{std::max<std::int64_t>(1, std::llround(beyond(1)))}),
                        sharers_.size() == 1 || isOnChip() ? "a device" : "a machine"),
            {}};
    }

    /// Returns the layer with most weights, if weights need more of the memory than work does.
    [[nodiscard]] const LayerPreview* heaviest() const {
        const LayerPreview* most = nullptr;
        for (const LayerPreview& layer : preview_.layers) {
            const bool isHeavy =
                layer.devices.size() > 1 && layer.step && layer.parameterBytes > layer.step->made;
            if (isHeavy && (most == nullptr || layer.parameterBytes > most->parameterBytes)) {
                most = &layer;
            }
        }
        return most;
    }

    /// True if splitting the layer could suffice in the best case; only then is it tried.
    [[nodiscard]] bool mayFitSplit(const LayerPreview& layer) const {
        const auto holding = std::ranges::count_if(sharers_, [&](std::size_t d) {
            return std::ranges::find(layer.devices, preview_.devices[d].name) !=
                   layer.devices.end();
        });
        const double saved = static_cast<double>(holding) *
                             static_cast<double>(layer.parameterBytes.count) *
                             (1 - 1 / static_cast<double>(layer.devices.size()));
        return static_cast<double>((first().run->together - first().available).count) <= saved;
    }

    [[nodiscard]] bool fitsWith(const Fix& fix) const {
        Design mended = design_;
        if (!applyFix(mended, fix, *question_.kinds).isDone()) {
            return false;
        }
        const Preview made = question_.previewOf(mended);
        return made.run && !made.devices[sharers_.front()].overflows();
    }

    /// Returns the bytes by which another batch would still exceed the memory. Work memory is
    /// proportional to the rows of the device with most rows.
    [[nodiscard]] double beyond(std::int64_t batch) const {
        double kept = 0;
        double computed = 0;
        for (const std::size_t d : sharers_) {
            const DevicePreview& device = preview_.devices[d];
            kept += static_cast<double>(device.step->kept.count);
            computed += static_cast<double>((device.run->takes - device.step->kept).count);
        }
        const auto uneven = static_cast<std::int64_t>(preview_.devices.size()) - 1;
        const auto rows = static_cast<double>(batch + uneven);
        return kept + computed * rows / static_cast<double>(design_.data.batch) -
               static_cast<double>(first().available.count);
    }

    const Preview& preview_;
    const Sharers& sharers_;
    const OverflowRequest& question_;
    const Design& design_;
};

} // namespace

void findOverflow(Preview& preview, const OverflowRequest& question) {
    for (const Sharers& sharers : sharersOf(*question.shares)) {
        if (preview.devices[sharers.front()].overflows()) {
            preview.problems.push_back(Overflow(preview, sharers, question).problem());
        }
    }
}

} // namespace weft
