// SPDX-License-Identifier: Apache-2.0
#include "support/bug.h"
#include <weft/assignment.h>
#include <weft/diagnostics.h>
#include <weft/error.h>
#include <weft/types.h>

#include <QTest>
#include <memory>

using namespace weft;

class TestTypes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOfDtypesRoundTrip() {
        for (const DType dtype :
             {DType::f32, DType::f64, DType::bf16, DType::f16, DType::i32, DType::i64, DType::u8}) {
            QVERIFY(dtypeNamed(nameOf(dtype)) == dtype);
        }
        QVERIFY(!dtypeNamed("float"));
    }

    void wordsOfAnAxisRoundTrip() {
        for (const auto word : {AxisWord::follow, AxisWord::data, AxisWord::batch,
                                AxisWord::modelStack, AxisWord::modelAdd, AxisWord::spaceRows,
                                AxisWord::spaceColumns, AxisWord::replicate}) {
            QVERIFY(axisWordNamed(nameOf(word)) == word);
        }
        QVERIFY(nameOf(AxisWord::modelStack) == "model.stack");
        QVERIFY(!axisWordNamed("model"));
    }

    void shapesCountAndPrint() {
        QCOMPARE(elementsOf({}), 1);
        QCOMPARE(elementsOf({32, 256, 6, 6}), 294912);
        QCOMPARE(elementsOf({3, 0}), 0);
        QCOMPARE(toString(Shape{32, 256, 6, 6}), std::string("[32, 256, 6, 6]"));
        QCOMPARE(toString(Shape{}), std::string("[]"));
    }

    void amountsPrintInThreeDigits_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(expected);
        };
        row("none", toString(Bytes{0}), "0 B");
        row("few bytes", toString(Bytes{999}), "999 B");
        row("kilobyte", toString(Bytes{1000}), "1.00 kB");
        row("megabytes", toString(Bytes{54'211'111}), "54.2 MB");
        row("rounding up to the next unit", toString(Bytes{999'999}), "1.00 MB");
        row("negative", toString(Bytes{-54'211'111}), "-54.2 MB");
        row("milliseconds", toString(Nanoseconds{1'200'000}), "1.20 ms");
        row("microseconds", toString(Nanoseconds{2'410}), "2.41 µs");
        row("nanoseconds", toString(Nanoseconds{870}), "870 ns");
        row("minutes", toString(Nanoseconds{125'000'000'000}), "2 min 05 s");
        row("hours", toString(Nanoseconds{11'520'000'000'000}), "3 h 12 min");
        row("flops", toString(Flops{8'860'000'000}), "8.86 GFLOP");
    }
    void amountsPrintInThreeDigits() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(text, expected);
    }

    void anErrorSaysWhereWhatAndWhatToDo() {
        Where where;
        where.rank = 3;
        where.host = "hostB";
        where.layer = "conv5";
        const Error error(ErrorCode::peer, where, "no word for 10 s in all-reduce",
                          "check that the process still runs");
        QCOMPARE(std::string(error.what()),
                 std::string("rank 3 (hostB), conv5: no word for 10 s in "
                             "all-reduce: check that the process still runs"));
        Where place;
        place.file = "a.weft";
        place.line = 12;
        place.offset = 340;
        QCOMPARE(std::string(Error(ErrorCode::format, place, "is cut short", "").what()),
                 std::string("a.weft:12, byte 340: is cut short"));
        QCOMPARE(std::string(Error(ErrorCode::usage, {}, "nothing to do", "name a file").what()),
                 std::string("nothing to do: name a file"));
    }

    void aBrokenInvariantIsABug() {
        QVERIFY(test::isBug([] { ensure(false, "values have placements"); }));
        QVERIFY(!test::isBug([] { ensure(true, "all is well"); }));
    }

    void aDiagnosticReadsAsOneLine() {
        Diagnostic diagnostic{.code = "E012",
                              .layer = LayerId{4},
                              .layerName = "fc6",
                              .text = "input is [32, 256, 6, 6]; dense expects [batch, features]",
                              .fix = {.text = "insert flatten", .edits = {}}};
        QCOMPARE(toString(diagnostic),
                 std::string("E012 fc6: input is [32, 256, 6, 6]; dense expects [batch, features]: "
                             "insert flatten"));
        QVERIFY(hasErrors({diagnostic}));
        diagnostic.severity = Severity::warning;
        diagnostic.attribute = "units";
        diagnostic.fix.text.clear();
        QVERIFY(!hasErrors({diagnostic}));
        QVERIFY(toString(diagnostic).starts_with("E012 fc6.units: input"));
    }

    void anAssignmentPrintsAsSpoken() {
        QCOMPARE(toString(Assignment{{}, {}, {AxisWord::data}}), std::string("data"));
        QCOMPARE(toString(Assignment{}), std::string("follow"));
        QCOMPARE(toString(Assignment{{"cpu:0", "cpu:1", "cpu:2", "cpu:3"},
                                     {2, 2},
                                     {AxisWord::data, AxisWord::modelStack}}),
                 std::string("[data, model.stack] on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"));
    }
};

std::unique_ptr<QObject> makeTestTypes() { return std::make_unique<TestTypes>(); }
#include "tst_types.moc"
