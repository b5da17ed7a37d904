// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/explain.h>

#include <nlohmann/json.hpp>

#include <QTest>
#include <set>

using namespace weft;

namespace {

Design quickstartDigits() {
    return loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
        .design;
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStageIsTextAndJson_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("key");
        QTest::addRow("graph") << "graph"
                               << "nodes";
        QTest::addRow("plan") << "plan"
                              << "nodes";
        QTest::addRow("kernels") << "kernels"
                                 << "programs";
        QTest::addRow("memory") << "memory"
                                << "programs";
        QTest::addRow("programs") << "programs"
                                  << "programs";
    }
    void everyStageIsTextAndJson() {
        QFETCH(const QString, stage);
        QFETCH(const QString, key);
        StageTextRequest request{.stage = *stageNamed(stage.toStdString()),
                                 .devices = {"cpu:0", "cpu:1"}};
        QVERIFY(!explain(quickstartDigits(), request).empty());
        request.form = TextForm::json;
        const Json read = parseJson(explain(quickstartDigits(), request), "explain");
        QVERIFY(!read.at(key.toStdString()).empty());
        QVERIFY(read.at("took_ns").contains("lower and differentiate"));
    }

    void timesAreToldWhereAsked() {
        StageTextRequest request{.stage = Stage::programs};
        QVERIFY(explain(quickstartDigits(), request).find("took:") == std::string::npos);
        request.times = true;
        const std::string text = explain(quickstartDigits(), request);
        for (const char* stage :
             {"check and expand", "lower and differentiate", "place", "select and schedule"}) {
            QVERIFY2(text.find(stage, text.find("took:")) != std::string::npos, stage);
        }
    }

    void memoryTellsEveryBlockWithItsLife() {
        StageTextRequest request{.stage = Stage::memory, .form = TextForm::json};
        const Json read = parseJson(explain(quickstartDigits(), request), "explain");
        const Json& blocks = read.at("programs").front().at("blocks");
        std::set<std::string> kinds;
        for (const Json& block : blocks) {
            kinds.insert(block.at("kind").get<std::string>());
            QVERIFY(block.at("first_step") <= block.at("last_step"));
        }
        QVERIFY(kinds.contains("weights") && kinds.contains("gradients") &&
                kinds.contains("activations"));
        request.form = TextForm::text;
        const std::string text = explain(quickstartDigits(), request);
        QVERIFY(text.find("by kind: weights") != std::string::npos);
    }

    void programsTellTheirStreamsAndWaits() {
        const StageTextRequest request{.stage = Stage::programs, .form = TextForm::json};
        const Json read = parseJson(explain(quickstartDigits(), request), "explain");
        const Json& program = read.at("programs").front();
        QCOMPARE(program.at("streams").front().at("name").get<std::string>(),
                 std::string("compute 0"));
        QVERIFY(program.at("steps").front().contains("waits"));
        QVERIFY(program.at("steps").front().at("predicted_ns").get<std::int64_t>() > 0);
    }
};

std::unique_ptr<QObject> makeTestExplain() { return std::make_unique<TestExplain>(); }
#include "tst_explain.moc"
