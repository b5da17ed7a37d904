// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include "events/sinks/growing_file.h"
#include "events/sinks/sink_list.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace weft::sinks {

namespace {

/// metrics.jsonl: one line per step and per evaluation. Derived line by line from the event log, so
/// a file cut short by a kill is completed from where it ends.
class Metrics final : public RunSink {
public:
    explicit Metrics(const std::filesystem::path& folder)
        : Metrics(folder / "metrics.jsonl", wholeLinesOf(folder / "metrics.jsonl")) {}

    void take(const RunReader& reader, const RunNews& news) override {
        for (const StepRecord& record : news.steps) {
            if (written_ > 0) {
                --written_;
                continue;
            }
            file_.append(lineOf(record, reader.metrics()) + '\n');
        }
        file_.flush();
    }

    void finish() override { file_.finish(); }

private:
    Metrics(std::filesystem::path path, WholeLines lines)
        : file_(std::move(path), lines.bytes), written_(lines.count) {}

    static std::string lineOf(const StepRecord& record, const std::vector<MetricInfo>& metrics) {
        Json line{{"step", record.step},
                  {"split", record.split == Split::train ? "train" : "evaluate"},
                  {"epoch", rounded(record.epoch)},
                  {"attempt", record.attempt},
                  {"time", std::round(static_cast<double>(record.time) / 1e3) / 1e6},
                  {"seconds", rounded(record.seconds)}};
        for (const MetricValue& value : record.values) {
            const std::string& name = metrics[value.metric].name;
            line[line.contains(name) ? "metric." + name : name] = value.value;
        }
        return jsonText(line);
    }

    /// Formats a float with its own digits instead of those of the double.
    static Json rounded(float value) {
        return std::isfinite(value) ? Json::parse(fmt::format("{}", value)) : Json(nullptr);
    }

    GrowingFile file_;
    std::uint64_t written_; ///< number of existing lines to skip
};

} // namespace

void metrics(SinkList& list) {
    list.kinds.push_back(
        {{"metrics", "writes metrics.jsonl: a line per step and per evaluation"},
         [](const SinkPlace& place) { return std::make_unique<Metrics>(place.folder); }});
}

} // namespace weft::sinks
