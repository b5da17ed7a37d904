// SPDX-License-Identifier: Apache-2.0
#include "ranks_program.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

namespace weft::test {

int RanksOutcome::counted(const QString& word) const {
    return said.section(" " + word, 0, 0).section('\n', -1).toInt();
}

RanksOutcome runOnRanks(int ranks, const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start("mpirun", QStringList{"--allow-run-as-root", "--oversubscribe", "--bind-to",
                                        "none", "-n", QString::number(ranks),
                                        QCoreApplication::applicationDirPath() + "/" + program} +
                                arguments);
    RanksOutcome outcome;
    outcome.hasEnded = process.waitForFinished(280'000);
    outcome.said = QString::fromUtf8(process.readAll());
    if (!outcome.hasEnded) {
        outcome.said.prepend("it did not end: ");
        process.terminate();
        process.waitForFinished(10'000);
    }
    outcome.code = process.exitCode();
    return outcome;
}

void addRowsPerRanks() {
    QTest::addColumn<int>("ranks");
    for (const int ranks : {2, 3, 4}) {
        QTest::addRow("%d ranks", ranks) << ranks;
    }
}

} // namespace weft::test
