// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/text/json.h"
#include <weft/sinks.h>

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

namespace {

Timeline sample() {
    Timeline timeline;
    timeline.devices = {{DeviceId{0}, "cpu:0"}};
    timeline.sites = {
        {.origin = {LayerId{1}}, .layer = "conv\"1\"", .op = "conv2d", .flops = {1000}},
        {.origin = {LayerId{1}},
         .pass = Pass::backward,
         .kind = SpanKind::communicate,
         .layer = "conv\"1\"",
         .op = "all-reduce",
         .bytes = {64}}};
    timeline.spans = {{DeviceId{0}, 0, 0, 1, {1500}, {2000}},
                      {DeviceId{0}, 1, 1, 1, {3500}, {500}},
                      {DeviceId{1}, 0, 0, 2, {5000}, {123'456'789}}};
    timeline.steps = {{1, {1000}, {3000}}, {2, {4000}, {123'458'000}}, {3, {123'462'000}, {7}}};
    timeline.clockError = {1234};
    return timeline;
}

} // namespace

class TestTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicesAreProcessesAndStreamsAreThreads() {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("trace.json").toStdString();
        writeTrace(sample(), path);
        const Json trace = readJsonFile(path);
        std::map<std::pair<int, int>, std::string> streams;
        std::map<int, std::string> processes;
        std::vector<Json> spans;
        for (const Json& event : trace.at("traceEvents")) {
            const int process = event.at("pid").get<int>();
            if (event.at("ph") == "X") {
                spans.push_back(event);
            } else if (event.at("name") == "process_name") {
                processes[process] = event.at("args").at("name").get<std::string>();
            } else if (event.at("name") == "thread_name") {
                streams[{process, event.at("tid").get<int>()}] =
                    event.at("args").at("name").get<std::string>();
            }
        }
        QVERIFY(
            (processes == std::map<int, std::string>{{0, "steps"}, {1, "cpu:0"}, {2, "device 1"}}));
        QCOMPARE(streams.at({1, 0}), std::string("compute 0"));
        QCOMPARE(streams.at({1, 1}), std::string("communication 1"));
        QCOMPARE(streams.at({0, 0}), std::string("training steps"));
        QCOMPARE(spans.size(), std::size_t{6});
        // Every step that was recorded, whether or not its spans were kept.
        QCOMPARE(spans[0].at("name").get<std::string>(), std::string("step 1"));
        QCOMPARE(spans[0].at("dur").get<double>(), 3.0);
        QCOMPARE(spans[2].at("name").get<std::string>(), std::string("step 3"));
        QCOMPARE(trace.at("otherData").at("clock_error_ns").get<int>(), 1234);
        spans.erase(spans.begin());
        QCOMPARE(spans[2].at("name").get<std::string>(), std::string("conv\"1\": conv2d"));
        QCOMPARE(spans[2].at("ts").get<double>(), 1.5);
        QCOMPARE(spans[2].at("dur").get<double>(), 2.0);
        QCOMPARE(spans[2].at("args").at("flops").get<int>(), 1000);
        QCOMPARE(spans[3].at("args").at("pass").get<std::string>(), std::string("backward"));
        QCOMPARE(spans[3].at("cat").get<std::string>(), std::string("communicate"));
        QCOMPARE(spans[4].at("dur").get<double>(), 123456.789);
    }

    void nothingMeasuredIsAValidTraceToo() {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("trace.json").toStdString();
        writeTrace(Timeline{}, path);
        QVERIFY(readJsonFile(path).at("traceEvents").is_array());
    }
};

std::unique_ptr<QObject> makeTestTrace() { return std::make_unique<TestTrace>(); }
#include "tst_trace.moc"
