// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hosts that one isn't sitting at, as the window knows them: the user's settings of each, the line
// to it, once somebody asks for it, what it has and its runs. A line that broke is taken up again
// by itself; a host that never answered is asked again when somebody asks. Questions wait on
// threads of their own. Lives on the GUI thread.

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
    /// Nothing: nobody has asked for its line.
    std::optional<LineState> line = {};
    QDateTime since = {};                               ///< the line is as it is
    QString why = {};                                   ///< the line is lost
    bool isAsked = false;                               ///< what it has is to come
    QString fault = {};                                 ///< why it did not come
    QString doing = {};                                 ///< what takes long there, in words
    std::shared_ptr<const HostReport> report = nullptr; ///< as it last said
    std::vector<RunSummary> runs = {};                  ///< as it last said, newest first
    [[nodiscard]] QString name() const { return QString::fromStdString(host.name); }
};

/// What became of a job that was to begin on a host.
struct BegunThere {
    QString folder;       ///< in which the run's copy grows here
    QStringList remarks;  ///< a sentence each
    QString failure = {}; ///< it did not begin
};

class Hosts : public QObject {
    Q_OBJECT

public:
    /// `program`: the weft that is carried to a host.
    explicit Hosts(QString program = {}, QObject* parent = nullptr);
    /// Ends all lines; what runs there goes on.
    ~Hosts() override;

    /// In the order of their names.
    [[nodiscard]] const std::vector<KnownHost>& all() const { return all_; }
    [[nodiscard]] const KnownHost* find(const QString& name) const;
    /// The user's settings anew: other programs change them too.
    void read();
    /// Why it was refused; empty: it is kept.
    [[nodiscard]] QString keep(const Host& host);
    void forget(const QString& name);

    /// What it has, and its runs; a line where there is none. `mayAsk`: ssh may ask its user, by
    /// the program that it has for that, so that a line that is lost is begun anew.
    void ask(const QString& name, bool mayAsk = false);
    /// There is such a program here, or a terminal.
    [[nodiscard]] static bool canSshAsk();
    /// Asks all connected hosts for their runs.
    void askForRuns();
    /// Ends the line, and the connection that all programs of this user share.
    void close(const QString& name);

    /// Puts an engine there, carried or built there of its sources, and asks the host anew;
    /// `failed` tells why it could not be.
    void install(const QString& name, bool isFromSource);
    /// A job of a minute asks a node of its partition what it has; then the host is asked anew.
    void askNodes(const QString& name);
    /// What takes long, of the above, ends.
    void stopDoing(const QString& name);

    /// Checks, plans, sends and begins a job. `progress` is heard on another thread, before the
    /// first byte goes too, and ends it by saying no; `done` here.
    void begin(const QString& name, ThereRequest request,
               std::function<bool(Bytes sent, Bytes all)> progress,
               const std::function<void(const BegunThere&)>& done);
    /// The copy of a run grows from now on; does nothing for any other folder.
    void follow(const QString& folder);
    /// The same of a run that need not have one yet; `done` hears of its folder.
    void follow(const RunThere& run, const std::function<void(const QString& folder)>& done);
    /// The copy grows no more.
    void leave(const RunCopy& run);
    /// Sends a command to the run of this copy. A refusal is reported by `failed`.
    void tell(const RunCopy& run, const QString& command, const QString& layer = {});
    void cancel(const RunCopy& run);
    /// It goes on there from its last checkpoint.
    void resume(const RunCopy& run, const std::function<void(const BegunThere&)>& done);
    /// A file of a run: whether it is here. Of a copy it may not be, and then, where it is wanted,
    /// is asked for, once, and `answered` tells.
    bool isHere(const std::filesystem::path& file, bool isWanted = true);
    /// Why a file that was asked for does not come; empty: it is here, or on its way.
    [[nodiscard]] QString whyMissing(const std::filesystem::path& file) const;
    /// The newest checkpoint of that folder's run that is here; nullptr: none is. Where the last
    /// one is not it is asked for, but for one at a time.
    const RunFile* newestHere(const QString& folder, const std::vector<RunFile>& checkpoints);

Q_SIGNALS:
    /// What is known of any of them.
    void changed();
    void failed(const QString& host, const QString& message);
    /// It has come, or won't.
    void answered(const QString& file);

private:
    /// What is heard on the GUI thread of what a job did.
    using Told = std::function<void()>;
    /// Off the GUI thread; what it throws is told as a failure, unless `refused` takes it.
    void work(const QString& name, std::function<Told(HostLine&)> job,
              std::function<void(const QString&)> refused = {}, bool mayAsk = false);
    /// Hears what is being done, and says whether to go on.
    using Hear = std::function<bool(const QString& stage)>;
    void undertake(const QString& name, const QString& stage,
                   std::function<void(const Host&, const Hear&)> work);
    std::shared_ptr<HostLine> lineTo(const QString& name, bool mayAsk);
    void endLine(const QString& name);
    void look();
    [[nodiscard]] KnownHost* known(const QString& name);

    std::vector<KnownHost> all_;
    std::map<QString, std::shared_ptr<HostLine>> lines_;
    QString program_; ///< the weft that is carried to a host
    /// What takes long, by host; heard by the thread that does it.
    std::map<QString, std::shared_ptr<std::atomic_bool>> unwanted_;
    /// Files that were asked for: why they do not come, empty while they are on their way.
    std::map<std::string, QString> missing_;
    QThreadPool pool_;
    QTimer timer_;
};

} // namespace weft::ui
