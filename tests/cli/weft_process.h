// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts the program and waits for it; a small design to train; what a run came to.

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft::test {

/// How long a run may take to come to what a test waits for, in milliseconds.
inline constexpr int patience = 120'000;
/// More steps than any test waits for.
inline constexpr int endless = 1'000'000;

struct Ended {
    int code = -1; ///< -1: it did not end in time
    QString out;
    QString error;
};

/// In that folder; two minutes at most.
[[nodiscard]] Ended weft(const QStringList& arguments, const QString& folder);
[[nodiscard]] Ended startedBy(const QString& launcher, const QStringList& before,
                              const QStringList& arguments, const QString& folder);

/// Returns the output on a terminal with these environment variables, after the process has ended.
[[nodiscard]] QString weftOnATerminal(const QStringList& arguments, const QString& folder,
                                      const QStringList& environment);

/// A network on drawn digits: a convolution and two dense layers, trained for so many steps.
struct SmallDesign {
    int steps = 12;
    int checkpointEvery = 6;
    QString assign = "follow";
    int evaluateEvery = 0; ///< 0: with each epoch
    int syncEvery = 1;
    QString precision = "exact";
    QString communicator = "chosen";
};
void writeDesign(const QString& path, const SmallDesign& design);

/// A host of the user's, whose weft is this one.
[[nodiscard]] Ended addedHost(const QString& name, const QString& via, const QString& runs,
                              const QStringList& more = {});
/// Begun there from the folder, and not followed; its name there, or "refused: ...".
[[nodiscard]] QString begunOn(const QString& host, const SmallDesign& design, const QString& folder,
                              const QStringList& more = {});

/// Returns the content of a file; empty if it cannot be read.
[[nodiscard]] QByteArray bytesOf(const QString& path);
void writeBytes(const QString& path, const QByteArray& bytes);

/// The run directories of a folder, oldest first.
[[nodiscard]] QStringList runsIn(const QString& folder);
/// The loss of each training step, from the run's log; none as long as the folder is no run's.
[[nodiscard]] std::vector<double> lossesOf(const QString& run);
[[nodiscard]] std::map<std::int64_t, double> lossesByStep(const QString& run);
/// The largest difference, relative to the larger; infinite when the numbers of steps differ.
[[nodiscard]] double largestDifference(const std::vector<double>& a, const std::vector<double>& b);

} // namespace weft::test
