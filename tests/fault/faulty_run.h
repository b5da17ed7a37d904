// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run of several ranks in a folder of its own that is to be disturbed: its ranks by number, its
// progress, its end, and what it has left behind.

#include "../cli/weft_process.h"
#include "processes.h"
#include <weft/runs.h>

#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <map>
#include <memory>

namespace weft::test {

class FaultyRun {
public:
    explicit FaultyRun(const SmallDesign& design);
    /// Whatever still runs is killed.
    ~FaultyRun();

    /// `weft run small.weft --ranks N`; `limit`: seconds of silence after which a rank is given up.
    void launch(int ranks, double limit = 2, const QStringList& more = {});
    /// The same under mpirun alone.
    void launchPlain(int ranks, double limit = 2);
    void start(const QString& name, const QStringList& arguments, double limit = 2);
    /// In the same folder, to its end.
    [[nodiscard]] Ended weft(const QStringList& arguments) const;

    [[nodiscard]] bool isRunning() const { return process_.state() != QProcess::NotRunning; }
    [[nodiscard]] int process() const { return static_cast<int>(process_.processId()); }
    /// Process of each rank that lives.
    [[nodiscard]] std::map<int, int> ranks() const;
    [[nodiscard]] int mpirun() const;
    [[nodiscard]] int steps() const;
    [[nodiscard]] int checkpoints() const;
    /// Every process that was started for the run, by whomever, and has not ended.
    [[nodiscard]] QList<Process> living() const;
    /// Remembers the names of files in shared memory, so that `leftovers` finds them later.
    void remember();
    void signalRank(int rank, int signal);

    /// Waits for its end, two minutes at most.
    [[nodiscard]] Ended end();
    /// Processes that still run and files that OpenMPI or Weft left; empty where all is clean.
    [[nodiscard]] QStringList leftovers() const;

    [[nodiscard]] QString folder() const { return folder_.path(); }
    /// The run directory; empty until there is one.
    [[nodiscard]] QString run() const { return runsIn(folder()).value(0); }
    [[nodiscard]] Run opened() const { return openRun(run().toStdString()); }
    /// The design that the run's folder keeps, so that a resume ends after so many steps more.
    [[nodiscard]] int planMoreSteps(int more, const QString& assign) const;

private:
    SmallDesign design_;
    QTemporaryDir folder_;
    mutable QProcess process_;
    QSet<QByteArray> jobs_; ///< as MPI names them
    QSet<QString> folders_; ///< temporary folders of the launcher
};

} // namespace weft::test
