// SPDX-License-Identifier: Apache-2.0
#include "observed.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/session.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

/// Relative to the largest number.
double apart(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = a.size() == b.size() ? 0 : INFINITY;
    double largest = 1e-6;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        largest = std::max(largest, std::abs(static_cast<double>(a[k])));
        difference = std::max(difference, std::abs(static_cast<double>(a[k] - b[k])));
    }
    return difference / largest;
}

SessionOutcome runOf(const std::string& design, const std::filesystem::path& folder, int devices,
                     const std::vector<std::string>& observe = {}) {
    SessionRequest request{.design = parseDesign(design, catalogue()).design};
    for (int k = 0; k < devices; ++k) {
        request.devices.push_back("reference:" + std::to_string(k));
    }
    request.run = folder;
    request.observe = observe;
    Session session(std::move(request));
    return session.wait();
}

QStringList filesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::Files, QDir::Name);
}

} // namespace

class TestObserve : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seesTheSameWholeValuesHoweverTheyAreSpread_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<int>("devices");
        for (const char* word : {"data", "model.stack", "model.add"}) {
            QTest::addRow("%s on two", word) << QString(word) << 2;
            QTest::addRow("%s on three", word) << QString(word) << 3;
        }
    }
    void seesTheSameWholeValuesHoweverTheyAreSpread() {
        QFETCH(const QString, assign);
        QFETCH(const int, devices);
        const ObservedSteps one = observedSteps(digitsDesign("replicate"), 1, 2);
        const ObservedSteps many = observedSteps(digitsDesign(assign.toStdString()), devices, 2);
        for (const char* name : {"fc1.y", "fc1.y.gradient", "relu.y", "fc2.y", "fc1.weight",
                                 "fc1.weight.gradient", "fc2.bias", "fc2.bias.gradient"}) {
            QVERIFY2(one.values.contains(name) && many.values.contains(name), name);
            const double difference = apart(one.values.at(name), many.values.at(name));
            QVERIFY2(difference < 1e-4, qPrintable(QString("%1 %2").arg(name).arg(difference)));
        }
        QVERIFY(one.shapes == many.shapes);
    }

    void seesWhatALayerMadeBeforeAnotherWroteOverIt() {
        const ObservedSteps seen = observedSteps(digitsDesign("replicate"), 1, 1);
        const std::vector<float>& before = seen.values.at("fc1.y");
        const std::vector<float>& after = seen.values.at("relu.y");
        QVERIFY(std::ranges::any_of(before, [](float x) { return x < 0; }));
        for (std::size_t k = 0; k < before.size(); ++k) {
            QCOMPARE(after[k], std::max(before[k], 0.0F));
        }
    }

    void isTheSameStepBitForBit() {
        const std::string design = digitsDesign("data");
        QCOMPARE(observedSteps(design, 2, 5).losses, plainSteps(design, 2, 5));
    }

    void namesTheLayerWhoseValueFirstOverflows_data() {
        QTest::addColumn<int>("devices");
        QTest::newRow("one device") << 1;
        QTest::newRow("two devices") << 2;
    }
    void namesTheLayerWhoseValueFirstOverflows() {
        QFETCH(const int, devices);
        const QTemporaryDir folder;
        const QString run = folder.filePath("run");
        // The second step's weights are near 1e17, so that the third's second product overflows.
        const SessionOutcome outcome =
            runOf(digitsDesign("data", 1e19), run.toStdString(), devices);
        QCOMPARE(outcome.state, SessionState::failed);
        QCOMPARE(outcome.code, ErrorCode::numerics);
        const QString message = QString::fromStdString(outcome.message);
        QVERIFY2(message.contains("fc2") && message.contains("linear"), qPrintable(message));
        QVERIFY2(message.contains("step "), qPrintable(message));
        // The checkpoint of the last good steps is there and no other.
        for (const QString& kept : filesIn(run + "/checkpoints")) {
            QVERIFY2(kept == "step-000000002.safetensors", qPrintable(kept));
        }
    }

    /// Not the learning rate's fault, which is next to 0.
    void roundsThatDoNotSettleAreToldAsThat() {
        const QTemporaryDir folder;
        const SessionOutcome outcome = runOf(R"({"weft": 1, "name": "wild",
 "data": {"source": {"kind": "textures", "with": {"count": 20, "films": 2, "test_count": 0}},
  "feeds": {"picture": "images"}, "batch": 2},
 "training": {"learning_rate": 1e-9, "steps": 4},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 32, 32]}},
  {"id": 2, "name": "code", "kind": "lca", "with": {"atoms": 8, "stride": 2, "tau": 0.1}}],
 "wires": ["picture.y -> code.x"]})",
                                             folder.filePath("run").toStdString(), 1);
        const QString message = QString::fromStdString(outcome.message);
        QVERIFY2(outcome.code == ErrorCode::numerics, qPrintable(message));
        QVERIFY2(message.contains("code") && message.contains("diverge") && message.contains("tau"),
                 qPrintable(message));
    }

    void blamesTheMemberOfARow_data() {
        QTest::addColumn<bool>("hasObservedStep");
        QTest::newRow("by the observed member") << true;
        QTest::newRow("in the row itself") << false;
    }
    void blamesTheMemberOfARow() {
        QFETCH(const bool, hasObservedStep);
        // fc2's weights are zero, so that no gradient goes on to fc1; its own are near 1e25, and
        // their squares are summed in one row with fc1's.
        const std::optional<NotFinite> culprit =
            culpritOf(hugeGradientsDesign(), "cpu", hasObservedStep);
        QVERIFY(culprit.has_value());
        QCOMPARE(culprit->layer, std::string("fc2"));
        QCOMPARE(culprit->op, std::string("squares"));
    }

    /// A mean goes wrong with a step of its period.
    void blamesTheLayerOfAMean() {
        std::string design = hugeGradientsDesign();
        const std::string before = "\"steps\": 12,";
        design.insert(design.find(before), "\"sync_every\": 3, ");
        const std::optional<NotFinite> culprit = culpritOf(design, "cpu", true);
        QVERIFY(culprit.has_value());
        QCOMPARE(culprit->layer, std::string("fc2"));
        QCOMPARE(culprit->op, std::string("squares"));
    }

    void seesWhatLiesInsideAGroup() {
        const QTemporaryDir folder;
        const QString run = folder.filePath("run");
        SessionRequest request{.design = parseDesign(digitsDesign("data"), catalogue()).design,
                               .devices = {"cpu:0"}};
        request.run = run.toStdString();
        request.observe = {"fc1", "relu"};
        Session session(std::move(request));
        QCOMPARE(session.wait().state, SessionState::finished);
        const QStringList files = filesIn(run + "/tensors");
        for (const char* name : {"step-000000001.fc1.y.npy", "step-000000001.fc1.y.gradient.npy",
                                 "step-000000002.relu.y.npy"}) {
            QVERIFY2(files.contains(name), qPrintable(files.join(' ')));
        }
    }

    void keepsWhatOneAskedToSee() {
        const QTemporaryDir folder;
        const QString run = folder.filePath("run");
        const SessionOutcome outcome =
            runOf(digitsDesign("data"), run.toStdString(), 2, {"fc1", "nobody", "fc2"});
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        const QStringList files = filesIn(run + "/tensors");
        for (const char* name : {"step-000000001.fc1.y.npy", "step-000000001.fc1.y.gradient.npy",
                                 "step-000000001.fc1.weight.npy", "step-000000003.fc2.y.npy"}) {
            QVERIFY2(files.contains(name), qPrintable(files.join(' ')));
        }
    }
};

std::unique_ptr<QObject> makeTestObserve() { return std::make_unique<TestObserve>(); }
#include "tst_observe.moc"
