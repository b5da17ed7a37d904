// SPDX-License-Identifier: Apache-2.0
#pragma once
// A training that is disturbed once, goes on, and must come to what one comes to that nobody
// disturbed: the last checkpoint and every number of every step, bit for bit.

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <map>
#include <random>
#include <utility>

namespace weft::test {

/// On what a training runs: ranks under MPI, or the devices of one process.
struct TrainedOn {
    int ranks = 1;
    QString devices = QStringLiteral("cpu:0"); ///< devices of one process
    QString assign = QStringLiteral("data");
};

struct Disturbance {
    int victim = 0; ///< rank
    int signal = 0; ///< SIGKILL, or SIGSTOP: a rank is given up, a process of its own goes on
    int after = 0;  ///< steps
};

class DisturbedTraining {
public:
    /// Trains undisturbed; `fault` says what went wrong with that.
    explicit DisturbedTraining(TrainedOn place);
    [[nodiscard]] const QString& fault() const { return fault_; }

    /// Returns the difference from the undisturbed training, or an empty text.
    [[nodiscard]] QString differenceAfter(const Disturbance& disturbance);
    [[nodiscard]] Disturbance drawn(std::mt19937& draw) const;
    /// Trainings that had not ended when they were disturbed.
    [[nodiscard]] int disturbed() const { return disturbed_; }

private:
    /// The numbers of every step and evaluation, without what tells of time.
    using Numbers = std::map<std::pair<qint64, QString>, QJsonObject>;

    [[nodiscard]] QString takeNumbers(const QString& run, Numbers& numbers) const;
    [[nodiscard]] QString differenceOf(const QString& run) const;

    TrainedOn place_;
    QString fault_;
    Numbers numbers_;
    QByteArray checkpoint_;
    int disturbed_ = 0;
};

} // namespace weft::test
