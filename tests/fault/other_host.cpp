// SPDX-License-Identifier: Apache-2.0
#include "other_host.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <algorithm>
#include <csignal>

namespace weft::test {

namespace {

constexpr int longestAnswer = 20'000; // milliseconds

/// Settings of mpirun: the program that reaches a host, and the networks for its own messages and
/// those of ranks.
constexpr const char* agent = "OMPI_MCA_plm_rsh_agent";
constexpr const char* networks[] = {"OMPI_MCA_oob_tcp_if_include", "OMPI_MCA_btl_tcp_if_include"};

/// Returns the error output of a program; empty if it succeeded.
QString faultOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted(longestAnswer) || !process.waitForFinished(longestAnswer)) {
        return program + " cannot be started";
    }
    const QString said = process.readAllStandardError().trimmed();
    return process.exitCode() == 0 ? QString() : "ip " + arguments.join(' ') + ": " + said;
}

void write(const QString& path, const QString& text) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(text.toUtf8());
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// "10.231.7."
QString networkOf(qint64 id) { return QString("10.231.%1.").arg(id % 250); }

} // namespace

OtherHost::OtherHost() {
    const auto id = QCoreApplication::applicationPid();
    name_ = QString("weft%1").arg(id);
    cable_ = QString("wv%1").arg(id);
    const QString net = networkOf(id);
    const QString far = cable_ + "f";
    const QList<QStringList> words = {
        {"netns", "add", name_},
        {"link", "add", cable_, "type", "veth", "peer", "name", far, "netns", name_},
        {"addr", "add", net + "1/24", "dev", cable_},
        {"link", "set", cable_, "up"},
        {"-n", name_, "addr", "add", net + "2/24", "dev", far},
        {"-n", name_, "link", "set", far, "up"},
        {"-n", name_, "link", "set", "lo", "up"}};
    for (const QStringList& one : words) {
        fault_ = faultOf("ip", one);
        if (!fault_.isEmpty()) {
            return;
        }
    }
    // mpirun runs this as `agent HOST COMMAND...`.
    write(folder_.filePath("agent"),
          QString("#!/bin/sh\nshift\nexec ip netns exec %1 unshare --uts sh -c "
                  "\"hostname %1; exec /bin/sh -c '$*'\"\n")
              .arg(name_));
    write(hostfile(), QString("localhost slots=1\n%1 slots=1\n").arg(address()));
    qputenv(agent, folder_.filePath("agent").toUtf8());
    for (const char* one : networks) {
        qputenv(one, (net + "0/24").toUtf8());
    }
}

OtherHost::~OtherHost() {
    for (const QString& process : processes()) {
        ::kill(process.toInt(), SIGKILL);
    }
    static_cast<void>(faultOf("ip", {"netns", "del", name_}));
    qunsetenv(agent);
    std::ranges::for_each(networks, qunsetenv);
}

void OtherHost::cutCable() const {
    static_cast<void>(faultOf("ip", {"link", "set", cable_, "down"}));
}

void OtherHost::joinCable() const {
    static_cast<void>(faultOf("ip", {"link", "set", cable_, "up"}));
}

QString OtherHost::address() const { return networkOf(QCoreApplication::applicationPid()) + "2"; }

QStringList OtherHost::processes() const {
    QProcess process;
    process.start("ip", {"netns", "pids", name_});
    process.waitForFinished(longestAnswer);
    return QString(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
}

} // namespace weft::test
