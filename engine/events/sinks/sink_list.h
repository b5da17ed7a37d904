// SPDX-License-Identifier: Apache-2.0
#pragma once
// The list of sinks, one file each. To add a sink: its file, and one word in this folder's list.

#include <weft/sinks.h>

#include <functional>
#include <memory>
#include <vector>

namespace weft {

struct SinkKind {
    SinkInfo info;                                                  ///< name and help
    std::function<std::unique_ptr<RunSink>(const SinkPlace&)> make; ///< creates the sink
};

struct SinkList {
    std::vector<SinkKind> kinds;
};

namespace sinks {

/// Written by CMake from the list in this folder's CMakeLists.txt.
void fill(SinkList& list);

} // namespace sinks

} // namespace weft
