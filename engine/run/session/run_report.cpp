// SPDX-License-Identifier: Apache-2.0
#include "run/session/run_report.h"

#include "base/process/threads.h"
#include "events/figures_file.h"
#include <weft/error.h>

#include <utility>

namespace weft {

RunReport::RunReport(const std::filesystem::path& folder, std::uint32_t attempt,
                     std::vector<std::string> sinks) {
    SinkPlace place;
    place.folder = folder;
    sinks.insert(sinks.begin(), {"metrics", "log"});
    for (const std::string& name : sinks) {
        sinks_.push_back(makeSink(name, place));
    }
    thread_ = startThread("report", [this, folder, attempt](const std::stop_token& stop) {
        try {
            RunReader reader(folder);
            followRun(reader, sinks_, stop,
                      [this](const Error& error) { problems_.emplace_back(error.what()); });
            writeFigures(folder, attempt, reader.figures());
        } catch (const Error& error) {
            problems_.emplace_back(error.what());
        }
    });
}

std::vector<std::string> RunReport::finish() {
    thread_.request_stop();
    thread_.join();
    return std::move(problems_);
}

} // namespace weft
