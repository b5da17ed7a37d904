// SPDX-License-Identifier: Apache-2.0
#include "launch/run_control.h"

#include "launch/detached_process.h"
#include "runs/program_words.h"
#include "theme/quantity.h"
#include "theme/theme.h"
#include <weft/design_file.h>
#include <weft/runs.h>
#include <weft/session.h>

#include <sys/resource.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <atomic>
#include <thread>

namespace weft::ui {

namespace {

/// Creates a folder named like those of the weft program. Creates it immediately, so that no other
/// run takes the same name.
QString newFolderIn(const QString& runs, const QString& name) {
    QString plain = name.toLower();
    plain.replace(QRegularExpression(QStringLiteral("[^a-z0-9]+")), QStringLiteral("-"));
    const QString time = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_HHmmss"));
    const QString base = QDir(runs).absoluteFilePath(time + '_' + plain.left(40));
    QString folder = base;
    for (int i = 2; !QDir().mkdir(folder); ++i) {
        if (!QFileInfo::exists(folder)) {
            throw Error(ErrorCode::file, Where{.file = folder.toStdString()},
                        "the folder of the run cannot be created",
                        "choose another folder for runs");
        }
        folder = base + '-' + QString::number(i);
    }
    return folder;
}

std::vector<std::string> stringsOf(const QStringList& list) {
    std::vector<std::string> strings;
    for (const QString& one : list) {
        strings.push_back(one.toStdString());
    }
    return strings;
}

/// Returns the arguments of `weft run --on`.
QStringList remoteArguments(const LaunchRequest& request) {
    QStringList words{QStringLiteral("--on"), request.host};
    const auto add = [&words](const char* option, const QString& value) {
        words << QLatin1String(option) << value;
    };
    const JobRequest& job = request.job;
    for (const auto& [option, number] :
         {std::pair{"--ranks", job.ranks}, std::pair{"--nodes", job.nodes},
          std::pair{"--cores", job.cores}, std::pair{"--minutes", job.minutes}}) {
        if (number > 1) {
            add(option, QString::number(number));
        }
    }
    if (!job.data.empty()) {
        add("--data-there", QString::fromStdString(job.data.string()));
    }
    if (request.sendsData) {
        words << QStringLiteral("--send-data");
    }
    return words;
}

} // namespace

struct RunControl::Entry {
    RunTicket ticket;
    LaunchRequest request;
    QString folder; ///< the run's folder
    std::unique_ptr<DetachedProcess> process;
    std::unique_ptr<Session> session;
    /// Cancel flag, read by the thread that sends the run to another host.
    std::shared_ptr<std::atomic_bool> isUnwanted = std::make_shared<std::atomic_bool>(false);
};

RunControl::RunControl(QString program, QObject* parent)
    : QObject(parent),
      program_(program.isEmpty() ? findProgram() : std::move(program)),
      hosts_(program_) {
    connect(&hosts_, &Hosts::failed, this,
            [this](const QString&, const QString& message) { emit refused(message); });
    pollTimer_.setInterval(tokens().sizes.duration.liveBeat);
    connect(&pollTimer_, &QTimer::timeout, this, &RunControl::pollRuns);
}

RunControl::~RunControl() = default;

QString RunControl::findProgram() {
    const QString here = QCoreApplication::applicationDirPath();
    for (const QString& folder : {here, here + QStringLiteral("/../weft")}) {
        const QFileInfo file(folder + QStringLiteral("/weft"));
        if (file.isFile() && file.isExecutable()) {
            return file.canonicalFilePath();
        }
    }
    return QStandardPaths::findExecutable(QStringLiteral("weft"));
}

QStringList RunControl::commandFor(const LaunchRequest& request, const QString& design,
                                   const QString& folder, const QString& program) {
    QStringList words{program};
    const bool isNew = request.resume.isEmpty() && request.from.isEmpty();
    if (isNew) {
        words << QStringLiteral("run") << design;
    } else if (request.from.isEmpty()) {
        words << QStringLiteral("resume") << request.resume;
    } else {
        words << QStringLiteral("resume") << request.from << QStringLiteral("--here");
    }
    if (request.resume.isEmpty() && !folder.isEmpty()) {
        words << QStringLiteral("--run") << folder;
    }
    if (!request.devices.isEmpty()) {
        words << QStringLiteral("--devices") << request.devices.join(',');
    }
    if (!request.dataFolder.isEmpty()) {
        words << QStringLiteral("--data") << request.dataFolder;
    }
    if (isNew && !request.weights.isEmpty()) {
        words << QStringLiteral("--weights") << request.weights;
    }
    if (isNew && !request.observe.isEmpty()) {
        words << QStringLiteral("--observe") << request.observe.join(',');
    }
    if (request.way == RunWay::host && isNew) {
        words << remoteArguments(request);
    }
    if (request.way == RunWay::ranks) {
        words << QStringLiteral("--ranks") << QString::number(request.ranks);
        if (!request.hosts.isEmpty()) {
            words << QStringLiteral("--hosts") << request.hosts;
        }
    }
    return words;
}

QString RunControl::lineOf(const QStringList& command) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    QStringList quoted;
    for (QString word : command) {
        if (!plain.match(word).hasMatch()) {
            word = '\'' + word.replace('\'', QStringLiteral("'\\''")) + '\'';
        }
        quoted << word;
    }
    return quoted.join(' ');
}

int RunControl::start(LaunchRequest request) {
    auto entry = std::make_unique<Entry>();
    if (!request.resume.isEmpty() && copyOf(request.resume.toStdString())) {
        request.way = RunWay::host;
    }
    entry->ticket = {++lastNumber_, request.name, TicketState::waiting, request.way};
    entry->ticket.host = request.host;
    entry->request = std::move(request);
    entries_.push_back(std::move(entry));
    pollTimer_.start();
    startNext();
    emit changed();
    return lastNumber_;
}

void RunControl::startBeside(int number) {
    for (const auto& entry : entries_) {
        entry->request.isBeside = entry->request.isBeside || entry->ticket.number == number;
    }
    startNext();
    emit changed();
}

void RunControl::cancel(int number) {
    std::erase_if(entries_, [&](const auto& entry) {
        const RunTicket& ticket = entry->ticket;
        const bool isSent = ticket.way == RunWay::host && ticket.state == TicketState::starting;
        const bool goes =
            ticket.number == number && (isSent || ticket.state == TicketState::waiting);
        *entry->isUnwanted = *entry->isUnwanted || goes;
        return goes;
    });
    emit changed();
}

std::vector<RunTicket> RunControl::tickets() const {
    std::vector<RunTicket> tickets;
    tickets.reserve(entries_.size());
    for (const auto& entry : entries_) {
        tickets.push_back(entry->ticket);
    }
    return tickets;
}

std::optional<RunTicket> RunControl::ticket(int number) const {
    for (const auto& entry : entries_) {
        if (entry->ticket.number == number) {
            return entry->ticket;
        }
    }
    return std::nullopt;
}

bool RunControl::isBusy() const {
    return std::ranges::any_of(entries_, [](const auto& entry) {
        return entry->ticket.way != RunWay::host && (entry->ticket.state == TicketState::starting ||
                                                     entry->ticket.state == TicketState::running);
    });
}

void RunControl::startNext() {
    const auto mayStart = [this](const auto& entry) {
        return entry->ticket.state == TicketState::waiting &&
               (entry->request.isBeside || entry->ticket.way == RunWay::host || !isBusy());
    };
    // Searches again after each launch, because a callback of a failed launch may start another
    // run.
    auto next = std::ranges::find_if(entries_, mayStart);
    while (next != entries_.end()) {
        launch(**next);
        next = std::ranges::find_if(entries_, mayStart);
    }
}

void RunControl::launch(Entry& entry) {
    entry.ticket.state = TicketState::starting;
    try {
        if (entry.request.way == RunWay::host) {
            launchOnHost(entry);
            return;
        }
        if (entry.request.resume.isEmpty() && !QDir().mkpath(entry.request.runs)) {
            throw Error(ErrorCode::file, Where{.file = entry.request.runs.toStdString()},
                        "the folder for runs cannot be created", "choose another one");
        }
        entry.folder = entry.request.resume.isEmpty()
                           ? newFolderIn(entry.request.runs, entry.request.name)
                           : QFileInfo(entry.request.resume).absoluteFilePath();
        if (entry.request.way == RunWay::window) {
            launchInWindow(entry);
            return;
        }
        if (program_.isEmpty()) {
            throw Error(ErrorCode::file, Where{.file = "weft"}, "the program was not found",
                        "install weft beside the workbench or on PATH");
        }
        const QString base = workFileOf(entry.folder, entry.ticket.number);
        const QString design = base + QStringLiteral(".weft");
        saveDesign(entry.request.design, design.toStdString());
        entry.process = std::make_unique<DetachedProcess>(
            commandFor(entry.request, design, entry.folder, program_),
            base + QStringLiteral(".txt"));
    } catch (const std::exception& error) {
        finish(entry, QString::fromUtf8(error.what()));
    }
}

void RunControl::launchInWindow(Entry& entry) {
    SessionRequest sessionRequest;
    sessionRequest.design = entry.request.design;
    sessionRequest.folder = entry.request.dataFolder.toStdString();
    sessionRequest.devices = stringsOf(entry.request.devices);
    sessionRequest.weights = entry.request.weights.toStdString();
    sessionRequest.observe = stringsOf(entry.request.observe);
    if (entry.request.resume.isEmpty()) {
        sessionRequest.run = entry.folder.toStdString();
    } else {
        sessionRequest.resume = entry.folder.toStdString();
    }
    // New threads inherit the priority of their creator.
    std::jthread([&] {
        setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), runNiceness);
        entry.session = std::make_unique<Session>(std::move(sessionRequest));
    }).join();
}

RemoteJobRequest RunControl::requestFor(const LaunchRequest& request, const Host& host) {
    RemoteJobRequest jobRequest{.job = jobOn(host, request.design, request.job),
                                .weights = request.weights.toStdString(),
                                .sendsData = request.sendsData};
    if (jobRequest.job.name.empty()) {
        jobRequest.job.name = request.name.toStdString();
    }
    if (!request.dataFolder.isEmpty()) { // a design without a file has no data folder
        jobRequest.folders = {request.dataFolder.toStdString()};
    }
    return jobRequest;
}

void RunControl::launchOnHost(Entry& entry) {
    const LaunchRequest& request = entry.request;
    const auto done = [this, number = entry.ticket.number,
                       isUnwanted = entry.isUnwanted](const StartedRemoteRun& begun) {
        const auto copy = *isUnwanted ? copyOf(begun.folder.toStdString()) : std::nullopt;
        if (copy) {
            hosts_.cancel(*copy); // cancelled by the user after the job had started
        }
        takeRemoteStart(number, begun);
    };
    if (!request.resume.isEmpty()) {
        const auto copy = copyOf(request.resume.toStdString());
        entry.ticket.host = QString::fromStdString(copy->host);
        hosts_.resume(*copy, done);
        return;
    }
    const KnownHost* host = hosts_.find(request.host);
    if (host == nullptr) {
        throw Error(ErrorCode::usage, {}, request.host.toStdString() + " is not a known host",
                    "add it in the panel Hosts");
    }
    RemoteJobRequest jobRequest = requestFor(request, host->host);
    const auto sent = [this, number = entry.ticket.number,
                       isUnwanted = entry.isUnwanted](Bytes done, Bytes all) {
        const QString text = all.count == 0
                                 ? QString()
                                 : tr("%1 of %2")
                                       .arg(quantity::bytes(static_cast<double>(done.count)),
                                            quantity::bytes(static_cast<double>(all.count)));
        QMetaObject::invokeMethod(
            this, [this, number, text] { showProgress(number, text); }, Qt::QueuedConnection);
        return !*isUnwanted;
    };
    hosts_.startJob(request.host, std::move(jobRequest), sent, done);
}

void RunControl::showProgress(int number, const QString& message) {
    for (const auto& entry : entries_) {
        if (entry->ticket.number == number && entry->ticket.state == TicketState::starting) {
            entry->ticket.message = message;
            emit changed();
        }
    }
}

/// The host runs the job from now on; the local copy shows its state.
void RunControl::takeRemoteStart(int number, const StartedRemoteRun& begun) {
    const auto found = std::ranges::find_if(
        entries_, [&](const auto& entry) { return entry->ticket.number == number; });
    if (found == entries_.end()) {
        return;
    }
    Entry& entry = **found; // stays valid if a callback adds an entry
    entry.ticket.folder = begun.folder;
    entry.ticket.message.clear();
    if (begun.failure.isEmpty()) {
        emit this->begun(number, begun.folder);
    }
    finish(entry, begun.failure);
    emit changed();
}

void RunControl::finish(Entry& entry, const QString& message) {
    entry.ticket.state = TicketState::ended;
    entry.ticket.message = message;
    if (!entry.folder.isEmpty()) {
        QDir().rmdir(entry.folder); // removes the folder if the run created no files
    }
    entry.process.reset();
    entry.session.reset();
    emit ended(entry.ticket.number, message);
}

void RunControl::pollRuns() {
    bool isChanged = false;
    std::vector<Entry*> alive; // a callback may add an entry, which moves the others in `entries_`
    for (const auto& entry : entries_) {
        if (entry->process || entry->session) {
            alive.push_back(entry.get());
        }
    }
    for (Entry* const each : alive) {
        Entry& entry = *each;
        const bool hasBegun = entry.session
                                  ? !entry.session->directory().empty()
                                  : QFileInfo::exists(entry.folder + QStringLiteral("/lock"));
        if (entry.ticket.state == TicketState::starting && hasBegun) {
            entry.ticket.state = TicketState::running;
            entry.ticket.folder = entry.folder;
            isChanged = true;
            emit begun(entry.ticket.number, entry.folder);
        }
        if (entry.process) {
            if (const auto how = entry.process->end()) {
                QString message;
                if (how->signal != 0) {
                    message = tr("The run's process was ended by signal %1. %2")
                                  .arg(how->signal)
                                  .arg(lastOutputLines(entry.process->output()));
                } else if (how->exitCode != 0) {
                    message = lastOutputLines(entry.process->output());
                }
                isChanged = true;
                finish(entry, message);
            }
        } else if (entry.session) {
            const SessionState state = entry.session->state();
            if (state == SessionState::finished || state == SessionState::stopped ||
                state == SessionState::failed) {
                const SessionOutcome outcome = entry.session->wait();
                isChanged = true;
                finish(entry, state == SessionState::failed
                                  ? QString::fromStdString(outcome.message)
                                  : QString());
            }
        }
    }
    startNext();
    const bool isQuiet = std::ranges::all_of(
        entries_, [](const auto& entry) { return entry->ticket.state == TicketState::ended; });
    if (isQuiet) {
        pollTimer_.stop();
    }
    if (isChanged) {
        emit changed();
    }
}

bool RunControl::tell(const QString& folder, const QString& command, const QString& layer) {
    if (const auto copy = copyOf(folder.toStdString())) {
        if (command == QLatin1String("cancel")) {
            hosts_.cancel(*copy);
        } else {
            hosts_.tell(*copy, command, layer);
        }
        return true;
    }
    try {
        tellRun(folder.toStdString(), command.toStdString(), layer.toStdString());
        return true;
    } catch (const Error& error) {
        emit refused(QString::fromUtf8(error.what()));
        return false;
    }
}

} // namespace weft::ui
