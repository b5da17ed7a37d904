// SPDX-License-Identifier: Apache-2.0
// The sync block: gradients summed up over updates are applied as their mean, once, and how the
// work is spread changes no number of it, only when and how much is sent.
#include "contract/sharing/sync_training.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

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

    void areTheSame(const SyncSettings& asked, const std::vector<Spread>& spreads, bool isStepped) {
        std::map<std::string, SyncOutcome> alone;
        for (const Spread& spread : spreads) {
            SyncRun wanted{.design = syncDesign(spread.net), .settings = asked};
            if (!alone.contains(spread.net)) {
                alone[spread.net] = run(wanted);
            }
            spreadBy(wanted.design, spread.words, spread.devices);
            wanted.devices = spread.devices;
            wanted.isStepped = isStepped; // else in threads
            requireSame(alone[spread.net], run(wanted),
                        std::string(spread.net) + " by " + spread.words);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
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

    /// An optimizer counts applied updates.
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
        areTheSame(asked, spreads, settings % 3 != 1);
    }

    /// Layers with state and with sets: applied immediately and late, simulated and in threads.
    void isTheSameWhereElementsAreApart_data() {
        QTest::addColumn<int>("every");
        QTest::addColumn<bool>("isLate");
        QTest::newRow("every 2") << 2 << false;
        QTest::newRow("every 2, late") << 2 << true;
        QTest::newRow("every 3") << 3 << false;
        QTest::newRow("every 3, late") << 3 << true;
    }
    void isTheSameWhereElementsAreApart() {
        QFETCH(const int, every);
        QFETCH(const bool, isLate);
        // Every other step an update, where three make a period.
        const SyncSettings asked{.every = every, .period = every - 1, .isLate = isLate};
        const std::vector<Spread> spreads{{"lca", "batch", 2},
                                          {"lca", "batch", 3},
                                          {"lca", "batch model.stack", 4},
                                          {"lca per_element", "batch", 2},
                                          {"lca per_element", "batch", 3},
                                          {"lca per_position", "batch", 2},
                                          {"lca per_position", "batch", 3},
                                          {"lca per_element per_position", "batch", 3},
                                          {"sets", "batch", 2},
                                          {"sets", "batch", 3}};
        areTheSame(asked, spreads, every == 3);
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
                // Sums that are pending at the end were not sent.
                const std::int64_t periods = 12 / every;
                const std::int64_t sent = isLate ? periods - 1 : periods;
                QVERIFY(data.sent > 0);
                QCOMPARE(batch.sent * 12, data.sent * sent);
            }
        }
    }

    /// A shared dictionary is sent once per period, as one collective of its sum and count; each
    /// step sends a few numbers for its results.
    void sendsADictionaryOncePerPeriod_data() {
        QTest::addColumn<QString>("count");
        QTest::addColumn<int>("numbers"); // numbers in the count
        QTest::newRow("activations") << "activations" << 6;
        QTest::newRow("per weight") << "per_weight" << 6 * 16;
        QTest::newRow("elements") << "elements" << 1;
        QTest::newRow("positions") << "positions" << 1;
    }
    void sendsADictionaryOncePerPeriod() {
        QFETCH(const QString, count);
        QFETCH(const int, numbers);
        constexpr std::int64_t steps = 20;
        Design design = syncDesign("lca");
        Attributes& layer = design.network.layers.back().attributes;
        layer.set("count", count.toStdString());
        layer.set("step_rule", std::string("knee"));
        spreadBy(design, "batch", 2);
        for (const std::int64_t every : {1, 2, 10}) {
            const SyncOutcome outcome =
                run({.design = design, .settings = {.every = every}, .devices = 2, .steps = steps});
            QCOMPARE(outcome.sent, steps / every * 4 * (6 * 16 + numbers));
            // Energy, activity, sparsity, decibels and of how many: not a number per element.
            QCOMPARE(outcome.sentElse, steps * 4 * 5);
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
        QTest::addColumn<int>("last"); // step: two are applied by then
        QTest::newRow("at once") << "dense"
                                 << "batch" << 3 << 2 << false << 8;
        QTest::newRow("late") << "dense"
                              << "batch" << 3 << 2 << true << 13;
        QTest::newRow("late, every step") << "conv"
                                          << "batch, data on fc2" << 2 << 1 << true << 6;
        QTest::newRow("in pieces of tensors") << "attention"
                                              << "batch model.stack" << 3 << 1 << false << 8;
    }
    void goesOnFromAnywhereInAPeriod() {
        QFETCH(const QString, net);
        QFETCH(const QString, words);
        QFETCH(const int, every);
        QFETCH(const int, period);
        QFETCH(const bool, late);
        QFETCH(const int, last);
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

    /// No element's arithmetic depends on how many stand beside it.
    void codesOfAnElementAreThoseItHasAlone_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<bool>("isFrozen");
        QTest::newRow("until the first update") << "reference" << false;
        QTest::newRow("of a kernel of its own") << "cpu" << false;
        QTest::newRow("of a dictionary that is frozen") << "cpu" << true;
    }
    void codesOfAnElementAreThoseItHasAlone() {
        QFETCH(const QString, backend);
        QFETCH(const bool, isFrozen);
        Design design = syncDesign("lca");
        design.data.batch = 10;
        Attributes& layer = design.network.layers.back().attributes;
        layer.set("step_rule", std::string("knee"));
        layer.set("iterations", std::int64_t{12});
        layer.set("frozen", isFrozen);
        // The mean of three updates is applied in the third step, when its codes are there.
        SyncRun wanted{.design = design,
                       .settings = {.every = isFrozen ? 1 : 3},
                       .steps = 3,
                       .backend = backend.toStdString()};
        const std::vector<Seen> alone = seenSteps(wanted);
        QCOMPARE(alone.size(), std::size_t{3});
        QVERIFY(alone[0].at("code.code") != alone[1].at("code.code"));
        for (const std::size_t devices : {2, 3, 4}) {
            spreadBy(wanted.design, "batch", devices);
            wanted.devices = devices;
            const std::vector<Seen> apart = seenSteps(wanted);
            for (std::size_t step = 0; step < alone.size(); ++step) {
                for (const char* name :
                     {"code.code", "code.potential", "code.energies", "code.steps"}) {
                    QVERIFY2(apart.at(step).at(name) == alone[step].at(name), name);
                    QVERIFY2(!alone[step].at(name).empty(), name);
                }
            }
        }
    }

    /// The dictionary of one worker is given to several before each of its updates.
    void updatesOfOneDictionaryAgree() {
        Design design = syncDesign("lca");
        design.data.batch = 10;
        design.network.layers.back().attributes.set("step_rule", std::string("knee"));
        SyncRun first{.design = design, .steps = 1};
        SyncOutcome before = run(first);
        for (std::int64_t step = 2; step <= 5; ++step) {
            SyncRun next{.design = design, .steps = step};
            next.checkpoint = before.file;
            SyncOutcome one = run(next);
            QVERIFY(one.tensors.at("code.weight") != before.tensors.at("code.weight"));
            for (const std::size_t devices : {2, 3, 4}) {
                SyncRun spread = next;
                spread.devices = devices;
                spreadBy(spread.design, "batch", devices);
                const SyncOutcome several = run(spread);
                const std::vector<double>& a = one.tensors.at("code.weight");
                const std::vector<double>& b = several.tensors.at("code.weight");
                for (std::size_t k = 0; k < a.size(); ++k) {
                    QVERIFY(std::abs(a[k] - b[k]) < 1e-5);
                }
            }
            before = std::move(one);
        }
    }

    /// A dictionary that is split, whose reconstruction is summed in every round.
    void aSplitDictionaryCodesAsOne_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("steps");
        QTest::newRow("fixed steps") << "fixed" << 6;
        QTest::newRow("adaptive steps, the first frame") << "knee" << 1;
    }
    void aSplitDictionaryCodesAsOne() {
        QFETCH(const QString, rule);
        QFETCH(const int, steps);
        Design design = syncDesign("lca");
        Attributes& layer = design.network.layers.back().attributes;
        layer.set("step_rule", rule.toStdString());
        layer.set("iterations", std::int64_t{20});
        const SyncOutcome alone = run({.design = design, .steps = steps});
        for (const std::size_t devices : {2, 3}) {
            SyncRun split{.design = design, .devices = devices, .steps = steps};
            spreadBy(split.design, "model.stack", devices);
            std::string where;
            const double difference = differenceOf(alone, run(split), where);
            QVERIFY2(difference < 1e-4, (where + " " + std::to_string(difference)).c_str());
        }
    }

    /// Sums that are pending when a run ends are saved but not applied.
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
