// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts runs and sends them commands. A run is a process that outlives the window, a thread of the
// window, ranks under mpirun, or a job on another host. A run waits while another one runs on this
// machine, unless it is asked to run beside it. A RunHub reads a run's events from its folder or
// local copy. Lives on the GUI thread; it waits only for a run in this process, when it is
// destroyed.

#include "launch/hosts.h"
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

enum class RunWay : std::uint8_t {
    process, ///< a process that outlives the window
    window,  ///< a thread of the window's process
    ranks,   ///< ranks under mpirun
    host     ///< a job on another host
};

struct LaunchRequest {
    Design design;           ///< the present design, saved or not
    QString name;            ///< name of the design's file or tab, used for the run's folder
    QString dataFolder = {}; ///< folder of the design's data files
    QString runs;            ///< folder in which the run's folder is created
    RunWay way = RunWay::process;
    int ranks = 2;            ///< for RunWay::ranks
    QString hosts = {};       ///< a hostfile for mpirun
    QStringList devices = {}; ///< names; empty: the design's
    QString weights = {};     ///< checkpoint file to start from
    QStringList observe = {}; ///< names of layers to observe
    QString host = {};        ///< host to run on; `job` then describes devices, ranks and data
    JobRequest job = {};
    bool sendsData = false; ///< sends local data files to the host
    QString resume = {};    ///< folder of a run to resume from its last checkpoint
    QString from = {};      ///< NAME:RUN on another host, whose newest checkpoint starts a new run
    bool isBeside = false;  ///< doesn't wait for other runs
};

enum class TicketState : std::uint8_t { waiting, starting, running, ended };

/// State of a requested run.
struct RunTicket {
    int number = 0;
    QString name;
    TicketState state = TicketState::waiting;
    RunWay way = RunWay::process;
    QString folder = {};  ///< empty until it exists
    QString message = {}; ///< why the run failed; before, its progress
    QString host = {};    ///< host of the run; empty: this machine
};

class RunControl : public QObject {
    Q_OBJECT

public:
    /// `program`: path of weft; empty: the one beside this program, else from PATH.
    explicit RunControl(QString program = {}, QObject* parent = nullptr);
    ~RunControl() override; ///< runs in separate processes continue

    /// Returns the run's number. Never throws: an error becomes the run's message.
    int start(LaunchRequest request);
    void startBeside(int number); ///< starts a waiting run beside the others
    void cancel(int number);      ///< cancels a waiting run, or one that is being sent to a host
    [[nodiscard]] std::vector<RunTicket> tickets() const;
    [[nodiscard]] std::optional<RunTicket> ticket(int number) const;
    [[nodiscard]] bool isBusy() const; ///< true while a requested run is live on this machine
    [[nodiscard]] Hosts& hosts() { return hosts_; }
    [[nodiscard]] const Hosts& hosts() const { return hosts_; }

    /// Sends a command to the run in a folder, wherever it runs: "pause", "resume", "step", "save",
    /// "stop", "observe"; for a waiting remote run also "cancel". A refusal is reported by
    /// `refused`.
    bool tell(const QString& folder, const QString& command, const QString& layer = {});

    /// Returns the request for a job on this host, which still has to be asked for its report.
    [[nodiscard]] static RemoteJobRequest requestFor(const LaunchRequest& request,
                                                     const Host& host);
    [[nodiscard]] static QString findProgram();
    /// Returns the equivalent command line for a saved design.
    [[nodiscard]] static QStringList commandFor(const LaunchRequest& request, const QString& design,
                                                const QString& folder,
                                                const QString& program = QStringLiteral("weft"));
    /// Quotes the words for a shell.
    [[nodiscard]] static QString lineOf(const QStringList& command);

Q_SIGNALS:
    void changed();
    void begun(int number, const QString& folder); ///< the run has started
    /// A run has ended. `message`: why it failed or did not start; empty: success.
    void ended(int number, const QString& message);
    void refused(const QString& message); ///< a run has refused a command

private:
    struct Entry;
    void pollRuns();
    void startNext();
    void launch(Entry& entry);
    void launchInWindow(Entry& entry);
    void launchOnHost(Entry& entry);
    void takeRemoteStart(int number, const StartedRemoteRun& begun);
    void showProgress(int number, const QString& message);
    void finish(Entry& entry, const QString& message);

    QString program_;
    Hosts hosts_;
    std::vector<std::unique_ptr<Entry>> entries_;
    int lastNumber_ = 0; ///< number of the newest run
    QTimer pollTimer_;
};

} // namespace weft::ui
