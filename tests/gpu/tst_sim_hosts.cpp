// SPDX-License-Identifier: Apache-2.0
// Chips of several hosts: a design numbers them through, and each host opens its own, be it that
// all of its ranks see them all or that each is bound to one. Ranks that share one meet on it.
#include "cli/weft_process.h"
#include "fault/other_host.h"
#include "gpu/sim_program.h"
#include "support/places.h"
#include "support/ranks.h"
#include <weft/runs.h>

#include <QTemporaryDir>
#include <QTest>
#include <limits>
#include <memory>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

/// On which spans of the run were recorded.
std::set<std::string> devicesIn(const QString& run) {
    const Timeline timeline =
        readTimeline(run.toStdString(), 0, std::numeric_limits<std::int64_t>::max());
    std::set<std::string> names;
    for (const TimelineSpan& span : timeline.spans) {
        names.insert(timeline.devices.at(span.device));
    }
    return names;
}

} // namespace

class TestSimHosts : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<OtherHost> other_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended sim(const QStringList& arguments) const {
        return startedBy(simProgram(), {}, arguments, here());
    }
    /// Rank 0 here, rank 1 there.
    [[nodiscard]] Ended overHosts(const QStringList& arguments) const {
        return sim(arguments + QStringList{"--ranks", "2", "--hosts", other_->hostfile()});
    }
    /// Two ranks here, of which each sees these chips.
    [[nodiscard]] Ended bound(const QString& first, const QString& second,
                              const QStringList& arguments) const {
        const auto rank = [&](const QString& chips) {
            return QStringList{"-n", "1", "env", "WEFT_SIM_CHIPS=" + chips, simProgram()} +
                   arguments;
        };
        const QStringList asAny{"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"};
        return startedBy("mpirun", asAny + rank(first) + QStringList{":"} + rank(second), {},
                         here());
    }
    /// Losses of the last run against those of the processor alone.
    [[nodiscard]] double apartFromTheProcessor() const {
        const QString run = runsIn(here()).last();
        const Ended alone =
            sim({"run", "small.weft", "--devices", "cpu:0", "--runs", "alone/runs"});
        return alone.code != 0
                   ? std::numeric_limits<double>::infinity()
                   : largestDifference(lossesOf(run), lossesOf(runsIn(here() + "/alone").last()));
    }
    [[nodiscard]] QString whyNoOtherHost() {
        other_ = std::make_unique<OtherHost>();
        return other_->fault().isEmpty() ? QString()
                                         : "no second host can be made here: " + other_->fault();
    }

private Q_SLOTS:
    void init() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        folder_ = std::make_unique<QTemporaryDir>();
        writeDesign(here() + "/small.weft", {.steps = 6, .assign = "data"});
    }
    void cleanup() { other_.reset(); }

    void everyHostOpensItsOwn() {
        if (const QString why = whyNoOtherHost(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        const QString four = "sim:0,sim:1,sim:2,sim:3";
        const Ended asked = overHosts({"devices", "--need", four});
        QVERIFY2(asked.code == 0, qPrintable(asked.error));
        const Ended ended = overHosts({"run", "small.weft", "--devices", four});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        // Whoever reads of the run finds the names of the design.
        const std::set<std::string> names{"sim:0", "sim:1", "sim:2", "sim:3"};
        QCOMPARE(devicesIn(runsIn(here()).last()), names);
        QVERIFY(apartFromTheProcessor() < 2e-3);
    }

    void whatAHostLacksIsNamedAsItKnowsIt() {
        if (const QString why = whyNoOtherHost(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        const QString six = "sim:0,sim:1,sim:2,sim:3,sim:4,sim:5";
        const QString there =
            QString("rank 1 (%1), sim:5: device sim:2: this machine has 2").arg(other_->name());
        const Ended asked = overHosts({"devices", "--need", six});
        QCOMPARE(asked.code, 4);
        QVERIFY2(asked.error.contains(there), qPrintable(asked.error));
        QVERIFY2(asked.error.contains("sim:2: device sim:2: this machine has 2"),
                 qPrintable(asked.error));
        // One more there than here.
        const Ended ended =
            overHosts({"run", "small.weft", "--devices", "sim:0,sim:1,sim:4,sim:6"});
        QCOMPARE(ended.code, 4);
        QVERIFY2(
            ended.error.contains(QString("rank 1 (%1), sim:6: device sim:2").arg(other_->name())),
            qPrintable(ended.error));
    }

    /// As a batch system may bind tasks: both of one host, each sees one chip as its first.
    void aRankBoundToItsChipOpensThat() {
        const Ended ended = bound("0", "1", {"run", "small.weft", "--devices", "sim:0,sim:1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY(apartFromTheProcessor() < 2e-3);
        QCOMPARE(bound("0", "1", {"devices", "--need", "sim:0,sim:1"}).code, 0);
    }

    /// In one process, by two that reach each other's memory, and by two that may not.
    void workersOnOneChipMeetThere() {
        const QString workers = "sim:0/0,sim:0/1";
        const Ended planned = sim({"plan", "small.weft", "--devices", workers});
        QVERIFY2(planned.out.contains("by chip"), qPrintable(planned.out));
        const auto losses = [&](const QStringList& more) {
            const Ended ended = sim(QStringList{"run", "small.weft", "--devices", workers} + more);
            [&] { QVERIFY2(ended.code == 0, qPrintable(ended.error)); }();
            return lossesOf(runsIn(here()).last());
        };
        const std::vector<double> one = losses({});
        QVERIFY(apartFromTheProcessor() < 2e-3);
        QVERIFY(losses({"--ranks", "2"}) == one);
        qputenv("WEFT_SIM_GIVES", "nothing");
        const std::vector<double> apart = losses({"--ranks", "2"});
        qunsetenv("WEFT_SIM_GIVES");
        QVERIFY(largestDifference(apart, one) < 1e-5);
    }

    void ranksThatSeeTheSameChipsShareNone() {
        const Ended both = bound("0,1", "0,1", {"devices", "--need", "sim:0,sim:1"});
        QVERIFY2(both.code == 0, qPrintable(both.error));
        const Ended ended = bound("0", "0", {"run", "small.weft", "--devices", "sim:0,sim:1"});
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("device sim:1: this machine has 1"), qPrintable(ended.error));
    }
};

std::unique_ptr<QObject> makeTestSimHosts() { return std::make_unique<TestSimHosts>(); }
#include "tst_sim_hosts.moc"
