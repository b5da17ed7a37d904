// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program beside the tests, run once by mpirun on so many ranks.

#include <QString>
#include <QStringList>

namespace weft::test {

struct RanksOutcome {
    bool hasEnded = false;
    int code = -1;
    QString said;
    [[nodiscard]] bool isFine() const { return hasEnded && code == 0; }
    /// The number before that word in what was said.
    [[nodiscard]] int counted(const QString& word) const;
};
[[nodiscard]] RanksOutcome runOnRanks(int ranks, const QString& program,
                                      const QStringList& arguments = {});

/// A row of the test for each number of ranks tried; the column is "ranks".
void addRowsPerRanks();

} // namespace weft::test
