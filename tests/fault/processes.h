// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes of this machine, as /proc tells of them: which were started by a program, with
// which environment, and which still run.

#include <QByteArray>
#include <QList>
#include <map>

namespace weft::test {

struct Process {
    int id = 0;
    int parent = 0;
    char state = ' '; ///< 'R', 'S', 'T' (stopped), 'Z' (ended, and nobody has asked)
    QByteArray name;
};

[[nodiscard]] QList<Process> allProcesses();
/// Children, their children and so on, without those that have ended.
[[nodiscard]] QList<Process> descendantsOf(int process);
/// Empty where it is not there any more.
[[nodiscard]] QByteArray variableOf(int process, const QByteArray& name);

} // namespace weft::test
