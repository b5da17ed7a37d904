// SPDX-License-Identifier: Apache-2.0
#include "../samples.h"
#include "base/files/files.h"
#include "base/text/json.h"
#include <weft/sinks.h>

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <memory>
#include <sstream>

using namespace weft;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::vector<Json> linesOf(const fs::path& path) {
    std::istringstream text(readFile(path, 1 << 24));
    std::vector<Json> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(parseJson(line, "metrics.jsonl"));
    }
    return lines;
}

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aLinePerStepAndPerEvaluation() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("trainer");
            channel.metric(1, log.intern("loss"), 2.5);
            channel.metric(1, log.intern("learning_rate"), 0.1);
            channel.metric(1, log.intern("gradient_norm"), std::nan(""));
            channel.metric(1, log.intern("throughput", "examples/s"), 1234.5);
            channel.metric(1, log.intern("step"), 7);
            channel.step(1, 0.1F, 0.3F);
            channel.metric(1, log.intern("accuracy"), 0.75, Split::evaluate);
            channel.step(1, 0.5F, 0.3F, Split::evaluate);
        }
        writeFile();
        const auto lines = linesOf(path());
        QCOMPARE(lines.size(), std::size_t{2});
        const Json& step = lines[0];
        QCOMPARE(step.at("step").get<int>(), 1);
        QCOMPARE(step.at("split").get<std::string>(), std::string("train"));
        QCOMPARE(step.at("epoch").get<double>(), 0.3);
        QCOMPARE(step.at("seconds").get<double>(), 0.1);
        QCOMPARE(step.at("loss").get<double>(), 2.5);
        QCOMPARE(step.at("learning_rate").get<double>(), 0.1);
        QVERIFY(step.at("gradient_norm").is_null());
        QCOMPARE(step.at("throughput").get<double>(), 1234.5);
        QCOMPARE(step.at("metric.step").get<double>(), 7.0);
        QCOMPARE(lines[1].at("split").get<std::string>(), std::string("evaluate"));
        QCOMPARE(lines[1].at("accuracy").get<double>(), 0.75);
        QVERIFY(!lines[1].contains("loss"));
    }

    void aFileCutAnywhereIsCompleted() {
        test::writeSteps(here(), test::quickSettings(), 1, 5);
        writeFile();
        const std::string whole = readFile(path(), 1 << 20);
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            fs::resize_file(path(), size);
            writeFile();
            QCOMPARE(readFile(path(), 1 << 20), whole);
        }
    }

    void aResumedRunIsAppended() {
        test::writeSteps(here(), test::quickSettings(), 1, 5);
        writeFile();
        test::writeSteps(here(), test::quickSettings(2, 4), 4, 6);
        writeFile();
        const auto lines = linesOf(path());
        QCOMPARE(lines.size(), std::size_t{8});
        QCOMPARE(lines[5].at("step").get<int>(), 4);
        QCOMPARE(lines[5].at("attempt").get<int>(), 2);
    }

    void whatTheRunSaidIsInItsLog() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("trainer");
            channel.text(TextLevel::note, 3, "first\nsecond");
            channel.text(TextLevel::warning, 4, "slow");
        }
        for (int time = 0; time < 2; ++time) {
            follow("log");
            const std::string text = readFile(here() / "log.txt", 1 << 20);
            QVERIFY(text.starts_with("2023-11-14T22:13:2"));
            QVERIFY(text.find("Z rank 0 step 3: first / second\n") != std::string::npos);
            QVERIFY(text.ends_with("Z rank 0 step 4: warning: slow\n"));
            QCOMPARE(std::count(text.begin(), text.end(), '\n'), 2);
        }
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }
    [[nodiscard]] fs::path path() const { return here() / "metrics.jsonl"; }

    void writeFile() const { follow("metrics"); }

    void follow(std::string_view name) const {
        SinkPlace place;
        place.folder = here();
        RunReader reader(here());
        const std::unique_ptr<RunSink> sinks[] = {makeSink(name, place)};
        followRun(reader, sinks, {}, [](const Error& error) { QFAIL(error.what()); });
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestMetrics() { return std::make_unique<TestMetrics>(); }
#include "tst_metrics.moc"
