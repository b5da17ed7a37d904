// SPDX-License-Identifier: Apache-2.0
// Kills and stops of every rank, two hundred of them: the last checkpoint and every number of every
// step are those of a training that nobody disturbed.
#include "disturbed_training.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <map>
#include <memory>
#include <random>
#include <utility>

using namespace weft::test;

class TestManyDisturbances : public QObject {
    Q_OBJECT

    unsigned seed_ = std::random_device()();
    std::map<QString, std::unique_ptr<DisturbedTraining>> trainings_;

private Q_SLOTS:
    void initTestCase() { qInfo("seed %u", seed_); }

    void costNoStep_data() {
        QTest::addColumn<TrainedOn>("place");
        QTest::addColumn<int>("number");
        const std::pair<TrainedOn, int> places[] = {
            {{.ranks = 2}, 80},
            {{.ranks = 3}, 50},
            // Each rank holds a part of the weights, so that none can save alone.
            {{.ranks = 2, .assign = "model.stack"}, 30},
            {{.devices = "cpu:0"}, 20},
            {{.devices = "cpu:0,cpu:1"}, 20}};
        for (const auto& [place, cases] : places) {
            for (int number = 0; number < cases; ++number) {
                QTest::addRow("%s, case %d", qPrintable(nameOf(place)), number) << place << number;
            }
        }
    }
    void costNoStep() {
        QFETCH(const TrainedOn, place);
        QFETCH(const int, number);
        if (const QString why = whyNoRanks(); place.ranks > 1 && !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        std::unique_ptr<DisturbedTraining>& training = trainings_[nameOf(place)];
        if (!training) {
            training = std::make_unique<DisturbedTraining>(place);
        }
        QVERIFY2(training->fault().isEmpty(), qPrintable(training->fault()));
        std::mt19937 draw(seed_ + static_cast<unsigned>(number));
        const Disturbance disturbance = training->drawn(draw);
        const QString wrong = training->differenceAfter(disturbance);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("signal %1 to rank %2 after step %3: %4")
                                                 .arg(disturbance.signal)
                                                 .arg(disturbance.victim)
                                                 .arg(disturbance.after)
                                                 .arg(wrong)));
    }

    void cleanupTestCase() {
        for (const auto& [name, training] : trainings_) {
            qInfo("%s: %d trainings ended early", qPrintable(name), training->disturbed());
        }
    }

private:
    static QString nameOf(const TrainedOn& place) {
        return place.ranks > 1 ? QString("%1 ranks, %2").arg(place.ranks).arg(place.assign)
                               : place.devices;
    }
};

std::unique_ptr<QObject> makeTestManyDisturbances() {
    return std::make_unique<TestManyDisturbances>();
}
#include "tst_many_disturbances.moc"
