// SPDX-License-Identifier: Apache-2.0
// The program with the stand-in for a GPU in it: it trains, is proved, observed, paused, killed and
// resumed as on any device.

#include "cli/sparse_design.h"
#include "cli/weft_process.h"
#include "gpu/sim_program.h"
#include "support/places.h"
#include "support/ranks.h"
#include <weft/devices.h>
#include <weft/runs.h>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <map>
#include <set>

using namespace weft;
using namespace weft::test;

class TestSimProgram : public SimProgramTest {
    Q_OBJECT

    /// `small.weft` on two devices; its run.
    [[nodiscard]] QString start(QProcess& process) const {
        const qsizetype before = runsIn(here()).size();
        process.setWorkingDirectory(here());
        process.start(simProgram(), {"run", "small.weft", "--devices", "sim:0,sim:1"});
        [&] { QTRY_VERIFY_WITH_TIMEOUT(runsIn(here()).size() > before, patience); }();
        return runsIn(here()).last();
    }

private Q_SLOTS:
    void init() { begin(); }

    void isListed() {
        const Ended ended = sim({"devices"});
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("sim:1"), qPrintable(ended.out));
        QVERIFY2(ended.out.contains("PCIe 3, 12.0 GB/s"), qPrintable(ended.out));
        QVERIFY2(ended.out.contains("NVLink 1, 60.0 GB/s"), qPrintable(ended.out));
        const QRegularExpression streams(
            "sim:0, sim:1 +up to 4, as streams of the GPU; one more copies batches "
            "+exact, tf32, bf16\n");
        QVERIFY2(ended.out.contains(streams), qPrintable(ended.out));
    }

    /// By a program of its own: this one has no such device.
    void isAskedForItsFreeMemory() {
        MachineReport report;
        report.machine.devices = {{.name = "sim:0", .backend = "sim"}, {.name = "cpu:0"}};
        askFreeMemory(report, simProgram().toStdString());
        QVERIFY(report.freeMemory.empty()); // nobody has memory of its own
        report.machine.devices.front().bus = LinkSheet{};
        askFreeMemory(report, here().toStdString() + "/none");
        QVERIFY(report.freeMemory.empty());
        askFreeMemory(report, simProgram().toStdString());
        QCOMPARE(report.freeMemory.size(), 1U);
        QVERIFY(report.freeMemory.at("sim:0").count > 0);
    }

    /// The plan matches the devices: a chip takes no cores of the host, a third chip is missing,
    /// and workers share their chip's.
    void isPlannedAsWhatItIs() {
        writeDesign(here() + "/small.weft", {.assign = "data"});
        const auto planned = [&](const QString& devices) {
            const Ended ended = sim({"plan", "small.weft", "--estimate", "--devices", devices});
            return ended.out + ended.error;
        };
        const QString two = planned("sim:0,sim:1");
        QVERIFY2(two.contains("NVLink 1") && !two.contains("W071"), qPrintable(two));
        const QString workers = planned("sim:0/0,sim:0/1");
        QVERIFY2(workers.contains("2 devices are on one GPU"), qPrintable(workers));
        QVERIFY2(workers.contains("one chip"), qPrintable(workers));
        const QString three = planned("sim:0,sim:1,sim:2");
        QVERIFY2(three.contains("this machine has 2"), qPrintable(three));
        QVERIFY2(planned("sim:0,cpu:0").contains("PCIe 3 and threads"), "through the host");
    }

    void trainsLikeTheProcessor_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<QString>("devices");
        QTest::newRow("one") << "follow"
                             << "sim:0";
        QTest::newRow("two by data") << "data"
                                     << "sim:0,sim:1";
        QTest::newRow("two by model") << "model.stack"
                                      << "sim:0,sim:1";
        QTest::newRow("beside the processor") << "data"
                                              << "sim:0,cpu:0";
        QTest::newRow("two workers on a chip") << "data"
                                               << "sim:1/0,sim:1/1";
        QTest::newRow("two workers by model") << "model.stack"
                                              << "sim:0/0,sim:0/1";
    }
    void trainsLikeTheProcessor() {
        QFETCH(QString, assign);
        QFETCH(QString, devices);
        writeDesign(here() + "/small.weft", {});
        const std::vector<double> one = trained("cpu:0");
        QVERIFY(one.size() > 10);
        writeDesign(here() + "/small.weft", {.assign = assign});
        const double difference = largestDifference(one, trained(devices));
        QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    }

    /// Batches are brought ahead for whichever kind of step comes next; an evaluation between has
    /// its own.
    void evaluatesBetweenSteps() {
        writeDesign(here() + "/small.weft", {.steps = 6});
        const auto numbersOn = [&](const char* device) {
            const Ended ended =
                sim({"run", "small.weft", "--devices", device, "--set", "training.sync_every=2",
                     "--set", "training.evaluate_every=3", "--set", "data.validation=0.2"});
            [&] { QVERIFY2(ended.code == 0, qPrintable(ended.error)); }();
            std::map<std::string, std::vector<double>> numbers;
            for (const MetricSeries& series : openRun(runsIn(here()).last().toStdString()).series) {
                const bool isTrained = series.split == Split::train;
                numbers[series.metric.name + (isTrained ? " trained" : " evaluated")] =
                    series.values;
            }
            return numbers;
        };
        const auto one = numbersOn("cpu:0");
        const auto other = numbersOn("sim:0");
        for (const auto& [name, values] : one) {
            if (name.starts_with("loss") || name.starts_with("accuracy")) {
                QVERIFY2(largestDifference(values, other.at(name)) < 1e-4, name.c_str());
            }
        }
        QCOMPARE(one.at("loss trained").size(), std::size_t{6});
        QCOMPARE(one.at("loss evaluated").size(), std::size_t{2});
    }

    /// The plan names the communicator in use, and all communicators give the same result.
    void meetsWithoutTheHosts() {
        const auto write = [&](const char* communicator) {
            writeDesign(here() + "/small.weft", {.assign = "data", .communicator = communicator});
        };
        const auto communicators = [&] {
            const Ended plan = sim({"plan", "small.weft", "--json", "--devices", "sim:0,sim:1"});
            QSet<QString> names;
            const auto rows = QJsonDocument::fromJson(plan.out.toUtf8())["collectives"].toArray();
            for (const QJsonValue row : rows) {
                names << row["communicator"].toString();
            }
            return names;
        };
        write("host");
        QCOMPARE(communicators(), QSet<QString>{"host"});
        const std::vector<double> staged = trained("sim:0,sim:1");
        write("devices");
        QCOMPARE(communicators(), QSet<QString>{"nccl"});
        const double difference = largestDifference(staged, trained("sim:0,sim:1"));
        QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
        const Ended refused = sim({"run", "small.weft", "--devices", "sim:0,cpu:0"});
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.error.contains("cpu:0 is not a device of sim"), qPrintable(refused.error));
        write("chosen");
        QCOMPARE(communicators(), QSet<QString>{"nccl"});
        const Ended plan = sim({"plan", "small.weft", "--devices", "sim:0,cpu:0"});
        QVERIFY2(plan.out.contains("through the hosts: cpu:0 is not a device of sim"),
                 qPrintable(plan.out));
    }

    /// Each has room enough, both have not: whether they are of one process or of two.
    void refusesWhatWorkersOfAChipCannotHoldTogether_data() {
        QTest::addColumn<int>("ranks");
        QTest::newRow("one process") << 1;
        QTest::newRow("two") << 2;
    }
    void refusesWhatWorkersOfAChipCannotHoldTogether() {
        QFETCH(const int, ranks);
        if (const QString why = whyNoRanks(); ranks > 1 && !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        writeDesign(here() + "/small.weft", {.assign = "model.stack"});
        QByteArray design = bytesOf(here() + "/small.weft");
        writeBytes(here() + "/small.weft", design.replace(R"("units": 30)", R"("units": 2000000)"));
        const auto overflows = [&](const QString& devices) {
            const Ended plan = sim({"plan", "small.weft", "--devices", devices});
            return (plan.out + plan.error).contains("W070");
        };
        QVERIFY(!overflows("sim:0,sim:1"));
        QVERIFY(overflows("sim:0/0,sim:0/1"));
        QStringList words{"run", "small.weft", "--devices", "sim:0/0,sim:0/1"};
        if (ranks > 1) {
            words << "--ranks" << QString::number(ranks);
        }
        const Ended ended = sim(words);
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("sim:0/0 and 1 more with data.batch") &&
                     ended.error.contains("16.0 GB are there"),
                 qPrintable(ended.error));
    }

    /// Another process, or a library of this one, may have a part of it.
    void takesWhatIsLeftOfAChip() {
        writeDesign(here() + "/small.weft", {.steps = 4});
        const auto run = [&](const char* taken) {
            return startedBy("env", {QString("WEFT_SIM_TAKEN=%1").arg(taken), simProgram()},
                             {"run", "small.weft", "--devices", "sim:1"}, here());
        };
        const Ended refused = run("15999999500");
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.error.contains("sim:1 with data.batch 30 needs ") &&
                     refused.error.contains("and 500 B are there"),
                 qPrintable(refused.error));
        QCOMPARE(run("15000000000").code, 0);
        const Ended told =
            startedBy("env", {"WEFT_SIM_TAKEN=15000000000", simProgram()}, {"devices"}, here());
        QVERIFY2(told.out.contains("16.0 GB, 1.00 GB free"), qPrintable(told.out));
    }

    /// By CUDA's own kernels, under the emulator.
    void trainsByItsOwnKernels() {
        writeDesign(here() + "/small.weft", {.steps = 4});
        const std::vector<double> one = trained("cpu:0");
        const Ended ended = startedBy("env", {"WEFT_SIM_KERNELS=cuda", simProgram()},
                                      {"run", "small.weft", "--devices", "sim:0"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const double difference = largestDifference(one, lossesOf(runsIn(here()).last()));
        QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    }

    /// Steps of which nobody asks the times come from what was captured, and have a span for each
    /// part.
    void repeatsWhatItCaptured() {
        constexpr int steps = 600;
        writeDesign(here() + "/small.weft", {.steps = steps, .assign = "data"});
        QCOMPARE(trained("sim:0,sim:1").size(), std::size_t{steps});
        const Timeline timeline = readTimeline(runsIn(here()).last().toStdString(), 1, steps);
        verify(timeline);
        std::map<std::int64_t, std::set<std::string>> repeats; // by step, of both devices
        std::map<std::int64_t, std::size_t> spans;
        std::map<std::pair<DeviceId, std::uint32_t>, std::size_t> feeds; // by stream
        std::set<std::pair<DeviceId, std::uint32_t>> others;
        for (const TimelineSpan& span : timeline.spans) {
            const SpanSite& site = timeline.siteOf(span);
            if (site.kind == SpanKind::feed) {
                ++feeds[{span.device, span.stream}];
                QVERIFY(span.duration.count > 0);
                continue;
            }
            others.emplace(span.device, span.stream);
            ++spans[span.step];
            if (site.kind == SpanKind::repeat) {
                repeats[span.step].insert(site.op);
                QVERIFY2(span.duration.count > 0 && site.layer.empty(), site.op.c_str());
            }
        }
        QCOMPARE(feeds.size(), std::size_t{2}); // one per device
        for (const auto& [stream, count] : feeds) {
            QVERIFY(count > 20 && !others.contains(stream));
        }
        for (std::int64_t step = 1; step <= 20; ++step) {
            QVERIFY(spans.contains(step));
        }
        std::size_t repeated = 0;
        for (const auto& [step, count] : spans) {
            const bool isTold = step <= 20 || step % 16 == 0;
            QCOMPARE(repeats.contains(step), !isTold);
            QVERIFY(isTold || count < spans[1]);
            repeated += isTold ? 0 : 1;
        }
        QVERIFY2(repeated > 100, qPrintable(QString::number(repeated)));
        const Ended ended =
            sim({"explain", "small.weft", "--devices", "sim:0,sim:1", "--stage", "programs"});
        for (const std::string& name : repeats.begin()->second) { // as explain calls it
            QVERIFY2(
                ended.out.contains(QString::fromStdString("captured and replayed: " + name + "\n")),
                qPrintable(ended.out));
        }
        QVERIFY2(ended.out.contains("captured and replayed: "), qPrintable(ended.out));
        QVERIFY2(ended.out.contains("launched step by step: "), qPrintable(ended.out));
    }

    /// A processor keeps filters as its kernels command, a chip as they were given: what both hold
    /// and add is one for both, whether they are of one process or of two.
    void trainsBesideAProcessorThatKeepsItsFiltersOtherwise_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("updates");
        QTest::newRow("one process") << 1 << 1;
        QTest::newRow("sums of two steps") << 1 << 2;
        QTest::newRow("two processes") << 2 << 1;
    }
    void trainsBesideAProcessorThatKeepsItsFiltersOtherwise() {
        QFETCH(const int, ranks);
        QFETCH(const int, updates);
        if (const QString why = whyNoRanks(); ranks > 1 && !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        writeDesign(here() + "/small.weft", {.assign = "data", .syncEvery = updates});
        QByteArray design = bytesOf(here() + "/small.weft");
        const QByteArray filters = R"("filters": 16, "kernel": 5, "stride": 2}},
  {"id": 9, "name": "conv2", "kind": "conv2d", "with": {"filters": 16, "kernel": 3}},)";
        design.replace(R"("filters": 6, "kernel": 5, "stride": 2}},)", filters);
        design.replace("conv.y -> relu.x", R"(conv.y -> conv2.x", "conv2.y -> relu.x)");
        writeBytes(here() + "/small.weft", design);
        QStringList words{"WEFT_SIM_KERNELS=cuda", simProgram(), "prove", "small.weft"};
        words << "--devices"
              << "sim:0,cpu:0";
        if (ranks > 1) {
            words << "--ranks" << QString::number(ranks);
        }
        const Ended ended = startedBy("env", words, {}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
    }

    void isProved() {
        writeDesign(here() + "/small.weft", {.assign = "data"});
        const Ended ended = sim({"prove", "small.weft", "--devices", "sim:0,sim:1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
    }

    /// Its own kernels agree on how maps lie.
    void reordersNothing() {
        const auto digits = sourceFolder() / "projects/quickstart-digits/design.weft";
        const Ended ended = startedBy("env", {"WEFT_SIM_KERNELS=cuda", simProgram()},
                                      {"explain", QString::fromStdString(digits.string()),
                                       "--devices", "sim:0", "--stage", "kernels"},
                                      here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2(ended.out.contains("max_pool2d_gradient"), qPrintable(ended.out));
        QVERIFY2(!ended.out.contains("reorder"), qPrintable(ended.out));
    }

    /// Ops without a kernel on the device are listed as host fallbacks.
    void explainsWhatGoesThroughTheHost() {
        const auto sparse = sourceFolder() / "projects/lca-dictionary/design.weft";
        const QString design = QString::fromStdString(sparse.string());
        const Ended ended = sim({"explain", design, "--devices", "sim:0", "--stage", "kernels"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2(ended.out.contains("reference on the host"), qPrintable(ended.out));
    }

    /// Sparse coding, with rounds in one step and what goes through the host.
    void learnsADictionary() {
        writeSparse(here() + "/small.weft", {.assign = "batch"});
        const std::vector<double> one = trained("cpu:0");
        QVERIFY(one.size() > 5);
        const double difference = largestDifference(one, trained("sim:0,sim:1"));
        QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    }

    void isPausedAndObserved() {
        writeDesign(here() + "/small.weft",
                    {.steps = endless, .checkpointEvery = endless, .assign = "data"});
        QProcess process;
        const QString run = start(process);
        const auto tell = [&](const QStringList& command) {
            return sim(QStringList{"tell", run} + command).code;
        };
        QTRY_COMPARE_WITH_TIMEOUT(tell({"pause"}), 0, patience);
        QTRY_VERIFY_WITH_TIMEOUT(openRun(run.toStdString()).summary.isPaused, patience);
        QCOMPARE(tell({"save"}), 0);
        const QDir saved(run + "/checkpoints");
        QTRY_COMPARE_WITH_TIMEOUT(saved.entryList(QDir::Files).size(), 1, patience);
        QCOMPARE(tell({"observe", "conv"}), 0);
        QCOMPARE(tell({"resume"}), 0);
        const auto isThere = [&] {
            return QDir(run + "/tensors").entryList(QDir::Files).join(' ').contains("conv.y.npy");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(), patience);
        QCOMPARE(tell({"stop"}), 0);
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 0);
    }

    void losesNothingToAKill() {
        writeDesign(here() + "/small.weft", {.steps = 60, .checkpointEvery = 3, .assign = "data"});
        const std::vector<double> whole = trained("sim:0,sim:1");
        QCOMPARE(whole.size(), 60U);
        QProcess process;
        const QString run = start(process);
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(run).size() > 10, patience);
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(patience));
        const Ended resumed = sim({"resume", run});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(lossesOf(run), whole);
    }
};

std::unique_ptr<QObject> makeTestSimProgram() { return std::make_unique<TestSimProgram>(); }
#include "tst_sim_program.moc"
