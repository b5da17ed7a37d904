// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"
#include "tryit/class_scores.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestClassScores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMatrixCountsTruthAgainstAnswer() {
        const InferenceOutput output{
            "y", {4, 3}, {.8F, .1F, .1F, .1F, .8F, .1F, .9F, .05F, .05F, .2F, .2F, .6F}};
        const ClassScores scores = scoreClasses(output, {0, 1, 2, 1});
        QCOMPARE(scores.examples, 4);
        QCOMPARE(scores.correct, 2);
        QCOMPARE(scores.accuracy(), 0.5);
        QCOMPARE(scores.at(0, 0), 1);
        QCOMPARE(scores.at(2, 0), 1);
        QCOMPARE(scores.at(1, 2), 1);
        QCOMPARE(scores.at(0, 2), 0);
    }

    void theSurestMistakeComesFirst() {
        const InferenceOutput output{"y", {3, 2}, {.6F, .4F, .99F, .01F, .7F, .3F}};
        const ClassScores scores = scoreClasses(output, {1, 1, 1}, 2);
        QCOMPARE(scores.worst.size(), std::size_t{2});
        QCOMPARE(scores.worst[0].example, 1);
        QCOMPARE(scores.worst[1].example, 2);
        QVERIFY(scores.worst[0].confidence > 0.98);
    }

    void scoresGoThroughASoftmax() {
        const float scores[] = {1000, 0};
        const auto shares = probabilitiesOf(scores, 2);
        QCOMPARE(shares[0], 1.0);
        const float even[] = {-3, -3};
        QCOMPARE(probabilitiesOf(even, 2)[0], 0.5);
    }

    void whatIsNoClassIsPassedOver() {
        const InferenceOutput output{"y", {2, 2}, {1, 0, 0, 1}};
        QCOMPARE(scoreClasses(output, {-1, 1}).examples, 1);
        QCOMPARE(scoreClasses(output, {1}).classes, 0);
        QCOMPARE(scoreClasses({"y", {2, 2, 1}, {1, 0, 0, 1}}, {0, 1}).classes, 0);
    }
};

std::unique_ptr<QObject> makeTestClassScores() { return std::make_unique<TestClassScores>(); }
#include "tst_class_scores.moc"
