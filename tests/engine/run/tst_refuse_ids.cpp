// SPDX-License-Identifier: Apache-2.0
#include "run/train/refuse_ids.h"
#include "small_pool.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

const char* const words = R"({"weft": 1, "devices": ["reference:0", "reference:1"],
 "assign": {"words": ["data"]},
 "layers": [
  {"id": 1, "name": "ids", "kind": "input", "with": {"shape": [2], "dtype": "i64"}},
  {"id": 2, "name": "table", "kind": "embedding", "with": {"rows": 5, "features": 3}},
  {"id": 3, "name": "next", "kind": "input", "with": {"shape": [2], "dtype": "i64"}},
  {"id": 4, "name": "loss", "kind": "softmax_cross_entropy", "with": {"ignore": 9}}],
 "wires": ["ids.y -> table.ids", "table.y -> loss.logits", "next.y -> loss.target"]})";

QString complaintOf(const std::string& feed, std::int64_t id) {
    SmallPool small(words, 2, {{Mode::train, 3}});
    fillIds(*small.pool, 0, feed, id);
    try {
        throwOnInvalidIds(*small.pool, 0);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

} // namespace

class TestRefuseIds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysNothingOfIdsThatAreKnown() {
        QCOMPARE(complaintOf("ids", 4), QString());
        QCOMPARE(complaintOf("next", 2), QString());
    }

    void namesTheLayerAndTheRowThatIsNotThere() {
        const QString said = complaintOf("ids", 5);
        QVERIFY2(said.startsWith("table: ") && said.contains("ids contains 5") &&
                     said.contains("0 to 4"),
                 qPrintable(said));
        QVERIFY(complaintOf("ids", -1).contains("contains -1"));
    }

    void namesTheLossAndTheClassThatIsNotThere() {
        const QString said = complaintOf("next", 3);
        QVERIFY2(said.startsWith("loss: ") && said.contains("next contains 3"), qPrintable(said));
    }

    void leavesOutTheClassThatIsIgnored() { QCOMPARE(complaintOf("next", 9), QString()); }
};

std::unique_ptr<QObject> makeTestRefuseIds() { return std::make_unique<TestRefuseIds>(); }
#include "tst_refuse_ids.moc"
