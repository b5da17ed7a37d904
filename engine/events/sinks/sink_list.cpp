// SPDX-License-Identifier: Apache-2.0
#include "events/sinks/sink_list.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::vector<SinkInfo> sinkKinds() {
    SinkList list;
    sinks::fill(list);
    std::vector<SinkInfo> infos;
    infos.reserve(list.kinds.size());
    for (SinkKind& kind : list.kinds) {
        infos.push_back(std::move(kind.info));
    }
    return infos;
}

void requireSink(std::string_view name) {
    std::string known;
    for (const SinkInfo& info : sinkKinds()) {
        if (info.name == name) {
            return;
        }
        known += (known.empty() ? "" : ", ") + info.name;
    }
    throw Error(ErrorCode::usage, {}, fmt::format("there is no output format '{}'", name),
                "choose one of " + known);
}

std::unique_ptr<RunSink> makeSink(std::string_view name, const SinkPlace& place) {
    requireSink(name);
    SinkList list;
    sinks::fill(list);
    const auto kind = std::ranges::find_if(
        list.kinds, [&](const SinkKind& one) { return one.info.name == name; });
    return kind->make(place);
}

} // namespace weft
