// SPDX-License-Identifier: Apache-2.0
#include "front/preview/period_mean.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

namespace {

bool isSameRow(const CollectivePreview& a, const CollectivePreview& b) {
    return a.name == b.name && a.kind == b.kind && a.from == b.from && a.to == b.to &&
           a.wire == b.wire && a.isBackward == b.isBackward && a.rounds == b.rounds;
}

class PeriodMean {
public:
    explicit PeriodMean(std::vector<PeriodPart> parts) : parts_(std::move(parts)) {
        for (const PeriodPart& part : parts_) {
            steps_ += part.count;
        }
    }

    Preview run() {
        made_ = *parts_.front().preview;
        addCollectives();
        for (std::size_t k = 0; k < made_.layers.size(); ++k) {
            addLayer(k);
        }
        made_.sent = mean<Bytes>([](const Preview& part) { return part.sent; });
        for (std::size_t d = 0; d < made_.devices.size(); ++d) {
            made_.devices[d].sent =
                mean<Bytes>([&](const Preview& part) { return part.devices[d].sent; });
        }
        if (made_.step) {
            addStep();
        }
        return std::move(made_);
    }

private:
    template <class Unit, class Get>
    [[nodiscard]] Unit mean(const Get& get) const {
        double sum = 0;
        for (const PeriodPart& part : parts_) {
            sum += static_cast<double>(part.count) * static_cast<double>(get(*part.preview).count);
        }
        return Unit{static_cast<std::int64_t>(std::llround(sum / static_cast<double>(steps_)))};
    }
    template <class Get>
    [[nodiscard]] Nanoseconds time(const Get& get) const {
        return mean<Nanoseconds>(get);
    }

    /// Adds a row for each collective that occurs in any kind of step, and fills `rows_`.
    void addCollectives() {
        made_.collectives.clear();
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            for (const CollectivePreview& one : parts_[p].preview->collectives) {
                std::size_t row = 0;
                while (row < rows_.size() &&
                       (rows_[row][p] != nullptr || !isSameRow(made_.collectives[row], one))) {
                    ++row;
                }
                if (row == rows_.size()) {
                    rows_.emplace_back(parts_.size(), nullptr);
                    made_.collectives.push_back(one);
                }
                rows_[row][p] = &one;
            }
        }
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            addCollective(made_.collectives[row], rows_[row]);
        }
    }

    void addCollective(CollectivePreview& one,
                       const std::vector<const CollectivePreview*>& byPart) const {
        const auto meanOf = [&](auto get) {
            double sum = 0;
            for (std::size_t p = 0; p < parts_.size(); ++p) {
                sum += byPart[p] == nullptr ? 0
                                            : static_cast<double>(parts_[p].count) *
                                                  static_cast<double>(get(*byPart[p]).count);
            }
            return static_cast<std::int64_t>(std::llround(sum / static_cast<double>(steps_)));
        };
        const auto timeOf = [&](auto get) {
            return Nanoseconds{meanOf([&](const CollectivePreview& part) {
                return part.step ? get(*part.step) : Nanoseconds{};
            })};
        };
        one.sentPerDevice = {meanOf([](const auto& part) { return part.sentPerDevice; })};
        if (one.step) {
            one.step->time = timeOf([](const CollectiveStep& step) { return step.time; });
            one.step->hidden = timeOf([](const CollectiveStep& step) { return step.hidden; });
            one.step->band = {timeOf([](const CollectiveStep& step) { return step.band.low; }),
                              timeOf([](const CollectiveStep& step) { return step.band.high; })};
        }
    }

    void addLayer(std::size_t k) {
        LayerPreview& layer = made_.layers[k];
        const auto of = [k](const Preview& part) -> const LayerPreview& { return part.layers[k]; };
        layer.forward = mean<Flops>([&](const Preview& part) { return of(part).forward; });
        layer.backward = mean<Flops>([&](const Preview& part) { return of(part).backward; });
        if (layer.sync) {
            addTravel(*layer.sync, of);
        }
        if (!layer.step) {
            return;
        }
        const auto timeOf = [&](auto get) {
            return time([&](const Preview& part) {
                return of(part).step ? get(*of(part).step) : Nanoseconds{};
            });
        };
        LayerStep& step = *layer.step;
        for (auto each : {&LayerStep::forward, &LayerStep::backward, &LayerStep::update,
                          &LayerStep::communicate}) {
            step.*each = timeOf([&](const LayerStep& part) { return part.*each; });
        }
        step.computeBand = {timeOf([](const LayerStep& part) { return part.computeBand.low; }),
                            timeOf([](const LayerStep& part) { return part.computeBand.high; })};
        for (const PeriodPart& part : parts_) {
            const auto& own = of(*part.preview).step;
            step.made = std::max(step.made, own ? own->made : Bytes{});
        }
    }

    /// Sets what a layer's sync sends, from the kind of step that sends most.
    template <class Of>
    void addTravel(SyncPreview& sync, const Of& of) const {
        std::int64_t times = 0;
        for (const PeriodPart& part : parts_) {
            const auto& own = of(*part.preview).sync;
            if (own && !own->name.empty()) {
                times += part.count;
                if (sync.name.empty() || own->sentPerDevice > sync.sentPerDevice) {
                    sync.name = own->name;
                    sync.kind = own->kind;
                    sync.sentPerDevice = own->sentPerDevice;
                    sync.step = own->step;
                }
            }
        }
        sync.steps = times > 0 ? steps_ / times : sync.period;
    }

    void addStep() {
        const auto longest = std::ranges::max_element(
            parts_, {}, [](const PeriodPart& part) { return part.preview->step->time; });
        const Preview& shown = *longest->preview;
        made_.step = shown.step;
        made_.step->shown = longest->name;
        made_.step->period = steps_;
        made_.step->time = time([](const Preview& part) { return part.step->time; });
        made_.step->band = {time([](const Preview& part) { return part.step->band.low; }),
                            time([](const Preview& part) { return part.step->band.high; })};
        for (std::size_t d = 0; d < made_.devices.size(); ++d) {
            made_.devices[d].step = shown.devices[d].step;
            StepTotals& totals = made_.devices[d].step->totals;
            for (auto each : {&StepTotals::length, &StepTotals::compute, &StepTotals::communicate,
                              &StepTotals::overlapped, &StepTotals::waiting, &StepTotals::idle}) {
                totals.*each =
                    time([&](const Preview& part) { return part.devices[d].step->totals.*each; });
            }
        }
    }

    std::vector<PeriodPart> parts_;
    std::int64_t steps_ = 0;
    std::vector<std::vector<const CollectivePreview*>>
        rows_; ///< [row][part]; nullptr: the part lacks it
    Preview made_;
};

} // namespace

Preview meanOver(std::vector<PeriodPart> parts) {
    std::erase_if(parts, [](const PeriodPart& part) { return part.count == 0; });
    if (parts.size() > 1) {
        return PeriodMean(std::move(parts)).run();
    }
    Preview made = *parts.front().preview;
    if (made.step) {
        made.step->shown = parts.front().name;
    }
    return made;
}

} // namespace weft
