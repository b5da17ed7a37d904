// SPDX-License-Identifier: Apache-2.0
#include "events/span_reader.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

// Largest numbers of incomplete steps and of their spans in memory: a step whose worker died never
// completes.
constexpr std::size_t mostPending = 64;
constexpr std::size_t mostSpans = std::size_t{4} << 20U;

} // namespace

SpanReader::SpanReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

bool SpanReader::openNext() {
    for (const SegmentInfo& segment : segmentsIn(folder_)) {
        if (segment.number > segment_.covers) {
            try {
                file_.emplace(segmentPath(folder_, segment.number));
            } catch (const Error&) {
                return false; // merged into another segment meanwhile: retry
            }
            segment_ = segment;
            return true;
        }
    }
    return false;
}

void SpanReader::take(const EventView& event, std::vector<RankStep>& whole) {
    Key key;
    if (event.head.kind == EventKind::stepSpans) {
        const auto part = event.as<StepSpansEvent>();
        key = {segment_.attempt, part.step};
        Pending& pending = pending_[key];
        ++pending.parts;
        pending.missing += part.count;
    } else if (event.head.kind == EventKind::span) {
        const auto span = event.as<SpanEvent>();
        key = {segment_.attempt, span.step};
        const auto found = pending_.find(key);
        if (found == pending_.end() || found->second.missing == 0 ||
            found->second.spans.size() >= mostSpans) {
            return;
        }
        found->second.spans.push_back(span);
        --found->second.missing;
    } else {
        return;
    }
    const auto found = pending_.find(key);
    if (found->second.missing == 0 && found->second.parts >= segment_.parts) {
        whole.push_back({key.first, key.second, std::move(found->second.spans)});
        pending_.erase(found);
    } else if (pending_.size() > mostPending) {
        pending_.erase(pending_.begin());
    }
}

bool SpanReader::read(std::size_t bytes, std::vector<RankStep>& whole) {
    std::uint64_t left = bytes;
    while (left > 0) {
        if (!file_ && !openNext()) {
            return false;
        }
        const std::uint64_t before = file_->position();
        auto frame = file_->next();
        if (!frame) {
            // Once there is a later segment, the writer has left this one, so all its content is
            // there.
            const bool isLeft = lastSegment(folder_) > segment_.covers;
            frame = isLeft ? file_->next() : std::nullopt;
            if (!frame && (!isLeft || !openNext())) {
                return false;
            }
            if (!frame) {
                continue;
            }
        }
        std::span<const std::byte> events = *frame;
        while (!events.empty()) {
            take(takeEvent(events), whole);
        }
        left -= std::min(left, file_->position() - before);
    }
    return true;
}

} // namespace weft
