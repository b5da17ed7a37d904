// SPDX-License-Identifier: Apache-2.0
// Every verb refuses sizes that are too large before it computes anything, and names the limit;
// problems that follow from another problem are not listed.
#include "cli/weft_process.h"
#include "large_designs.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

class TestLimits : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] Ended say(const QStringList& words, const QByteArray& design) const {
        writeBytes(folder_.path() + "/large.weft", design);
        return test::weft(words, folder_.path());
    }

private Q_SLOTS:
    void namesTheLimit_data() {
        QTest::addColumn<QByteArray>("design");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& design, const char* says) {
            QTest::newRow(name) << design << QString(says);
        };
        const char* grows = "E025 b.repeat: with all copies of groups, the design has more than "
                            "100000 layers, 100000 copies or 32 MiB of names and attributes";
        row("repeat", repeatedDesign(2147483648), grows);
        row("repeat just too often", repeatedDesign(99997), "more than 100000 layers");
        row("repeat beyond counting", repeatedDesign(4611686018427387904), grows);
        row("repeats of repeats", nestedDesign(59, 1000000), grows);
        row("two of two of two", nestedDesign(40, 2), grows);
        row("expression in each copy", repeatedDesign(20000, longExpression(4000)), grows);
        row("declared devices", designOnDevices(100000),
            "E039 devices: 100000 devices are more than the 512");
        row("devices of a run", designOnDevices(2000), "2000 devices are more than the 512");
        row("devices of an assignment", designAssignedTo(100000),
            "E039 assign: 100000 devices are more than the 512");
        row("wires into one layer", addingDesign(1001),
            "E016 b: more than 1000 wires end at this layer");
        row("problems", designOfUnknownKinds(20000),
            "W104 there are more problems than the 500 listed ones");
    }
    void namesTheLimit() {
        QFETCH(const QByteArray, design);
        QFETCH(const QString, says);
        const Ended checked = say({"check", "large.weft"}, design);
        QVERIFY2(checked.code == 3 && checked.out.contains(says),
                 qPrintable(checked.out.left(2000) + checked.error));
        QVERIFY2(!checked.out.contains("E040") && !checked.out.contains("E041"),
                 qPrintable(checked.out.left(2000)));
        for (const char* verb : {"plan", "run"}) {
            const Ended ended = say({verb, "large.weft"}, design);
            QVERIFY2(ended.code == 3 && ended.error.contains("large.weft"),
                     qPrintable(QString("%1 %2: %3").arg(verb).arg(ended.code).arg(ended.error)));
        }
    }

    void namesTheLimitOfAskedDevices() {
        const Ended ended = say({"plan", "large.weft", "--devices", numbered(513, "cpu:#", ",")},
                                repeatedDesign(2));
        QVERIFY2(ended.code == 3 && ended.error.contains("513 devices are more than the 512"),
                 qPrintable(ended.error));
    }

    void plansForManyDevices() {
        const Ended ended = say({"plan", "large.weft"}, designOnDevices(512));
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
    }

    // Nobody knows whether a layer that has an error of its own would be the loss, or feed it.
    void saysNoConsequences_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString(says);
        };
        row("unknown kind", "softmax_cross_entropy", "softmax_crossentropy",
            "there is no layer kind softmax_crossentropy: write softmax_cross_entropy");
        row("unknown kind before it", R"("kind": "dense", "with": {"units": 10})",
            R"("kind": "dens")", "there is no layer kind dens: write dense");
        row("unknown input", R"("kind": "input", "with": {"dtype": "i64"})", R"("kind": "inputs")",
            "there is no layer kind inputs: write input");
        row("loss without a wire", R"(, "t -> loss.target")", "", "E009 loss.target");
        row("cycle", R"("x -> b.x")", R"("fc -> b.x")", "E011");
    }
    void saysNoConsequences() {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QString, says);
        const Ended ended = say({"check", "large.weft"}, repeatedDesign(2).replace(from, to));
        QVERIFY2(ended.code == 3 && ended.out.contains(says), qPrintable(ended.out + ended.error));
        QVERIFY2(!ended.out.contains("E040") && !ended.out.contains("E041"), qPrintable(ended.out));
    }

    void saysThatALossIsMissing() {
        const QByteArray none =
            repeatedDesign(2)
                .replace("softmax_cross_entropy", "add")
                .replace(R"(, "fc -> loss.logits", "t -> loss.target")", R"(, "fc -> loss.x0")");
        const Ended ended = say({"check", "large.weft"}, none);
        QVERIFY2(ended.code == 3 && ended.out.contains("E040"), qPrintable(ended.out));
    }
};

std::unique_ptr<QObject> makeTestLimits() { return std::make_unique<TestLimits>(); }

#include "tst_limits.moc"
