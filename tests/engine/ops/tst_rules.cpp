// SPDX-License-Identifier: Apache-2.0
#include "ops/rules.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;

class TestRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsDimsFromEitherEnd() {
        QCOMPARE(ops::dimOf({{"dim", std::int64_t{-1}}}, 3), 2);
        QCOMPARE(ops::dimOf({{"dim", std::int64_t{1}}}, 3), 1);
        QCOMPARE(ops::dimOf({{"dim", std::int64_t{3}}}, 3), -1);
        QCOMPARE(ops::dimOf({{"dim", std::int64_t{-4}}}, 3), -1);
        QCOMPARE(ops::dimOf({{"dim", std::int64_t{-1}}}, 0), -1);
    }

    void namesDimsAsPlacementsDo() {
        QCOMPARE(ops::lettersWith(4, 1, "c"), std::string("b c y x"));
        QCOMPARE(ops::lettersWith(5, 1, "c"), std::string("b c z y x"));
        QCOMPARE(ops::lettersWith(3, 1, "c"), std::string("b c x"));
        QCOMPARE(ops::lettersWith(2, 1, "o"), std::string("b o"));
        QCOMPARE(ops::lettersWith(3, 2, "o"), std::string("b t o"));
        QCOMPARE(ops::lettersWith(4, 3, "o"), std::string("b t e2 o"));
    }
};

std::unique_ptr<QObject> makeTestRules() { return std::make_unique<TestRules>(); }

#include "tst_rules.moc"
