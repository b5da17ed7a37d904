// SPDX-License-Identifier: Apache-2.0
#pragma once
// An sshd of a test's own, on the loopback or on a host that the test made: its keys, configuration
// and known hosts lie in a folder that goes with it, and nothing of the user's is read. What ssh
// starts there is a process of this machine.

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <vector>

namespace weft::test {

struct SshdPlace {
    QString address = QStringLiteral("127.0.0.1");
    QStringList through = {}; ///< words before a command that is to run there
};

class OwnSshd {
public:
    /// With these lines more in its configuration: "MaxSessions 1".
    explicit OwnSshd(const QStringList& settings = {}, SshdPlace place = {});
    /// Ends it and all of its connections.
    ~OwnSshd();
    OwnSshd(const OwnSshd&) = delete;
    OwnSshd& operator=(const OwnSshd&) = delete;

    /// Returns what this machine lacks for sshd; empty: it runs.
    [[nodiscard]] const QString& fault() const { return fault_; }
    /// The command that reaches it: what `weft host add --via` takes.
    [[nodiscard]] QString via() const;

    /// From now on ssh asks for this before it takes the user's key.
    void guardKey(const QString& passphrase);
    /// From now on it has another key than the one that is known of it.
    void changeHostKey();
    /// From now on it lets nobody in.
    void refuseEveryone();
    /// All connections there are break off; what was started through them goes on.
    void cutLines();
    /// No connection can be made until it is started again; those there are go on.
    void stop();
    void start();

private:
    [[nodiscard]] QString at(const QString& file) const { return folder_.filePath(file); }
    [[nodiscard]] bool makeFiles(const QStringList& settings);
    void rememberConnections();

    SshdPlace place_;
    QTemporaryDir folder_;
    QProcess process_;
    int port_ = 0;
    QString fault_;
    std::vector<int> connections_; ///< processes of sshd's, some of which may be gone
};

} // namespace weft::test
