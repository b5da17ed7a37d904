// SPDX-License-Identifier: Apache-2.0
// Plans that were measured on the stand-in for a GPU: the program finds them, keeps them, plans and
// runs with them, and leaves those of another chip or library.

#include "cli/weft_process.h"
#include "gpu/sim_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace weft;
using namespace weft::test;

class TestSimPlans : public SimProgramTest {
    Q_OBJECT

    /// Without the library of products, so that dense layers are planned as convolutions.
    const QStringList plansAlone_{"WEFT_SIM_LACKS=libcublasLt.so.13"};
    QStringList environment_; ///< beside the folder in which rates are kept

    [[nodiscard]] Ended byPlans(const QStringList& words) const {
        return startedBy("env",
                         QStringList{"WEFT_SIM_KERNELS=cuda", "XDG_CACHE_HOME=" + here()} +
                             environment_ + QStringList{simProgram()},
                         words, here());
    }
    [[nodiscard]] Ended calibrated(const QString& device = "sim:0") const {
        return byPlans({"calibrate", "--plans", "small.weft", "--devices", device, "--json"});
    }
    [[nodiscard]] QString ratesFile() const { return here() + "/weft/rates.json"; }
    [[nodiscard]] QString kernels() const {
        const Ended ended =
            byPlans({"explain", "small.weft", "--devices", "sim:0", "--stage", "kernels"});
        return ended.out + ended.error;
    }
    [[nodiscard]] QJsonObject planned() const {
        const Ended ended = byPlans({"plan", "small.weft", "--devices", "sim:0", "--json"});
        return QJsonDocument::fromJson(ended.out.toUtf8()).object();
    }
    /// Its folder.
    [[nodiscard]] QString run() const {
        const Ended ended = byPlans({"run", "small.weft", "--devices", "sim:0"});
        if (ended.code != 0) {
            QTest::qFail(qPrintable(ended.error), __FILE__, __LINE__);
            return {};
        }
        return runsIn(here()).last();
    }
    /// Changes the stored plans by `change`.
    template <class Change>
    void rewrite(Change&& change) const {
        QJsonObject file = QJsonDocument::fromJson(bytesOf(ratesFile())).object();
        QJsonArray plans = file["plans"].toArray();
        QJsonObject only = plans.first().toObject();
        change(only);
        plans.replace(0, only);
        file["plans"] = plans;
        writeBytes(ratesFile(), QJsonDocument(file).toJson());
    }

private Q_SLOTS:
    void init() {
        begin();
        environment_ = plansAlone_;
        writeDesign(here() + "/small.weft", {.steps = 3, .precision = "tf32"});
    }

    /// One that is not what the library would have taken first.
    void areMeasuredKeptAndRun() {
        const QString first = run();
        const std::vector<double> before = lossesOf(first);
        const QByteArray selected = bytesOf(first + "/selection.json");
        QVERIFY2(selected.contains("cuDNN stands in for a library, loops"), selected.constData());
        QVERIFY(selected.contains("stands in for a GPU"));
        const QJsonObject plan = planned();
        QVERIFY2(kernels().contains("cudnn in TF32\n"), qPrintable(kernels()));
        // So long that no delay of this machine counts beside it; nobody waits for it.
        environment_ =
            plansAlone_ +
            QStringList{"WEFT_SIM_TIMES=loops=600000000000,floats=300000000000,cuda=900000000000"};
        const Ended ended = calibrated();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QJsonArray trials = QJsonDocument::fromJson(ended.out.toUtf8()).array();
        // The convolution and its filters' gradient, three passes of each dense layer; and forward
        // with the pictures that are held out.
        QVERIFY2(trials.size() >= 8, qPrintable(ended.out));
        for (const auto& one : trials) {
            const QJsonObject trial = one.toObject();
            QCOMPARE(trial["ways"].toInt(), 3);
            QCOMPARE(trial["first"]["engine"].toString(), QString("loops"));
            QCOMPARE(trial["best"]["engine"].toString(), QString("floats"));
            const double first = trial["first"]["time_ns"].toDouble();
            const double best = trial["best"]["time_ns"].toDouble();
            // Times by the host's clock would hold none of what is prescribed.
            QVERIFY2(first >= 6e11 && best >= 3e11 && best < first, qPrintable(ended.out));
        }
        environment_ = plansAlone_;
        QVERIFY2(kernels().contains("cudnn in TF32, floats, measured\n"), qPrintable(kernels()));
        QVERIFY2(!kernels().contains("cudnn in TF32\n"), qPrintable(kernels()));
        const auto bytes = [](const QJsonObject& of) {
            return of["devices"][0]["step_bytes"].toDouble();
        };
        QVERIFY(bytes(planned()) > 0 && bytes(planned()) < bytes(plan));
        const QString folder = run();
        const QByteArray selectedNow = bytesOf(folder + "/selection.json");
        QVERIFY(selectedNow.contains("cudnn in TF32, floats, measured"));
        const QJsonValue calls = QJsonDocument::fromJson(selectedNow)["calls"]["sim:0"];
        const QJsonArray steps = calls["members"]["train"].toArray();
        QVERIFY2(steps.size() >= 8, selectedNow.constData());
        for (const auto& step : steps) {
            QCOMPARE(step.toArray()[1].toArray(),
                     QJsonArray{"cuDNN stands in for a library, floats"});
        }
        const std::vector<double> after = lossesOf(folder);
        QVERIFY(after != before); // sums of floats
        QVERIFY(largestDifference(after, before) < 1e-3);
    }

    /// Our own kernel is one of the ways, and is kept where it is the fastest.
    void areOurOwnKernelsToo() {
        environment_ = QStringList{"WEFT_SIM_TIMES=loops=60000000000,floats=60000000000"};
        const Ended ended = calibrated();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        for (const auto& one : QJsonDocument::fromJson(ended.out.toUtf8()).array()) {
            const QJsonObject trial = one.toObject();
            QCOMPARE(trial["best"]["engine"].toString(), QString("cuda"));
        }
        environment_.clear();
        QVERIFY2(kernels().contains("cuda, measured\n"), qPrintable(kernels()));
        QVERIFY2(!kernels().contains("cudnn"), qPrintable(kernels()));
        QVERIFY(bytesOf(run() + "/selection.json").contains("cuda, measured"));
    }

    /// A step takes what was measured.
    void areWhatIsPredicted() {
        QCOMPARE(calibrated().code, 0);
        rewrite([](QJsonObject& plans) {
            QJsonObject best = plans["best"].toObject();
            for (const QString& name : best.keys()) {
                QJsonObject one = best[name].toObject();
                one["time_ns"] = 1'000'000'000;
                best[name] = one;
            }
            plans["best"] = best;
        });
        const double time = planned()["step_nanoseconds"].toDouble();
        QVERIFY2(time > 4e9 && time < 9e9, qPrintable(QString::number(time)));
    }

    void ofAnotherLibraryOrChipAreLeft_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("library") << "library";
        QTest::newRow("chip") << "model";
    }
    void ofAnotherLibraryOrChipAreLeft() {
        QFETCH(const QString, key);
        QCOMPARE(calibrated().code, 0);
        const QString with = kernels();
        QVERIFY2(with.contains(", measured\n") && !with.contains("are not used"), qPrintable(with));
        rewrite([&](QJsonObject& plans) { plans[key] = "an older one"; });
        const QString without = kernels();
        QVERIFY2(!without.contains(", measured\n"), qPrintable(without));
        QVERIFY2(without.contains("sim:0: plans measured on ") && without.contains(" are not used"),
                 qPrintable(without));
        QVERIFY(!bytesOf(run() + "/selection.json").contains("measured"));
    }

    void areRefusedWhereNothingIsPlanned() {
        const Ended ended = calibrated("cpu:0");
        QVERIFY(ended.code != 0);
        QVERIFY2(ended.error.contains("has kernels from a library with several algorithms"),
                 qPrintable(ended.error));
        QVERIFY(bytesOf(ratesFile()).isEmpty());
    }
};

std::unique_ptr<QObject> makeTestSimPlans() { return std::make_unique<TestSimPlans>(); }

#include "tst_sim_plans.moc"
