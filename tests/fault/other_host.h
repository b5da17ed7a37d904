// SPDX-License-Identifier: Apache-2.0
#pragma once
// A second host on this machine: a network namespace with an address and a name of its own, joined
// to this one by a cable that can be cut. mpirun starts its ranks there through an agent of ours.

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace weft::test {

class OtherHost {
public:
    OtherHost();
    /// Whatever runs there is killed.
    ~OtherHost();
    OtherHost(const OtherHost&) = delete;
    OtherHost& operator=(const OtherHost&) = delete;

    /// Why there is none: empty where there is one.
    [[nodiscard]] const QString& fault() const { return fault_; }
    [[nodiscard]] const QString& name() const { return name_; }
    /// A hostfile with one rank here and one there.
    [[nodiscard]] QString hostfile() const { return folder_.filePath("hosts"); }
    [[nodiscard]] QString address() const;
    /// Words before a command that is to run there.
    [[nodiscard]] QStringList through() const { return {"ip", "netns", "exec", name_}; }
    /// Nothing passes between the two any more, and neither is told.
    void cutCable() const;
    void joinCable() const;
    [[nodiscard]] QStringList processes() const;

private:
    QString name_;
    QString cable_;
    QString fault_;
    QTemporaryDir folder_;
};

} // namespace weft::test
