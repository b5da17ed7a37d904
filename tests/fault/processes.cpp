// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <QDir>
#include <QFile>

namespace weft::test {

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// "12 (a name) S 1 ..."; the name may hold anything.
Process processFrom(const QByteArray& text) {
    Process process;
    const auto open = text.indexOf('(');
    const auto close = text.lastIndexOf(')');
    if (open < 0 || close < open) {
        return process;
    }
    const QList<QByteArray> rest = text.mid(close + 2).split(' ');
    process.id = text.left(open).trimmed().toInt();
    process.name = text.mid(open + 1, close - open - 1);
    process.state = rest.value(0).isEmpty() ? ' ' : rest[0][0];
    process.parent = rest.value(1).toInt();
    return process;
}

} // namespace

QList<Process> allProcesses() {
    QList<Process> all;
    for (const QString& name : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (name[0].isDigit()) {
            const Process process = processFrom(contentOf("/proc/" + name + "/stat"));
            if (process.id != 0) {
                all.append(process);
            }
        }
    }
    return all;
}

QList<Process> descendantsOf(int process) {
    const QList<Process> all = allProcesses();
    QList<int> parents{process};
    QList<Process> found;
    for (int at = 0; at < parents.size(); ++at) {
        for (const Process& one : all) {
            if (one.parent == parents[at]) {
                parents.append(one.id);
                if (one.state != 'Z') {
                    found.append(one);
                }
            }
        }
    }
    return found;
}

QByteArray variableOf(int process, const QByteArray& name) {
    const QByteArray all = contentOf(QString("/proc/%1/environ").arg(process));
    for (const QByteArray& entry : all.split('\0')) {
        if (entry.startsWith(name + "=")) {
            return entry.mid(name.size() + 1);
        }
    }
    return {};
}

} // namespace weft::test
