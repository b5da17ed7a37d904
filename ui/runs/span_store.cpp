// SPDX-License-Identifier: Apache-2.0
#include "runs/span_store.h"

#include <algorithm>

namespace weft::ui {

SpanClass classOf(const SpanSite& site) {
    switch (site.kind) {
    case SpanKind::communicate: return SpanClass::communicate;
    case SpanKind::wait: return SpanClass::wait;
    case SpanKind::copy:
    case SpanKind::host:
    case SpanKind::repeat:
    case SpanKind::feed: return SpanClass::other;
    case SpanKind::compute: break;
    }
    switch (site.pass) {
    case Pass::forward:
    case Pass::metric: return SpanClass::forward;
    case Pass::backward: return SpanClass::backward;
    case Pass::update: return SpanClass::update;
    }
    return SpanClass::other;
}

bool TrackSpans::isCommunication() const {
    return has(SpanClass::communicate) && !has(SpanClass::forward) && !has(SpanClass::backward);
}

std::size_t TrackSpans::firstEndingAfter(std::int64_t time) const {
    const auto found = std::ranges::upper_bound(spans_, time, {}, &Span::end);
    return static_cast<std::size_t>(found - spans_.begin());
}

namespace {

void addTo(TrackSpans::Block& block, const TrackSpans::Span& span, bool isNew) {
    block.begin = isNew ? span.begin : std::min(block.begin, span.begin);
    block.end = isNew ? span.end : std::max(block.end, span.end);
    block.busy[static_cast<std::size_t>(span.kind)] += static_cast<float>(span.end - span.begin);
}

void addTo(TrackSpans::Block& block, const TrackSpans::Block& other, bool isNew) {
    block.begin = isNew ? other.begin : std::min(block.begin, other.begin);
    block.end = isNew ? other.end : std::max(block.end, other.end);
    for (std::size_t i = 0; i < spanClasses; ++i) {
        block.busy[i] += other.busy[i];
    }
}

} // namespace

void TrackSpans::append(const Span& span) {
    classBits_ |= 1U << static_cast<unsigned>(span.kind);
    const bool isInOrder = spans_.empty() || spans_.back().begin <= span.begin;
    spans_.push_back(span);
    if (!isInOrder) {
        rebuild();
        return;
    }
    std::size_t block = (spans_.size() - 1) / smallestBlock;
    for (std::size_t level = 0;; ++level, block /= fanOut) {
        if (level == blockLevels_.size()) {
            if (level > 0 && blockLevels_[level - 1].size() < 2) {
                return;
            }
            blockLevels_.emplace_back();
            // A new level starts with the sums of the level below, including this span.
            for (std::size_t i = 0; level > 0 && i < blockLevels_[level - 1].size(); ++i) {
                const bool isNew = i % fanOut == 0;
                if (isNew) {
                    blockLevels_[level].emplace_back();
                }
                addTo(blockLevels_[level].back(), blockLevels_[level - 1][i], isNew);
            }
            if (level > 0) {
                return;
            }
        }
        std::vector<Block>& blocks = blockLevels_[level];
        const bool isNew = block == blocks.size();
        if (isNew) {
            blocks.emplace_back();
        }
        addTo(blocks[block], span, isNew);
    }
}

void TrackSpans::rebuild() {
    std::vector<Span> spans = std::move(spans_);
    std::ranges::stable_sort(spans, {}, &Span::begin);
    spans_.clear();
    blockLevels_.clear();
    for (const Span& span : spans) {
        append(span);
    }
}

std::uint32_t SpanStore::siteOf(const SpanSite& site) {
    // Devices may send different amounts for one op, so the bytes are part of the key.
    std::string key = site.layer + '\n' + site.op + '\n' + std::to_string(site.bytes.count) + '\n' +
                      std::to_string(site.flops.count) + '\n' + std::to_string(site.rounds) + '\n';
    key += static_cast<char>('0' + static_cast<int>(site.pass));
    key += static_cast<char>('0' + static_cast<int>(site.kind));
    const auto [entry, isNew] =
        siteByText_.try_emplace(std::move(key), static_cast<std::uint32_t>(sites_.size()));
    if (isNew) {
        sites_.push_back(site);
    }
    return entry->second;
}

TrackSpans& SpanStore::trackOf(DeviceId device, std::uint32_t track) {
    const auto key = std::pair(device, track);
    const auto place = std::ranges::lower_bound(tracks_, key, {}, [](const TrackSpans& one) {
        return std::pair(one.device(), one.track());
    });
    if (place != tracks_.end() && place->device() == device && place->track() == track) {
        return *place;
    }
    return *tracks_.insert(place, TrackSpans(device, track));
}

void SpanStore::append(const Timeline& timeline) {
    if (timeline.spans.empty()) {
        return;
    }
    for (const auto& [device, name] : timeline.devices) {
        names_[device] = name;
    }
    clockError_ = std::max(clockError_, timeline.clockError);
    std::vector<std::uint32_t> sites;
    sites.reserve(timeline.sites.size());
    for (const SpanSite& site : timeline.sites) {
        sites.push_back(siteOf(site));
    }
    std::vector<const TimelineSpan*> order;
    order.reserve(timeline.spans.size());
    std::map<std::int64_t, StepWindow> windows;
    for (const TimelineSpan& span : timeline.spans) {
        order.push_back(&span);
        const std::int64_t begin = span.begin.count;
        const std::int64_t end = begin + span.duration.count;
        const auto [entry, isNew] =
            windows.try_emplace(span.step, StepWindow{span.step, begin, end});
        entry->second.begin = std::min(entry->second.begin, begin);
        entry->second.end = std::max(entry->second.end, end);
        if (timeline.siteOf(span).kind == SpanKind::repeat) {
            entry->second.isInDetail = false;
        }
    }
    std::ranges::stable_sort(order, {}, [](const TimelineSpan* span) {
        return std::pair(span->step, span->begin.count);
    });
    std::map<std::int64_t, std::int64_t> shifts;
    for (auto& [step, window] : windows) {
        if (!steps_.empty() && window.begin < latestBegin_) {
            attemptOffset_ = steps_.back().end - window.begin;
        }
        latestBegin_ = window.begin;
        shifts[step] = attemptOffset_;
        steps_.push_back(
            {step, window.begin + attemptOffset_, window.end + attemptOffset_, window.isInDetail});
    }
    for (const TimelineSpan* span : order) {
        const std::int64_t begin = span->begin.count + shifts[span->step];
        const std::uint32_t site = sites[span->site];
        trackOf(span->device, span->stream)
            .append({begin, begin + span->duration.count, span->step, site, classOf(sites_[site])});
    }
    size_ += order.size();
    ++revision_;
}

void SpanStore::clear() {
    const std::uint64_t revision = revision_;
    *this = SpanStore();
    revision_ = revision + 1;
}

std::vector<DeviceId> SpanStore::devices() const {
    std::vector<DeviceId> devices;
    for (const TrackSpans& track : tracks_) {
        if (devices.empty() || devices.back() != track.device()) {
            devices.push_back(track.device());
        }
    }
    return devices;
}

std::string SpanStore::nameOf(DeviceId device) const {
    const auto found = names_.find(device);
    return found == names_.end() ? std::to_string(device.value) : found->second;
}

const StepWindow* SpanStore::window(std::int64_t step) const {
    // A step may have been repeated; takes the latest attempt.
    const auto found = std::find_if(steps_.rbegin(), steps_.rend(),
                                    [&](const StepWindow& one) { return one.step == step; });
    return found == steps_.rend() ? nullptr : &*found;
}

Timeline SpanStore::ofStep(std::int64_t step) const {
    Timeline timeline;
    timeline.sites = sites_;
    timeline.devices = names_;
    timeline.clockError = clockError_;
    const StepWindow* found = window(step);
    if (found == nullptr) {
        return timeline;
    }
    for (const TrackSpans& track : tracks_) {
        for (std::size_t i = track.firstEndingAfter(found->begin - 1); i < track.spans().size();
             ++i) {
            const TrackSpans::Span& span = track.spans()[i];
            if (span.begin >= found->end && span.step != step) {
                break;
            }
            if (span.step == step && span.begin >= found->begin) {
                timeline.spans.push_back({track.device(),
                                          track.track(),
                                          span.site,
                                          span.step,
                                          {span.begin},
                                          {span.end - span.begin}});
            }
        }
    }
    sortSpans(timeline);
    return timeline;
}

} // namespace weft::ui
