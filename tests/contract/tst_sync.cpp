// SPDX-License-Identifier: Apache-2.0
// The sync block: gradients summed up over updates are applied as their mean, once, and how the
// work is spread changes no number of it, only when and how much is sent.
#include "contract/sync_training.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

/// A net, how it is spread, over how many devices.
struct Spread {
    const char* net;
    const char* words;
    std::size_t devices;
};

const std::vector<SyncSettings>& allSettings() {
    static const std::vector<SyncSettings> all = [] {
        std::vector<SyncSettings> made;
        for (const bool isLate : {false, true}) {
            for (const std::int64_t period : {1, 2}) {
                for (const std::int64_t every : {1, 2, 3}) {
                    made.push_back({.every = every, .period = period, .isLate = isLate});
                }
            }
        }
        return made;
    }();
    return all;
}

/// Nine steps of f32 sums in other orders.
constexpr double tolerance = 2e-4;

} // namespace

class TestSync : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    int runs_ = 0;

    SyncOutcome run(SyncRun asked) {
        asked.folder = folder_.filePath(QString::number(++runs_)).toStdString();
        return trainSynced(asked);
    }

    static void requireSame(const SyncOutcome& a, const SyncOutcome& b, const std::string& what) {
        std::string where;
        const double difference = differenceOf(a, b, where);
        const std::string text = what + ": " + where + " differs by " + std::to_string(difference);
        QVERIFY2(difference < tolerance, text.c_str());
    }

private Q_SLOTS:
    /// A mean of means over equal batches is the mean over all of them.
    void takesTheStepOfABatchTwiceAsLarge() {
        Design half = syncDesign("dense");
        half.data.batch = 5;
        Design full = half;
        full.data.batch = 10;
        const SyncOutcome summed = run({.design = half, .settings = {.every = 2}, .steps = 8});
        const SyncOutcome large = run({.design = full, .steps = 4});
        for (const char* name : {"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"}) {
            const std::vector<double>& a = summed.tensors.at(name);
            const std::vector<double>& b = large.tensors.at(name);
            for (std::size_t k = 0; k < a.size(); ++k) {
                QVERIFY2(std::abs(a[k] - b[k]) < 1e-6, name);
            }
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const double mean = (summed.losses[2 * k] + summed.losses[2 * k + 1]) / 2;
            QVERIFY(std::abs(mean - large.losses[k]) < 1e-6);
            QVERIFY(!summed.norms[2 * k]);
            QVERIFY(std::abs(*summed.norms[2 * k + 1] - *large.norms[k]) < 1e-5);
        }
    }

    /// What an optimizer counts goes on with what is applied.
    void countsWhatIsApplied() {
        Design half = syncDesign("conv");
        half.data.batch = 5;
        // Nothing that depends on a batch as a whole.
        for (Layer& layer : half.network.layers) {
            layer.bypassed = layer.kind == "batch_norm" || layer.kind == "dropout";
        }
        Design full = half;
        full.data.batch = 10;
        const SyncOutcome summed = run({.design = half, .settings = {.every = 2}, .steps = 12});
        const SyncOutcome large = run({.design = full, .steps = 6});
        for (std::size_t k = 0; k < 6; ++k) {
            QCOMPARE(summed.rates[2 * k], large.rates[k]);
            QCOMPARE(summed.rates[2 * k + 1], large.rates[k]);
        }
        for (const auto& [name, numbers] : large.tensors) {
            const std::vector<double>& other = summed.tensors.at(name);
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                QVERIFY2(std::abs(numbers[k] - other[k]) < 1e-4, name.c_str());
            }
        }
    }

    void onlyGoesForwardBetweenUpdates() {
        const Design design = syncDesign("dense");
        const SyncOutcome outcome =
            run({.design = design, .settings = {.period = 3, .first = 2}, .steps = 9});
        const std::vector<std::string> wanted{"train idle",   "train",   "train idle",
                                              "train/2 idle", "train",   "train idle",
                                              "train idle",   "train/2", "train idle"};
        QVERIFY2(outcome.members == wanted, outcome.members[3].c_str());
        QVERIFY(!outcome.norms[0] && outcome.norms[1] && !outcome.norms[2]);
    }

    void appliesNothingBeforeItsPeriodIsOver() {
        const Design design = syncDesign("dense");
        const SyncOutcome none = run({.design = design, .settings = {.first = 50}, .steps = 1});
        for (const SyncSettings settings :
             {SyncSettings{.every = 3}, SyncSettings{.every = 1, .isLate = true}}) {
            const std::int64_t still = settings.isLate ? 1 : 2;
            const SyncOutcome before =
                run({.design = design, .settings = settings, .steps = still});
            const SyncOutcome after =
                run({.design = design, .settings = settings, .steps = still + 1});
            QVERIFY(before.tensors.at("fc1.weight") == none.tensors.at("fc1.weight"));
            QVERIFY(after.tensors.at("fc1.weight") != none.tensors.at("fc1.weight"));
        }
    }

    /// One period late: the same means, each applied to weights that are one behind.
    void appliesLateWhatTheFirstPeriodSummed() {
        const Design design = syncDesign("dense");
        for (const std::int64_t every : {1, 2, 3}) {
            for (const std::int64_t period : {1, 2}) {
                const SyncSettings atOnce{.every = every, .period = period};
                SyncSettings late = atOnce;
                late.isLate = true;
                const SyncOutcome first =
                    run({.design = design, .settings = atOnce, .steps = 1 + (every - 1) * period});
                const SyncOutcome second = run(
                    {.design = design, .settings = late, .steps = 1 + (2 * every - 1) * period});
                for (const char* name : {"fc1.weight", "fc2.bias"}) {
                    const std::vector<double>& a = first.tensors.at(name);
                    const std::vector<double>& b = second.tensors.at(name);
                    for (std::size_t k = 0; k < a.size(); ++k) {
                        QVERIFY2(std::abs(a[k] - b[k]) < 1e-6, nameOf(late).c_str());
                    }
                }
            }
        }
    }

    void isTheSameHoweverItIsSpread_data() {
        QTest::addColumn<int>("settings");
        for (std::size_t k = 0; k < allSettings().size(); ++k) {
            QTest::addRow("%s", nameOf(allSettings()[k]).c_str()) << static_cast<int>(k);
        }
    }
    void isTheSameHoweverItIsSpread() {
        QFETCH(const int, settings);
        const SyncSettings& asked = allSettings()[static_cast<std::size_t>(settings)];
        const std::vector<Spread> spreads{{"dense", "batch", 2},
                                          {"dense", "data, batch on fc2", 3},
                                          {"dense", "batch model.stack", 4},
                                          {"conv", "batch", 3},
                                          {"conv", "batch, model.stack on fc2", 2},
                                          {"conv", "data", 2},
                                          {"attention", "batch", 2},
                                          {"attention", "model.stack, batch on fc2", 2}};
        std::map<std::string, SyncOutcome> alone;
        for (const Spread& spread : spreads) {
            SyncRun wanted{.design = syncDesign(spread.net), .settings = asked};
            if (!alone.contains(spread.net)) {
                alone[spread.net] = run(wanted);
            }
            spreadBy(wanted.design, spread.words, spread.devices);
            wanted.devices = spread.devices;
            wanted.isStepped = settings % 3 != 1; // else in threads
            requireSame(alone[spread.net], run(wanted),
                        std::string(spread.net) + " by " + spread.words);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }

    void sendsAsManyTimesLessByBatch() {
        Design byData = syncDesign("dense");
        byData.data.lastBatch = "drop";
        Design byBatch = byData;
        spreadBy(byData, "data", 2);
        spreadBy(byBatch, "batch", 2);
        for (const std::int64_t every : {1, 2, 3, 6}) {
            for (const bool isLate : {false, true}) {
                const SyncSettings settings{.every = every, .isLate = isLate};
                SyncRun wanted{.design = byData, .settings = settings, .devices = 2, .steps = 12};
                const SyncOutcome data = run(wanted);
                wanted.design = byBatch;
                const SyncOutcome batch = run(wanted);
                // What is pending at the end has not been sent.
                const std::int64_t periods = 12 / every;
                const std::int64_t sent = isLate ? periods - 1 : periods;
                QVERIFY(data.sent > 0);
                QCOMPARE(batch.sent * 12, data.sent * sent);
            }
        }
    }

    void isDataWhereEveryUpdateIsApplied() {
        Design byData = syncDesign("conv");
        Design byBatch = byData;
        spreadBy(byData, "data", 3);
        spreadBy(byBatch, "batch", 3);
        const SyncRun wanted{.design = byData, .devices = 3, .steps = 2};
        SyncRun other = wanted;
        other.design = byBatch;
        const SyncOutcome data = run(wanted);
        const SyncOutcome batch = run(other);
        QVERIFY(data.plans == batch.plans);
        QVERIFY(data.losses == batch.losses && data.tensors == batch.tensors);
        QVERIFY(!data.tensors.contains("fc2.weight/sum"));
    }

    void followsWhatComesIn() {
        Design design = syncDesign("dense");
        design.network.layers[0].assignment = Assignment{{}, {}, {AxisWord::batch}};
        const SyncOutcome outcome =
            run({.design = design, .settings = {.every = 2}, .devices = 2, .steps = 3});
        QVERIFY(outcome.tensors.contains("fc1.weight/sum#2"));
        QVERIFY(outcome.tensors.contains("fc2.bias/sum#2"));
    }

    void goesOnFromAnywhereInAPeriod_data() {
        QTest::addColumn<QString>("net");
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("every");
        QTest::addColumn<int>("period");
        QTest::addColumn<bool>("late");
        QTest::newRow("at once") << "dense"
                                 << "batch" << 3 << 2 << false;
        QTest::newRow("late") << "dense"
                              << "batch" << 3 << 2 << true;
        QTest::newRow("late, every step") << "conv"
                                          << "batch, data on fc2" << 2 << 1 << true;
        QTest::newRow("in pieces of tensors") << "attention"
                                              << "batch model.stack" << 3 << 1 << false;
    }
    void goesOnFromAnywhereInAPeriod() {
        QFETCH(const QString, net);
        QFETCH(const QString, words);
        QFETCH(const int, every);
        QFETCH(const int, period);
        QFETCH(const bool, late);
        constexpr std::int64_t last = 13;
        SyncRun wanted{.design = syncDesign(net.toStdString()),
                       .settings = {.every = every, .period = period, .isLate = late},
                       .steps = last};
        SyncRun alone = wanted;
        wanted.devices = words == "batch model.stack" ? 4 : 2;
        spreadBy(wanted.design, words.toStdString(), wanted.devices);
        const SyncOutcome whole = run(wanted);
        const int apart = static_cast<int>(std::ranges::count_if(
            whole.tensors, [](const auto& each) { return each.first.ends_with("/sum#2"); }));
        QVERIFY(apart > 0);
        for (std::int64_t step = 1; step < last; ++step) {
            SyncRun first = wanted;
            first.steps = step;
            SyncRun again = wanted;
            again.checkpoint = run(first).file;
            const SyncOutcome resumed = run(again);
            QVERIFY2(resumed.tensors == whole.tensors, qPrintable(QString::number(step)));
            // Every other place on another number of devices: fewer, and more.
            SyncRun elsewhere = alone;
            if (step % 2 != 0) {
                elsewhere.devices = 3;
                spreadBy(elsewhere.design, "batch", 3);
            }
            elsewhere.checkpoint = again.checkpoint;
            SyncOutcome other = run(elsewhere);
            other.losses = resumed.losses;
            requireSame(resumed, other, "from step " + std::to_string(step));
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }

    /// What is pending when a run ends is not applied, and is not lost.
    void keepsWhatIsNotYetApplied() {
        Design design = syncDesign("dense");
        spreadBy(design, "batch", 2);
        const SyncOutcome late = run(
            {.design = design, .settings = {.every = 2, .isLate = true}, .devices = 2, .steps = 3});
        const auto sums = whole(late);
        const auto isNothing = [](double number) { return number == 0; };
        QVERIFY(!std::ranges::all_of(sums.at("fc1.weight/sum"), isNothing));
        QVERIFY(!std::ranges::all_of(sums.at("fc1.weight/pending"), isNothing));
    }
};

std::unique_ptr<QObject> makeTestSync() { return std::make_unique<TestSync>(); }
#include "tst_sync.moc"
