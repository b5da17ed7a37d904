// SPDX-License-Identifier: Apache-2.0
#include "launch/hosts.h"

#include "theme/quantity.h"
#include "theme/theme.h"
#include <weft/error.h>

#include <QFile>
#include <QPointer>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

namespace weft::ui {

namespace {

/// Limit of threads, since a request may block on one host's connection while others proceed.
constexpr int mostAtOnce = 32;

QString text(const std::exception& error) { return QString::fromUtf8(error.what()); }

QString stageOf(const InstallProgress& progress) {
    const QString stage = QString::fromStdString(progress.stage);
    return progress.all.count == 0
               ? stage
               : Hosts::tr("%1: %2 of %3")
                     .arg(stage, quantity::bytes(static_cast<double>(progress.done.count)),
                          quantity::bytes(static_cast<double>(progress.all.count)));
}

/// True if there is a program that asks for a password in a window: the one in SSH_ASKPASS, or
/// else ssh's default.
bool hasAskingProgram() {
    const QString set = qEnvironmentVariable("SSH_ASKPASS");
    return !QStandardPaths::findExecutable(set.isEmpty() ? QStringLiteral("ssh-askpass") : set)
                .isEmpty();
}

} // namespace

Hosts::Hosts(QString program, QObject* parent) : QObject(parent), program_(std::move(program)) {
    if (hasAskingProgram() && !qEnvironmentVariableIsSet("SSH_ASKPASS_REQUIRE")) {
        // Prevents ssh from asking on the terminal from which the workbench was started.
        qputenv("SSH_ASKPASS_REQUIRE", "prefer");
    }
    pool_.setMaxThreadCount(mostAtOnce);
    timer_.setInterval(tokens().sizes.duration.liveBeat * 4);
    connect(&timer_, &QTimer::timeout, this, &Hosts::pollConnections);
    readSettings();
}

Hosts::~Hosts() {
    for (const auto& [name, isUnwanted] : cancelFlags_) {
        *isUnwanted = true;
    }
    for (const auto& [name, line] : connections_) {
        line->end();
    }
    pool_.clear();
    pool_.waitForDone();
}

const KnownHost* Hosts::find(const QString& name) const {
    const auto found = std::ranges::find(all_, name, &KnownHost::name);
    return found == all_.end() ? nullptr : &*found;
}

bool Hosts::canSshAskForPassword() {
    return hasAskingProgram() || QFile(QStringLiteral("/dev/tty")).open(QIODevice::ReadOnly);
}

KnownHost* Hosts::findMutable(const QString& name) { return const_cast<KnownHost*>(find(name)); }

void Hosts::readSettings() {
    std::vector<KnownHost> now;
    try {
        for (Host& host : knownHosts()) {
            KnownHost* const before = findMutable(QString::fromStdString(host.name));
            if (before != nullptr && before->host == host) {
                now.push_back(std::move(*before));
            } else {
                dropConnection(QString::fromStdString(host.name));
                now.push_back({.host = std::move(host)});
            }
        }
    } catch (const Error& error) {
        emit failed({}, text(error));
        return;
    }
    all_ = std::move(now);
    emit changed();
}

QString Hosts::save(const Host& host) {
    try {
        keepHost(host);
    } catch (const Error& error) {
        return text(error);
    }
    readSettings();
    return {};
}

void Hosts::forget(const QString& name) {
    close(name);
    try {
        forgetHost(name.toStdString());
    } catch (const Error& error) {
        emit failed(name, text(error));
    }
    readSettings();
}

void Hosts::dropConnection(const QString& name) {
    if (const auto line = connections_.find(name); line != connections_.end()) {
        line->second->end();
        connections_.erase(line);
    }
}

void Hosts::close(const QString& name) {
    dropConnection(name);
    if (KnownHost* const host = findMutable(name)) {
        host->line.reset();
        host->why.clear();
        host->isReportRequested = false;
        pool_.start([host = host->host] { closeConnection(host); });
    }
    emit changed();
}

std::shared_ptr<HostLine> Hosts::connectionTo(const QString& name, bool mayAsk) {
    std::shared_ptr<HostLine>& line = connections_[name];
    const KnownHost* const host = find(name);
    if (host == nullptr) {
        connections_.erase(name);
        throw Error(ErrorCode::usage, {}, name.toStdString() + " is not a known host",
                    "add it in the panel Hosts");
    }
    // A connection that never succeeded is not retried automatically, and an automatic retry cannot
    // ask for a password. So opens a new connection.
    if (mayAsk && line != nullptr && line->status().state == LineState::lost) {
        line->end();
    }
    if (line == nullptr || line->status().isOver) {
        line = std::make_shared<HostLine>(host->host,
                                          LineOptions{.mayAsk = mayAsk, .reconnects = true});
        const std::string copies = mirrorsOf(host->host.name).string() + '/';
        std::erase_if(requestedFiles_, [&](const auto& one) {
            return !one.second.isEmpty() && one.first.starts_with(copies);
        });
        timer_.start();
        pollConnections();
    }
    return line;
}

void Hosts::runOnHost(const QString& name, std::function<Continuation(HostLine&)> job,
                      std::function<void(const QString&)> refused, bool mayAsk) {
    if (!refused) {
        refused = [this, name](const QString& message) { emit failed(name, message); };
    }
    std::shared_ptr<HostLine> line;
    try {
        line = connectionTo(name, mayAsk);
    } catch (const Error& error) {
        refused(text(error));
        return;
    }
    pool_.start([this, line = std::move(line), job = std::move(job), refused] {
        Continuation continuation;
        try {
            line->waitUntilUp();
            continuation = job(*line);
        } catch (const std::exception& error) {
            continuation = [refused, message = text(error)] { refused(message); };
        }
        QMetaObject::invokeMethod(this, continuation, Qt::QueuedConnection);
    });
}

void Hosts::pollConnections() {
    bool isChanged = false;
    for (const auto& [name, line] : connections_) {
        KnownHost* const host = findMutable(name);
        const LineStatus word = line->status();
        const QString why = QString::fromStdString(word.why);
        if (host != nullptr && (host->line != word.state || host->why != why)) {
            host->since = host->line == word.state ? host->since : QDateTime::currentDateTime();
            host->line = word.state;
            host->why = why;
            isChanged = true;
        }
    }
    if (connections_.empty()) {
        timer_.stop();
    }
    if (isChanged) {
        emit changed();
    }
}

void Hosts::requestReport(const QString& name, bool mayAsk) {
    KnownHost* const host = findMutable(name);
    if (host == nullptr || (host->isReportRequested && !mayAsk)) {
        return;
    }
    host->isReportRequested = true;
    const auto hear = [this, name](const std::function<void(KnownHost&)>& take) {
        if (KnownHost* const heard = findMutable(name)) {
            heard->isReportRequested = false;
            take(*heard);
        }
        pollConnections();
        emit changed();
    };
    runOnHost(
        name,
        [hear](HostLine& line) -> Continuation {
            auto report = std::make_shared<const HostReport>(line.survey());
            std::vector<RunSummary> runs = line.runs();
            return [hear, report, runs] {
                hear([&](KnownHost& heard) {
                    heard.fault.clear();
                    heard.report = report;
                    heard.runs = runs;
                });
            };
        },
        [hear](const QString& message) { hear([&](KnownHost& heard) { heard.fault = message; }); },
        mayAsk);
    emit changed();
}

void Hosts::runOperation(const QString& name, const QString& stage,
                         std::function<void(const Host&, const StageCallback&)> work) {
    KnownHost* const host = findMutable(name);
    if (host == nullptr || !host->operation.isEmpty()) {
        return;
    }
    const auto isUnwanted = std::make_shared<std::atomic_bool>(false);
    cancelFlags_[name] = isUnwanted;
    const auto say = [this, name](const QString& words) {
        if (KnownHost* const heard = findMutable(name)) {
            heard->operation = words;
            emit changed();
        }
    };
    const StageCallback hear = [this, say, isUnwanted](const QString& words) {
        QMetaObject::invokeMethod(
            this, [say, words] { say(words); }, Qt::QueuedConnection);
        return !*isUnwanted;
    };
    const auto end = [this, name, say, isUnwanted](const QString& fault) {
        say({});
        if (!fault.isEmpty() && !*isUnwanted) {
            emit failed(name, fault);
        }
        readSettings();
        requestReport(name);
    };
    say(stage);
    pool_.start([this, hear, end, host = host->host, work = std::move(work)] {
        QString fault;
        try {
            work(host, hear);
        } catch (const std::exception& error) {
            fault = text(error);
        }
        QMetaObject::invokeMethod(
            this, [end, fault] { end(fault); }, Qt::QueuedConnection);
    });
}

void Hosts::install(const QString& name, bool isFromSource) {
    if (program_.isEmpty()) {
        emit failed(
            name,
            tr("There is no weft beside this program that could be copied: install it on PATH"));
        return;
    }
    runOperation(name, tr("looking at the host"),
                 [isFromSource, program = program_.toStdString()](const Host& host,
                                                                  const StageCallback& hear) {
                     std::string log; // log of a failed build
                     try {
                         installOn({.host = host, .isFromSource = isFromSource, .program = program},
                                   [&](const InstallProgress& progress) {
                                       log = progress.log;
                                       return hear(stageOf(progress));
                                   });
                     } catch (const Error& error) {
                         throw Error(error.code(), Where(error.where()), error.problem(),
                                     log.empty() ? error.remedy() : error.remedy() + '\n' + log);
                     }
                 });
}

void Hosts::askNodes(const QString& name) {
    if (find(name) == nullptr) {
        return;
    }
    runOperation(name, tr("querying its nodes"),
                 [line = connectionTo(name, false)](const Host&, const StageCallback& hear) {
                     line->waitUntilUp();
                     line->askNodes([&](const std::string& waits) {
                         return hear(
                             tr("querying its nodes: %1").arg(QString::fromStdString(waits)));
                     });
                 });
}

void Hosts::cancelOperation(const QString& name) {
    if (const auto found = cancelFlags_.find(name); found != cancelFlags_.end()) {
        *found->second = true;
    }
}

void Hosts::requestRuns() {
    for (const KnownHost& host : all_) {
        if (host.line != LineState::up) {
            continue;
        }
        runOnHost(host.name(), [this, name = host.name()](HostLine& line) -> Continuation {
            return [this, name, runs = line.runs()] {
                if (KnownHost* const heard = findMutable(name)) {
                    heard->runs = runs;
                    emit changed();
                }
            };
        });
    }
}

void Hosts::startJob(const QString& name, RemoteJobRequest request,
                     std::function<bool(Bytes sent, Bytes all)> progress,
                     const std::function<void(const StartedRemoteRun&)>& done) {
    runOnHost(
        name,
        [request = std::move(request), progress = std::move(progress),
         done](HostLine& line) mutable -> Continuation {
            StartedRemoteRun begun;
            const std::string run =
                startThere(line, std::move(request),
                           {.planned =
                                [&](const RemoteJob& job) {
                                    if (!progress({}, job.bytesSent())) {
                                        throw Error(ErrorCode::stopped, {}, "it was cancelled",
                                                    "start it again");
                                    }
                                    for (const std::string& remark : job.remarks) {
                                        begun.remarks << QString::fromStdString(remark);
                                    }
                                },
                            .progress = progress});
            begun.folder = QString::fromStdString(line.follow(run).string());
            line.waitForAll(run); // so that the copy has the design
            return [begun, done] { done(begun); };
        },
        [done](const QString& message) { done({.failure = message}); });
}

void Hosts::follow(const QString& folder) {
    if (const auto copy = copyOf(folder.toStdString())) {
        follow({copy->host, copy->run}, [](const QString&) {});
    }
}

void Hosts::follow(const RemoteRun& run, const std::function<void(const QString& folder)>& done) {
    runOnHost(QString::fromStdString(run.host),
              [run = run.run, done](HostLine& line) -> Continuation {
                  const std::filesystem::path folder = line.follow(run);
                  return [done, folder] { done(QString::fromStdString(folder.string())); };
              });
}

void Hosts::leave(const RunCopy& run) {
    if (const auto line = connections_.find(QString::fromStdString(run.host));
        line != connections_.end()) {
        line->second->leave(run.run);
    }
}

void Hosts::tell(const RunCopy& run, const QString& command, const QString& layer) {
    runOnHost(QString::fromStdString(run.host),
              [run = run.run, command = command.toStdString(),
               layer = layer.toStdString()](HostLine& line) -> Continuation {
                  line.sendCommand(run, command, layer);
                  return [] {};
              });
}

void Hosts::cancel(const RunCopy& run) {
    runOnHost(QString::fromStdString(run.host), [run = run.run](HostLine& line) -> Continuation {
        line.cancel(run);
        return [] {};
    });
}

void Hosts::resume(const RunCopy& run, const std::function<void(const StartedRemoteRun&)>& done) {
    runOnHost(
        QString::fromStdString(run.host),
        [run = run.run, done](HostLine& line) -> Continuation {
            const std::filesystem::path copy = line.follow(run);
            line.waitForAll(run);
            line.resume(run, jobFiles(resumedJob(line.host(), copy, {}), line.host().start), true);
            return [done, copy] { done({.folder = QString::fromStdString(copy.string())}); };
        },
        [done](const QString& message) { done({.failure = message}); });
}

bool Hosts::isHere(const std::filesystem::path& file, bool requestsIfMissing) {
    std::error_code ignored;
    const std::filesystem::path folder = file.parent_path().parent_path();
    const auto copy = std::filesystem::exists(file, ignored) ? std::nullopt : copyOf(folder);
    if (!copy) {
        return true;
    }
    if (!requestsIfMissing || !requestedFiles_.try_emplace(file.string()).second) {
        return false;
    }
    const auto answer = [this, file](const QString& why) {
        if (why.isEmpty()) {
            requestedFiles_.erase(file.string());
        } else {
            requestedFiles_[file.string()] = why;
        }
        emit fileAnswered(QString::fromStdString(file.string()));
    };
    runOnHost(
        QString::fromStdString(copy->host),
        [answer, run = copy->run,
         path = file.lexically_relative(folder).string()](HostLine& line) -> Continuation {
            line.follow(run);
            line.fetch(run, path);
            return [answer] { answer({}); };
        },
        [this, answer, host = QString::fromStdString(copy->host)](const QString& message) {
            emit failed(host, message);
            answer(message);
        });
    return false;
}

QString Hosts::whyMissing(const std::filesystem::path& file) const {
    const auto found = requestedFiles_.find(file.string());
    return found == requestedFiles_.end() ? QString() : found->second;
}

const RunFile* Hosts::newestLocalCheckpoint(const QString& folder,
                                            const std::vector<RunFile>& checkpoints) {
    const std::filesystem::path run = folder.toStdString();
    if (checkpoints.empty() || !copyOf(run)) {
        return checkpoints.empty() ? nullptr : &checkpoints.back();
    }
    const bool isOneComing = std::ranges::any_of(checkpoints, [&](const RunFile& file) {
        const auto found = requestedFiles_.find((run / file.path).string());
        return found != requestedFiles_.end() && found->second.isEmpty();
    });
    if (!isOneComing) {
        isHere(run / checkpoints.back().path);
    }
    const auto newest =
        std::find_if(checkpoints.rbegin(), checkpoints.rend(), [&](const RunFile& file) {
            std::error_code ignored;
            return std::filesystem::exists(run / file.path, ignored);
        });
    return newest == checkpoints.rend() ? nullptr : &*newest;
}

} // namespace weft::ui
