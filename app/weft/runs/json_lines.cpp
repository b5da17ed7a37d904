// SPDX-License-Identifier: Apache-2.0
#include "runs/json_lines.h"

#include "command_line/say.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

std::string_view nameOfReason(EndReason reason) {
    switch (reason) {
    case EndReason::done: return "done";
    case EndReason::stopped: return "stopped";
    case EndReason::failed: return "failed";
    case EndReason::lost: break;
    }
    return "lost";
}

class JsonLines final : public RunSink {
public:
    void take(const RunReader& reader, const RunNews& news) override {
        for (const Attempt& attempt : news.attempts) {
            say({{"event", "attempt"},
                 {"attempt", attempt.number},
                 {"steps_before", attempt.stepsBefore},
                 {"ranks", attempt.ranks},
                 {"devices", attempt.devices}});
        }
        for (const StepRecord& record : news.steps) {
            say(lineOf(record, reader.metrics()));
        }
        for (const RunMessage& message : news.messages) {
            say({{"event", "message"},
                 {"rank", message.rank},
                 {"level", message.level},
                 {"step", message.step},
                 {"text", message.text}});
        }
        for (const RunFile& file : news.checkpoints) {
            say({{"event", "checkpoint"}, {"step", file.step}, {"path", file.path}});
        }
        for (const RunFile& file : news.tensors) {
            say({{"event", "tensor"}, {"step", file.step}, {"path", file.path}});
        }
        for (const Error& failure : news.failures) {
            say({{"event", "failure"},
                 {"rank", failure.where().rank},
                 {"host", failure.where().host},
                 {"layer", failure.where().layer},
                 {"op", failure.where().op},
                 {"problem", failure.problem()},
                 {"remedy", failure.remedy()}});
        }
        for (const RunEnd& end : news.ends) {
            say({{"event", "end"},
                 {"reason", nameOfReason(end.reason)},
                 {"step", end.step},
                 {"text", end.text}});
        }
        std::fflush(stdout);
    }

private:
    static Json lineOf(const StepRecord& record, const std::vector<MetricInfo>& metrics) {
        Json line{{"event", "step"},
                  {"split", record.split == Split::train ? "train" : "evaluate"},
                  {"attempt", record.attempt},
                  {"step", record.step},
                  {"epoch", record.epoch},
                  {"seconds", record.seconds}};
        Json values = Json::object();
        for (const MetricValue& value : record.values) {
            values[metrics[value.metric].name] = value.value;
        }
        line["metrics"] = std::move(values);
        return line;
    }

    static void say(const Json& line) {
        weft::say("{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
};

} // namespace

std::unique_ptr<RunSink> makeJsonLines() { return std::make_unique<JsonLines>(); }

} // namespace weft
