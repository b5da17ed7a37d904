// SPDX-License-Identifier: Apache-2.0
// The times of a run with two ranks are right: on one clock, and with different clocks, which a
// time namespace provides.
#include "cli/weft_process.h"
#include "support/places.h"
#include "support/ranks.h"
#include "support/test_main.h"
#include "trace_reader.h"
#include <weft/runs.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <limits>
#include <map>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

const QStringList otherClock{"unshare", "-T", "--monotonic=5000"};

/// One rank each of two programs, of which the one so numbered reads another clock.
Ended onTwoClocks(int elsewhere, const QStringList& arguments, const QString& folder) {
    QStringList line{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"};
    for (int rank = 0; rank < 2; ++rank) {
        line << (rank == 0 ? QStringList{} : QStringList{":"}) << "-n"
             << "1" << (rank == elsewhere ? otherClock : QStringList{})
             << QString::fromStdString(weftProgram().string()) << arguments;
    }
    return startedBy("mpirun", line, {}, folder);
}

Timeline spansOf(const QString& run) {
    return readTimeline(run.toStdString(), 0, std::numeric_limits<std::int64_t>::max());
}

/// When a device came to a collective, and when it left.
struct Stay {
    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    std::int64_t waited = 0; ///< waiting time since the step's begin
    bool sends = false;
};

using Stays = std::map<DeviceId, Stay>;

/// By step, layer and op; only what both devices were in.
std::vector<Stays> staysOf(const Timeline& timeline) {
    std::map<std::tuple<std::int64_t, std::string, std::string>, Stays> all;
    for (const TimelineSpan& span : timeline.spans) {
        const SpanSite& site = timeline.siteOf(span);
        if (site.kind != SpanKind::communicate && site.kind != SpanKind::wait) {
            continue;
        }
        Stay& stay = all[{span.step, site.layer, site.op}][span.device];
        stay.begin = std::min(stay.begin, span.begin.count);
        stay.end = std::max(stay.end, (span.begin + span.duration).count);
        stay.waited += site.kind == SpanKind::wait ? span.duration.count : 0;
        stay.sends = stay.sends || site.bytes.count > 0;
    }
    std::vector<Stays> both;
    for (const auto& [what, stays] : all) {
        if (stays.size() == 2) {
            both.push_back(stays);
        }
    }
    return both;
}

/// Nobody has what another has not begun to send: where all send, their stays overlap. And nobody
/// who has waited has done with that before all of those have come.
QString faultOfStays(const std::vector<Stays>& collectives, std::int64_t error) {
    for (const Stays& stays : collectives) {
        for (const auto& [from, sender] : stays) {
            for (const auto& [to, receiver] : stays) {
                if (sender.sends && receiver.end + error < sender.begin) {
                    return QString("device %1 has left %2 ns before device %3 came")
                        .arg(to.value)
                        .arg(sender.begin - receiver.end)
                        .arg(from.value);
                }
                if (sender.sends && receiver.sends && receiver.waited > 0 &&
                    receiver.begin + receiver.waited + error < sender.begin) {
                    return QString("device %1 waits no more before device %2 came")
                        .arg(to.value)
                        .arg(from.value);
                }
            }
        }
    }
    return {};
}

std::set<qint64> recordedSteps(const QString& run) {
    std::set<qint64> steps;
    for (const QByteArray& line : bytesOf(run + "/metrics.jsonl").split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line).object();
        if (record["split"].toString() == "train") {
            steps.insert(record["step"].toInteger());
        }
    }
    return steps;
}

QString faultOfTraceOf(const QString& run, const QString& folder) {
    const Ended shown = test::weft({"show", run, "--trace", "trace.json"}, folder);
    return shown.code == 0 ? faultOfTrace(bytesOf(folder + "/trace.json"), recordedSteps(run))
                           : shown.error;
}

} // namespace

class TestRankTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void standOnOneClock_data() {
        QTest::addColumn<int>("elsewhere");
        QTest::addColumn<QString>("assign");
        QTest::newRow("one clock, data") << -1 << "data";
        QTest::newRow("one clock, model.stack") << -1 << "model.stack";
        QTest::newRow("rank 1 reads another") << 1 << "data";
        QTest::newRow("rank 0 reads another") << 0 << "model.stack";
    }
    void standOnOneClock() {
        QFETCH(const int, elsewhere);
        QFETCH(const QString, assign);
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        if (elsewhere >= 0 && QProcess::execute(otherClock[0], otherClock.mid(1) << "true") != 0) {
            QSKIP("needs the right to make a time namespace");
        }
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {.steps = 40, .assign = assign});
        const Ended ended = elsewhere < 0
                                ? test::weft({"run", "small.weft", "--ranks", "2"}, folder.path())
                                : onTwoClocks(elsewhere, {"run", "small.weft"}, folder.path());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(folder.path()).value(0);
        const Timeline timeline = spansOf(run);
        verify(timeline);
        QCOMPARE(timeline.clockError.count > 0, elsewhere >= 0);
        // Far less than the clocks are apart.
        QVERIFY(timeline.clockError.count < 1'000'000'000);
        const std::vector<Stays> collectives = staysOf(timeline);
        QVERIFY(collectives.size() >= 20);
        const QString fault = faultOfStays(collectives, timeline.clockError.count);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        QCOMPARE(faultOfTraceOf(run, folder.path()), QString());
        const Ended compared = test::weft({"compare", run, "--json"}, folder.path());
        const QJsonObject said = QJsonDocument::fromJson(compared.out.toUtf8()).object();
        QVERIFY2(said["measured_waiting_ns"].toDouble() > 0, qPrintable(compared.out));
    }

    void aTraceHasEveryStepOfEveryAttempt() {
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft",
                    {.steps = 60, .checkpointEvery = 60, .assign = "data"});
        const QStringList devices{"--devices", "cpu:0,cpu:1"};
        const Ended first = test::weft(QStringList{"run", "small.weft"} + devices, folder.path());
        QVERIFY2(first.code == 0, qPrintable(first.error));
        const QString run = runsIn(folder.path()).value(0);
        QCOMPARE(recordedSteps(run).size(), std::size_t{60});
        QCOMPARE(faultOfTraceOf(run, folder.path()), QString());
        writeDesign(run + "/design.weft", {.steps = 90, .checkpointEvery = 60, .assign = "data"});
        const Ended resumed = test::weft(QStringList{"resume", run} + devices, folder.path());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(recordedSteps(run).size(), std::size_t{90});
        QCOMPARE(faultOfTraceOf(run, folder.path()), QString());
    }

    void whatIsNoTraceIsSeen() {
        const QByteArray named = R"({"traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "cpu:0"}},
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "compute"}},
            {"ph": "X", "name": "a", "pid": 1, "tid": 0, "ts": 0, "dur": 10, "cat": "step",
             "args": {"step": 1}},
            {"ph": "X", "name": "b", "pid": 1, "tid": %1, "ts": %2, "dur": 5}]})";
        const auto trace = [&](const char* stream, const char* begin) {
            return QByteArray(named).replace("%1", stream).replace("%2", begin);
        };
        QCOMPARE(faultOfTrace(trace("0", "10"), {1}), QString());
        QCOMPARE(faultOfTrace(trace("0", "5"), {1}), QString()); // within the other
        QVERIFY(faultOfTrace(trace("0", "6"), {1}).contains("reaches out"));
        QVERIFY(faultOfTrace(trace("1", "10"), {1}).contains("no name"));
        QVERIFY(faultOfTrace(trace("0", "10"), {1, 2}).contains("recorded"));
        QVERIFY(!faultOfTrace("{", {}).isEmpty());
    }
};

std::unique_ptr<QObject> makeTestRankTimes() { return std::make_unique<TestRankTimes>(); }
#include "tst_rank_times.moc"
