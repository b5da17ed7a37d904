// SPDX-License-Identifier: Apache-2.0
#include "events/sinks/sink_list.h"

#include <weft/error.h>

#include <fmt/format.h>

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

std::unique_ptr<RunSink> makeSink(std::string_view name, const SinkPlace& place) {
    SinkList list;
    sinks::fill(list);
    std::string known;
    for (const SinkKind& kind : list.kinds) {
        if (kind.info.name == name) {
            return kind.make(place);
        }
        known += (known.empty() ? "" : ", ") + kind.info.name;
    }
    throw Error(ErrorCode::usage, {}, fmt::format("there is no sink '{}'", name),
                fmt::format("choose one of {}", known));
}

} // namespace weft
