// SPDX-License-Identifier: Apache-2.0
#include "events/recorder.h"

#include "events/log.h"
#include "events/log_text.h"
#include <weft/error.h>

#include <algorithm>
#include <map>

namespace weft {

SpanRecorder::SpanRecorder(EventLog& log, EventChannel& channel, DeviceId device,
                           std::span<const TimedSite> sites)
    : channel_(channel),
      spacing_(log.spacing()),
      device_(static_cast<std::uint16_t>(device.value)) {
    log.expectSpansOf(device);
    std::map<NameIndex, std::uint32_t> sums;
    for (const TimedSite& timed : sites) {
        // The sum is over all ops of a layer that share pass and kind; the device stands in for
        // what differs per worker.
        SpanSite whole{.origin = timed.site.origin,
                       .pass = timed.site.pass,
                       .kind = timed.site.kind,
                       .layer = timed.site.layer};
        const NameIndex sumName = log.intern(siteText(whole), std::to_string(device.value));
        const auto [sum, isNew] =
            sums.try_emplace(sumName, static_cast<std::uint32_t>(sums_.size()));
        if (isNew) {
            sums_.push_back({sumName});
        }
        sites_.push_back({log.intern(siteText(timed.site)), timed.site.kind,
                          static_cast<std::uint16_t>(timed.lane), sum->second});
    }
    summedSince_ = channel_.now();
}

std::vector<NameIndex> SpanRecorder::names() const {
    std::vector<NameIndex> names;
    names.reserve(sites_.size());
    for (const Site& site : sites_) {
        names.push_back(site.name);
    }
    return names;
}

void SpanRecorder::record(std::int64_t step, std::span<const SpanTime> times) {
    ensure(times.size() == sites_.size(), "a recorder gets a time for each of its sites");
    std::size_t ran = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::int64_t duration = std::max<std::int64_t>(0, times[i].end - times[i].begin);
        sums_[sites_[i].sum].nanoseconds += duration;
        ran += duration > 0 ? 1 : 0;
    }
    ++stepsSummed_;
    const std::int64_t now = channel_.now();
    constexpr std::int64_t second = 1'000'000'000;
    if (now - summedSince_ >= second) {
        flush();
    }
    if (!spacing_.wants(step, now, eventSize * (ran + 1)) || !channel_.beginSpans(step, ran)) {
        return;
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i].end > times[i].begin) {
            channel_.span(sites_[i].name, sites_[i].kind, times[i].begin, times[i].end, device_,
                          sites_[i].lane);
        }
    }
    channel_.endSpans();
}

void SpanRecorder::flush() {
    for (Sum& sum : sums_) {
        if (sum.nanoseconds > 0) {
            channel_.profile(sum.name, stepsSummed_, {sum.nanoseconds});
        }
        sum.nanoseconds = 0;
    }
    stepsSummed_ = 0;
    summedSince_ = channel_.now();
}

} // namespace weft
