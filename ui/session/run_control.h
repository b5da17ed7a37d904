// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts runs and tells them what to do: in a process of their own (which outlives the window), in
// the window's, as ranks under mpirun, or as a job on another host. A run asked for while another
// lives here waits its turn, or runs beside it where that is asked. What happens in a run is read
// from its folder, or from that of its copy, by a RunHub.
// Lives on the GUI thread and never waits for a run, but for one in this process when it is closed.

#include "session/hosts.h"
#include <weft/design.h>
#include <weft/error.h>
#include <weft/job_there.h>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

namespace weft::ui {

enum class RunWay : std::uint8_t { process, window, ranks, host };

struct RunOrder {
    Design design;           ///< as it stands, saved or not
    QString name;            ///< of the design's file or tab: the run is named after it
    QString dataFolder = {}; ///< where the design's files are looked for
    QString runs;            ///< the folder of runs
    RunWay way = RunWay::process;
    int ranks = 2;
    QString hosts = {}; ///< a hostfile of mpirun
    QStringList devices = {};
    QString weights = {};
    QStringList observe = {};
    QString host = {}; ///< on which it runs, its devices, ranks and data as the command has them
    JobRequest job = {};
    bool sendsData = false; ///< there, where it lies here
    QString resume = {};    ///< a run's folder whose last checkpoint goes on
    QString from = {};      ///< NAME:RUN on another host, whose newest one a new run goes on from
    bool isBeside = false;  ///< need not wait its turn
};

enum class TicketState : std::uint8_t { waiting, starting, running, ended };

/// A run that was asked for.
struct RunTicket {
    int number = 0;
    QString name;
    TicketState state = TicketState::waiting;
    RunWay way = RunWay::process;
    QString folder = {};  ///< once it is there
    QString message = {}; ///< why it ended, where it did not end well; before, how far it is
    QString host = {};    ///< on which it runs; empty: here
};

class RunControl : public QObject {
    Q_OBJECT

public:
    /// `program`: the weft to start; empty: the one beside this program, else on PATH.
    explicit RunControl(QString program = {}, QObject* parent = nullptr);
    /// Runs in processes of their own go on.
    ~RunControl() override;

    /// Its number. Never throws: what goes wrong is its message.
    int start(RunOrder order);
    /// A waiting one need wait no longer.
    void startBeside(int number);
    /// Takes a waiting one off the list, and one that is being sent to a host: it is sent no
    /// further.
    void cancel(int number);
    [[nodiscard]] std::vector<RunTicket> tickets() const;
    [[nodiscard]] std::optional<RunTicket> ticket(int number) const;
    /// Whether a run of this machine that was asked for lives.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] Hosts& hosts() { return hosts_; }
    [[nodiscard]] const Hosts& hosts() const { return hosts_; }

    /// Sends a command to the run in a folder, wherever it runs: "pause", "resume", "step", "save",
    /// "stop", "observe"; for a waiting remote run also "cancel". A refusal is reported by
    /// `refused`.
    bool tell(const QString& folder, const QString& command, const QString& layer = {});

    /// As it would begin on that host, which is yet to be asked what it has.
    [[nodiscard]] static ThereRequest requestFor(const RunOrder& order, const Host& host);
    [[nodiscard]] static QString findProgram();
    /// What one would type for the same run of a saved design.
    [[nodiscard]] static QStringList commandFor(const RunOrder& order, const QString& design,
                                                const QString& folder,
                                                const QString& program = QStringLiteral("weft"));
    /// The words as a shell takes them.
    [[nodiscard]] static QString lineOf(const QStringList& command);

Q_SIGNALS:
    void changed();
    void begun(int number, const QString& folder);
    /// `message`: why it did not end well, or never began; empty where it did.
    void ended(int number, const QString& message);
    /// A run does not take a command.
    void refused(const QString& message);

private:
    struct Entry;
    void look();
    void startNext();
    void launch(Entry& entry);
    void launchHere(Entry& entry);
    void launchThere(Entry& entry);
    void takeThere(int number, const BegunThere& begun);
    void say(int number, const QString& message);
    void end(Entry& entry, const QString& message);

    QString program_;
    Hosts hosts_;
    std::vector<std::unique_ptr<Entry>> entries_;
    int last_ = 0;
    QTimer timer_;
};

} // namespace weft::ui
