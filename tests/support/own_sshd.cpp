// SPDX-License-Identifier: Apache-2.0
#include "support/own_sshd.h"

#include "base/process/keeper.h"
#include "support/servers.h"

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTest>
#include <csignal>
#include <utility>

namespace weft::test {

namespace {

constexpr int longestStart = 10'000; // milliseconds

bool write(const QString& path, const QString& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0 &&
           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

bool makeKey(const QString& path) {
    QFile::remove(path);
    QFile::remove(path + ".pub");
    return QProcess::execute(serverNamed("ssh-keygen"),
                             {"-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path}) == 0;
}

bool isOfSshd(int process) {
    return read(QString("/proc/%1/comm").arg(process)).startsWith("sshd");
}

} // namespace

OwnSshd::OwnSshd(const QStringList& settings, SshdPlace place) : place_(std::move(place)) {
    for (const char* program : {"sshd", "ssh", "ssh-keygen"}) {
        if (serverNamed(program).isEmpty()) {
            fault_ = QString("%1 is not installed (openssh-server)").arg(program);
            return;
        }
    }
    // Where its own service has not made it; sshd looks there whatever its configuration says.
    if (::geteuid() == 0 && !QDir().mkpath("/run/sshd")) {
        fault_ = "/run/sshd cannot be made, without which sshd does not start";
        return;
    }
    port_ = freePort();
    if (!makeFiles(settings)) {
        fault_ = "keys and settings for sshd cannot be made";
        return;
    }
    start();
    if (!isListenedOn(port_, place_.address)) {
        fault_ = "sshd does not start here: " + QString(process_.readAllStandardError());
    }
}

OwnSshd::~OwnSshd() {
    cutLines();
    stop();
}

bool OwnSshd::makeFiles(const QStringList& settings) {
    if (!makeKey(at("host")) || !makeKey(at("user"))) {
        return false;
    }
    const QString server =
        QString("Port %1\nListenAddress %4\nHostKey %2\nAuthorizedKeysFile %3\n"
                "PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n"
                "PermitRootLogin prohibit-password\nUseDNS no\nMaxStartups 100\nPrintMotd no\n"
                "PrintLastLog no\nLogLevel ERROR\n")
            .arg(port_)
            .arg(at("host"), at("authorized"), place_.address) +
        settings.join('\n') + '\n';
    const QString client = QString("Host here\nHostName %5\nHostKeyAlias here\nPort %1\nUser %2\n"
                                   "IdentityFile %3\nIdentitiesOnly yes\nIdentityAgent none\n"
                                   "UserKnownHostsFile %4\nGlobalKnownHostsFile /dev/null\n"
                                   "StrictHostKeyChecking yes\n")
                               .arg(port_)
                               .arg(userName(), at("user"), at("known"), place_.address);
    return write(at("authorized"), read(at("user.pub"))) &&
           write(at("known"), "here " + read(at("host.pub"))) && write(at("sshd_config"), server) &&
           write(at("ssh_config"), client);
}

QString OwnSshd::via() const { return "ssh -F " + at("ssh_config") + " here"; }

void OwnSshd::guardKey(const QString& passphrase) {
    QProcess::execute(serverNamed("ssh-keygen"),
                      {"-q", "-p", "-P", "", "-N", passphrase, "-f", at("user")});
}

void OwnSshd::changeHostKey() {
    stop();
    if (makeKey(at("host"))) {
        start();
    }
}

void OwnSshd::refuseEveryone() { write(at("authorized"), QString()); }

void OwnSshd::rememberConnections() {
    if (process_.state() == QProcess::NotRunning) {
        return;
    }
    // A connection's process has another below it, and that one the user's command.
    std::vector<int> looked{static_cast<int>(process_.processId())};
    while (!looked.empty()) {
        const std::vector<int> children = childrenOf(looked.back());
        looked.pop_back();
        for (const int child : children) {
            if (isOfSshd(child)) {
                connections_.push_back(child);
                looked.push_back(child);
            }
        }
    }
}

void OwnSshd::cutLines() {
    rememberConnections();
    for (const int process : connections_) {
        if (isOfSshd(process)) {
            ::kill(process, SIGKILL);
        }
    }
    connections_.clear();
}

void OwnSshd::stop() {
    if (process_.state() == QProcess::NotRunning) {
        return;
    }
    rememberConnections();
    process_.terminate();
    if (!process_.waitForFinished(longestStart)) {
        process_.kill();
        process_.waitForFinished(longestStart);
    }
}

void OwnSshd::start() {
    process_.setStandardOutputFile(QProcess::nullDevice());
    QStringList words = place_.through;
    words << serverNamed("sshd") << "-D"
          << "-e"
          << "-f" << at("sshd_config");
    process_.start(words.front(), words.mid(1));
    static_cast<void>(process_.waitForStarted(longestStart));
    static_cast<void>(QTest::qWaitFor(
        [this] {
            return isListenedOn(port_, place_.address) || process_.state() == QProcess::NotRunning;
        },
        longestStart));
}

} // namespace weft::test
