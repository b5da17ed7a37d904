// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Slurm of a test's own on the loopback: a controller and one node with all cores of this machine
// in one partition "test", in a folder that goes with it.

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace weft::test {

class OwnSlurm {
public:
    /// Returns when its node takes jobs, within half a minute.
    OwnSlurm();
    /// Cancels what is left in its queue, and ends it.
    ~OwnSlurm();
    OwnSlurm(const OwnSlurm&) = delete;
    OwnSlurm& operator=(const OwnSlurm&) = delete;

    /// Returns what this machine lacks for Slurm; empty: it runs.
    [[nodiscard]] const QString& fault() const { return fault_; }
    /// For the variable SLURM_CONF of whoever is to use it.
    [[nodiscard]] QString settings() const { return folder_.filePath("slurm.conf"); }
    /// Returns the output of one of Slurm's programs; empty if it fails.
    [[nodiscard]] QString ask(const QString& program, const QStringList& arguments,
                              const QString& folder) const;

private:
    [[nodiscard]] bool writeSettings(const QString& node) const;
    [[nodiscard]] QProcessEnvironment environment() const;
    void start(QProcess& process, const QString& program, const QStringList& arguments) const;

    QTemporaryDir folder_;
    QProcess controller_;
    QProcess daemon_;
    QString fault_;
};

} // namespace weft::test
