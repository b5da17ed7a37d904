// SPDX-License-Identifier: Apache-2.0
// The samples reach their goals on real data. Takes minutes each: for the long suite.
#include "engine/data/real_data.h"
#include "sample.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

double metricOf(const SessionOutcome& outcome, const std::string& name) {
    for (const auto& [metric, value] : outcome.evaluation) {
        if (metric == name) {
            return value;
        }
    }
    return -1;
}

} // namespace

class TestGoals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsNinetySevenPercentOfDrawnDigits() {
        const SessionOutcome outcome =
            trained("quickstart-digits/design", sampleDesign("quickstart-digits/design"), {});
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        QVERIFY2(metricOf(outcome, "accuracy") > 0.97,
                 std::to_string(metricOf(outcome, "accuracy")).c_str());
    }

    void readsNinetyNinePercentOfMnist() {
        const auto data = realData("mnist");
        if (!data) {
            QSKIP("MNIST is not here: set WEFT_DATA to the folder that holds mnist/");
        }
        const Design design = sampleDesign("lenet-mnist/design");
        QVERIFY(design.training.epochs <= 10);
        const SessionOutcome outcome = trained("lenet-mnist/design", design, {data->parent_path()});
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        QVERIFY2(metricOf(outcome, "accuracy") >= 0.99,
                 std::to_string(metricOf(outcome, "accuracy")).c_str());
    }

    void namesHalfOfCifarsTestPictures() {
        const auto data = realData("cifar10");
        if (!data) {
            QSKIP("CIFAR-10 is not here: set WEFT_DATA to the folder that holds cifar10/");
        }
        Design design = sampleDesign("cifar-quick/design");
        if (std::filesystem::exists(*data / "test_batch_first1000.bin")) {
            design.data.attributes.set("test", std::string("test_batch_first1000.bin"));
        }
        const SessionOutcome outcome = trained("cifar-quick/design", design, {data->parent_path()});
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        QVERIFY2(metricOf(outcome, "accuracy") >= 0.55,
                 std::to_string(metricOf(outcome, "accuracy")).c_str());
    }

    void foretellsTheNextCharacter() {
        const auto data = realData("text");
        if (!data) {
            QSKIP("tinyshakespeare is not here: set WEFT_DATA to the folder that holds text/");
        }
        Design design = sampleDesign("tiny-gpt/design");
        QCOMPARE(design.data.validation, 0.1);
        const SessionOutcome outcome = trained("tiny-gpt/design", design, {data->parent_path()});
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        // Nats per character of the last tenth.
        const double loss = metricOf(outcome, "loss");
        QVERIFY2(loss > 0 && loss < 1.9, std::to_string(loss).c_str());
    }
};

std::unique_ptr<QObject> makeTestGoals() { return std::make_unique<TestGoals>(); }
#include "tst_goals.moc"
