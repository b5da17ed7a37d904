// SPDX-License-Identifier: Apache-2.0
#include "schedule/feeds_ahead.h"

#include "graph/graph.h"
#include "schedule/predict/price.h"

namespace weft {

namespace {

/// Alignment of the parts.
constexpr std::int64_t line = 256;

std::int64_t roundedUp(std::int64_t bytes) { return (bytes + line - 1) / line * line; }

} // namespace

std::vector<PrefetchedFeed> prefetchedFeeds(const Program& program) {
    std::vector<PrefetchedFeed> ahead;
    const Graph& graph = *program.plan->graph;
    std::int64_t offset = 0;
    for (std::size_t f = 0; f < program.feeds.size(); ++f) {
        const ProgramPort& port = program.feeds[f];
        if (program.isAsynchronous && port.isHeld && graph.feeds[f].kind == FeedKind::data) {
            ahead.push_back({f, offset});
            offset += roundedUp(port.buffer.size.count);
        }
    }
    return ahead;
}

Bytes prefetchBytes(const Program& program) {
    const std::vector<PrefetchedFeed> ahead = prefetchedFeeds(program);
    return {ahead.empty() ? 0
                          : ahead.back().offset +
                                roundedUp(program.feeds[ahead.back().feed].buffer.size.count)};
}

BatchCopyPrice batchCopyPriceOf(const Program& program, const DeviceSheet& sheet) {
    BatchCopyPrice feeding;
    const std::vector<PrefetchedFeed> ahead = prefetchedFeeds(program);
    for (const PrefetchedFeed& one : ahead) {
        feeding.bytes += program.feeds[one.feed].buffer.size;
    }
    if (!ahead.empty()) {
        const Price price =
            communicationPrice(busOf(sheet), feeding.bytes, static_cast<int>(ahead.size()));
        feeding.time = price.time;
        feeding.band = price.band;
    }
    return feeding;
}

} // namespace weft
