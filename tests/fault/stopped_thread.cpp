// SPDX-License-Identifier: Apache-2.0
#include "stopped_thread.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <QDir>
#include <QFile>
#include <cerrno>
#include <cstring>

namespace weft::test {

namespace {

int threadNamed(int process, const QByteArray& name) {
    const QString tasks = QString("/proc/%1/task/").arg(process);
    for (const QString& id : QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(tasks + id + "/comm");
        if (file.open(QIODevice::ReadOnly) && file.readAll().startsWith(name)) {
            return id.toInt();
        }
    }
    return 0;
}

} // namespace

StoppedThread::StoppedThread(int process, const QByteArray& name)
    : thread_(threadNamed(process, name)) {
    if (thread_ == 0) {
        fault_ = QString("process %1 has no thread %2").arg(process).arg(QString(name));
        return;
    }
    if (::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr) != 0 ||
        ::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr) != 0) {
        fault_ = QString("a thread cannot be held here: %1").arg(std::strerror(errno));
        thread_ = 0;
        return;
    }
    ::waitpid(thread_, nullptr, __WALL);
}

bool StoppedThread::isDead() const {
    int status = 0;
    const int found = thread_ == 0 ? -1 : ::waitpid(thread_, &status, __WALL | WNOHANG);
    return found < 0 || (found == thread_ && (WIFEXITED(status) || WIFSIGNALED(status)));
}

StoppedThread::~StoppedThread() {
    if (thread_ != 0) {
        ::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr);
    }
}

} // namespace weft::test
