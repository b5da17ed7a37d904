// SPDX-License-Identifier: Apache-2.0
#include "catalogue/kind_search.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::ui;

class TestKindSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsAFunctionByItsNameInPyTorchAndOnnx_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("kind");
        const auto row = [](const char* query, const char* kind) {
            QTest::newRow(query) << QString(query) << QString(kind);
        };
        row("ReLU", "relu");
        row("LeakyReLU", "leaky_relu");
        row("ELU", "elu");
        row("SiLU", "silu");
        row("Swish", "silu");
        row("Hardswish", "hard_swish");
        row("Hardsigmoid", "hard_sigmoid");
        row("ReLU6", "clip");
        row("Hardtanh", "clip");
        row("clamp", "clip");
        row("Pow", "pow");
        row("power", "power");
        row("Neg", "neg");
        row("Abs", "abs");
        row("Reciprocal", "reciprocal");
    }
    void findsAFunctionByItsNameInPyTorchAndOnnx() {
        QFETCH(QString, query);
        QFETCH(QString, kind);
        const auto hits = findKinds(weft::catalogue(), nullptr, query, Fitting::all);
        QVERIFY(!hits.empty());
        QCOMPARE(hits.front().kind, kind);
    }
};

std::unique_ptr<QObject> makeTestKindSearch() { return std::make_unique<TestKindSearch>(); }

#include "tst_kind_search.moc"
