// SPDX-License-Identifier: Apache-2.0
// The program on a stand-in that lacks kernels: neighbours go to the host together, are called what
// they are, and are computed as before when a run is resumed.

#include "sim_program.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

class TestSimHostFallbacks : public SimProgramTest {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }

    void areExplained() {
        writeDesign(here() + "/small.weft", {});
        const auto explained = [&](const QString& stage) {
            const Ended ended =
                lacking({"explain", "small.weft", "--devices", "sim:0", "--stage", stage});
            return ended.code == 0 ? ended.out : ended.error;
        };
        const QString fallback = "relu: relu + flat: flatten on the host";
        const QString kernels = explained("kernels");
        QVERIFY2(kernels.contains("  " + fallback), qPrintable(kernels));
        QVERIFY2(kernels.contains("    relu: relu "), qPrintable(kernels));
        const QString programs = explained("programs");
        QVERIFY2(programs.contains("    launched step by step: " + fallback + "\n"),
                 qPrintable(programs));
        QVERIFY2(programs.contains("on the host, one iteration after the other\n"),
                 qPrintable(programs));
    }

    /// Told step by step and in parts; with what a later attempt has kernels for.
    void areMadeAgainWhenResumed() {
        writeDesign(here() + "/small.weft", {.steps = 30});
        const Ended whole = lacking({"run", "small.weft", "--devices", "sim:0"});
        QVERIFY2(whole.code == 0, qPrintable(whole.error));
        const std::vector<double> losses = lossesOf(runsIn(here()).last());
        writeDesign(here() + "/small.weft", {.steps = 25});
        const Ended begun =
            lacking({"run", "small.weft", "--devices", "sim:0", "--run", "shorter"});
        QVERIFY2(begun.code == 0, qPrintable(begun.error));
        const QString run = here() + "/shorter";
        const QByteArray selected = bytesOf(run + "/selection.json");
        QVERIFY(selected.contains("relu: relu") && selected.contains("reference on the host"));
        QVERIFY(!selected.contains(" + "));
        const Ended resumed = sim({"resume", run, "--set", "training.steps=30"});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(bytesOf(run + "/selection.json"), selected);
        QVERIFY(lossesOf(run) == losses);
    }

    void areWatchedInBetween() {
        writeDesign(here() + "/small.weft", {.assign = "data"});
        const Ended ended = lacking({"prove", "small.weft", "--devices", "sim:0,sim:1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
    }

private:
    [[nodiscard]] Ended lacking(const QStringList& words) const {
        return startedBy(
            "env", {"WEFT_SIM_WITHOUT=relu,relu_gradient,flatten,reshape,unflatten", simProgram()},
            words, here());
    }
};

std::unique_ptr<QObject> makeTestSimHostFallbacks() {
    return std::make_unique<TestSimHostFallbacks>();
}
#include "tst_sim_host_fallbacks.moc"
