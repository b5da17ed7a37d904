// SPDX-License-Identifier: Apache-2.0
#pragma once
// Remote hosts: the user's settings, the connection to each host (opened on first use), and its
// reports and runs. A lost connection is reopened automatically; a host that never answered is
// tried again on request. Requests run on separate threads. Lives on the GUI thread.

#include <weft/hosts.h>
#include <weft/job_there.h>
#include <weft/remote.h>
#include <weft/runs.h>

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace weft::ui {

struct KnownHost {
    Host host;
    std::optional<LineState> line = {}; ///< std::nullopt: no connection was requested
    QDateTime since = {};               ///< time of the last change of `line`
    QString why = {};                   ///< why the connection was lost
    bool isReportRequested = false;
    QString fault = {};     ///< why the report failed
    QString operation = {}; ///< description of a long operation in progress
    std::shared_ptr<const HostReport> report = nullptr; ///< the last report
    std::vector<RunSummary> runs = {};                  ///< from the last report, newest first
    [[nodiscard]] QString name() const { return QString::fromStdString(host.name); }
};

/// Result of starting a job on a host.
struct StartedRemoteRun {
    QString folder;       ///< local folder of the run's copy
    QStringList remarks;  ///< one sentence each
    QString failure = {}; ///< why the job did not start
};

class Hosts : public QObject {
    Q_OBJECT

public:
    /// `program`: the weft executable that can be copied to a host.
    explicit Hosts(QString program = {}, QObject* parent = nullptr);
    ~Hosts() override; ///< closes all connections; remote runs continue

    /// Hosts in alphabetical order.
    [[nodiscard]] const std::vector<KnownHost>& all() const { return all_; }
    [[nodiscard]] const KnownHost* find(const QString& name) const;
    void readSettings(); ///< reads the user's settings again, since other processes may change them
    /// Saves a host; returns why it was refused, or an empty text.
    [[nodiscard]] QString save(const Host& host);
    void forget(const QString& name); ///< removes the host from the settings

    /// Requests a host's report and runs, and opens a connection if necessary. `mayAsk`: ssh may
    /// ask for a password through its askpass program; a lost connection is then opened again.
    void requestReport(const QString& name, bool mayAsk = false);
    /// True if ssh has an askpass program or a terminal.
    [[nodiscard]] static bool canSshAskForPassword();
    void requestRuns(); ///< asks all connected hosts for their runs
    /// Closes the connection, including the ssh connection that all processes of this user share.
    void close(const QString& name);

    /// Installs Weft on a host, by copying the program or building from source, and requests a new
    /// report. Emits `failed` on failure.
    void install(const QString& name, bool isFromSource);
    /// Starts a short job that reports the devices of a cluster node, then requests a new report.
    void askNodes(const QString& name);
    /// Cancels the long operation in progress on this host.
    void cancelOperation(const QString& name);

    /// Checks, plans, sends and starts a job. `progress` is called on another thread, first before
    /// any byte is sent, and returns false to cancel. `done` is called on the GUI thread.
    void startJob(const QString& name, RemoteJobRequest request,
                  std::function<bool(Bytes sent, Bytes all)> progress,
                  const std::function<void(const StartedRemoteRun&)>& done);
    /// Keeps the local copy in this folder up to date; ignores any other folder.
    void follow(const QString& folder);
    /// Like `follow` for a run that may have no local copy yet; `done` receives the copy's folder.
    void follow(const RemoteRun& run, const std::function<void(const QString& folder)>& done);
    void leave(const RunCopy& run); ///< stops updating the copy
    /// Sends a command to the run of this copy. A refusal is reported by `failed`.
    void tell(const RunCopy& run, const QString& command, const QString& layer = {});
    void cancel(const RunCopy& run); ///< cancels the run's job
    /// Resumes the run on its host from the last checkpoint.
    void resume(const RunCopy& run, const std::function<void(const StartedRemoteRun&)>& done);
    /// Returns true if the file exists locally. If it belongs to a copy and `requestsIfMissing`,
    /// requests it once; `fileAnswered` is emitted when it arrives or fails.
    bool isHere(const std::filesystem::path& file, bool requestsIfMissing = true);
    /// Returns why a requested file could not be fetched; empty: it exists or is being fetched.
    [[nodiscard]] QString whyMissing(const std::filesystem::path& file) const;
    /// Returns the newest local checkpoint of the folder's run, or nullptr. If it is not the run's
    /// newest one, requests that one, at most one at a time.
    const RunFile* newestLocalCheckpoint(const QString& folder,
                                         const std::vector<RunFile>& checkpoints);

Q_SIGNALS:
    void changed(); ///< the state of some host has changed
    void failed(const QString& host, const QString& message);
    /// The requested file has arrived, or could not be fetched.
    void fileAnswered(const QString& file);

private:
    using Continuation = std::function<void()>; ///< continuation of a job, called on the GUI thread
    /// Runs `job` on another thread. Its exceptions are passed to `refused` if given, else reported
    /// by `failed`.
    void runOnHost(const QString& name, std::function<Continuation(HostLine&)> job,
                   std::function<void(const QString&)> refused = {}, bool mayAsk = false);
    /// Callback of a long operation: receives the stage, and returns false to cancel.
    using StageCallback = std::function<bool(const QString& stage)>;
    void runOperation(const QString& name, const QString& stage,
                      std::function<void(const Host&, const StageCallback&)> work);
    std::shared_ptr<HostLine> connectionTo(const QString& name, bool mayAsk);
    void dropConnection(const QString& name);
    void pollConnections();
    [[nodiscard]] KnownHost* findMutable(const QString& name);

    std::vector<KnownHost> all_;
    std::map<QString, std::shared_ptr<HostLine>> connections_;
    QString program_; ///< the weft executable that can be copied to a host
    /// Cancel flags of long operations by host, read by their threads.
    std::map<QString, std::shared_ptr<std::atomic_bool>> cancelFlags_;
    /// Requested files, with the reason of a failure; empty while being fetched.
    std::map<std::string, QString> requestedFiles_;
    QThreadPool pool_;
    QTimer timer_; ///< polls the connections
};

} // namespace weft::ui
