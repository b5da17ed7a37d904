// SPDX-License-Identifier: Apache-2.0
// Lines for other hosts: taken apart as a shell does it, given to the real ssh, which says what it
// makes of them, and run through an sshd of our own.
#include "remote/line/line_command.h"
#include "remote/query_program.h"
#include "support/own_sshd.h"
#include "support/servers.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::chrono::milliseconds longestLine{60'000};

Host hostBy(const std::string& via) { return {.name = "here", .via = via}; }

ProgramAnswer saidBy(const Host& host, const std::string& line) {
    return answerOf({.words = lineCommand(host, line, false), .limit = longestLine});
}

/// Returns the words that a shell parses from the text, one per line.
std::string wordsByAShell(const std::string& text) {
    return answerOf({.words = {"sh", "-c", "printf '%s\\n' " + text}, .limit = longestLine}).said;
}

/// Returns how ssh would interpret these words.
QStringList resolved(std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"-F", "/dev/null", "-G"});
    return QString::fromStdString(answerOf({.words = std::move(words), .limit = longestLine}).said)
        .split('\n');
}

} // namespace

class TestLineCommand : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    static void needSsh() {
        if (serverNamed("ssh").isEmpty()) {
            QSKIP("ssh is not installed (openssh-client)");
        }
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_RUNTIME_DIR", folder_->path().toUtf8());
    }

    void aCommandIsTakenApartAsByAShell_data() {
        QTest::addColumn<QString>("via");
        // NOLINTBEGIN(modernize-raw-string-literal): moc cannot read those
        for (const char* via :
             {"ssh cluster", "  docker exec\t-i  box sh -c ", "ssh -o 'ProxyCommand nc %h %p' c",
              "a \"b c\"'d e'f\\ g", "a '' \"\" b", "'it'\\''s'", "\"\\$x \\\" \\\\ \\n\"",
              "a '$HOME `ls` ; | & #'", "a\\$b a\\;b", "a#b a~b a*b", "\"a'b\" 'c\"d'"}) {
            QTest::newRow(via) << QString(via);
        }
        // NOLINTEND(modernize-raw-string-literal)
    }
    void aCommandIsTakenApartAsByAShell() {
        QFETCH(const QString, via);
        std::string words;
        for (const std::string& word : viaWords(hostBy(via.toStdString()))) {
            words += word + '\n';
        }
        QCOMPARE(words, wordsByAShell(via.toStdString()));
    }

    void whatNeedsAShellIsRefused_data() {
        QTest::addColumn<QString>("via");
        for (const char* via :
             {"", " ", "''", "a 'b", "a \"b", "a \\", "ssh $HOST", "ssh \"$HOST\"", "a `b`", "a; b",
              "a | b", "a & b", "a > b", "(a)", "ssh -F ~/x c", "a #b", "a\nb", "a 'b\nc'"}) {
            QTest::newRow(via) << QString(via);
        }
    }
    void whatNeedsAShellIsRefused() {
        QFETCH(const QString, via);
        QVERIFY_THROWS_EXCEPTION(Error, (void)viaWords(hostBy(via.toStdString())));
    }

    void aLineIsTheLastWord() {
        const std::vector<std::string> words{"docker", "exec", "-i", "box", "sh", "-c", "a 'b'; c"};
        QCOMPARE(lineCommand(hostBy("docker exec -i box sh -c"), "a 'b'; c", false), words);
        QCOMPARE(saidBy(hostBy("sh -c"), "echo $((6 * 7))").said, std::string("42\n"));
    }

    void whatTheUserSaysOfAConnectionWins_data() {
        QTest::addColumn<QString>("via");
        QTest::addColumn<QStringList>("wanted");
        const auto row = [](const char* via, const QStringList& wanted) {
            QTest::newRow(via) << QString(via) << wanted;
        };
        const QStringList ours{"hostname cluster",      "connecttimeout 15",
                               "serveraliveinterval 5", "batchmode yes",
                               "controlmaster auto",    "controlpersist 600",
                               "requesttty false",      "clearallforwardings yes"};
        row("ssh cluster", ours);
        row("/usr/bin/ssh -p 2222 -vC me@cluster", ours + QStringList{"port 2222", "user me"});
        row("ssh -v -i key -l me -- cluster", ours + QStringList{"user me"});
        row("ssh cluster -p 2222 -oUser=me", ours + QStringList{"port 2222", "user me"});
        row("ssh -o ConnectTimeout=3 cluster",
            {"hostname cluster", "connecttimeout 3", "batchmode yes"});
        row("ssh cluster -oBatchMode=no -o ControlMaster=no",
            {"hostname cluster", "connecttimeout 15", "batchmode no", "controlmaster false"});
        row("ssh -4Jjump cluster", ours + QStringList{"proxyjump jump"});
        row("ssh cluster -- sh -c", ours);
        row("ssh -p 2222 cluster env -i sh -c", ours + QStringList{"port 2222"});
    }
    void whatTheUserSaysOfAConnectionWins() {
        needSsh();
        QFETCH(const QString, via);
        QFETCH(const QStringList, wanted);
        const QStringList settings =
            resolved(lineCommand(hostBy(via.toStdString()), "true", false));
        for (const QString& one : wanted) {
            QVERIFY2(settings.contains(one), qPrintable(one + " in " + settings.join('\n')));
        }
    }

    void asksWhereSomebodySits() {
        needSsh();
        const Host host = hostBy("ssh cluster");
        QVERIFY(resolved(lineCommand(host, "true", true)).contains("batchmode no"));
        QVERIFY(resolved(lineCommand(host, "true", false)).contains("batchmode yes"));
    }

    void socketsLieWhereNobodyElseLooks() {
        const auto path = [] {
            const std::vector<std::string> words = lineCommand(hostBy("ssh a"), "true", false);
            const auto found = std::ranges::find_if(
                words, [](const std::string& word) { return word.starts_with("ControlPath="); });
            return found == words.end() ? QString() : QString::fromStdString(*found).mid(12);
        };
        const QString own = folder_->filePath("weft");
        QCOMPARE(path(), own + "/%C");
        QCOMPARE(QFile::permissions(own) & (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther |
                                            QFile::ExeOther | QFile::WriteOther),
                 QFile::Permissions());
        // Others can look into it, it is a link, its path is too long for a socket.
        QVERIFY(QFile::setPermissions(own, QFile::permissions(own) | QFile::ReadOther));
        QVERIFY(!path().startsWith(own));
        QVERIFY(QDir(own).removeRecursively() && QDir().mkpath(folder_->filePath("other")));
        QVERIFY(QFile::link(folder_->filePath("other"), own));
        QVERIFY(!path().startsWith(own));
        const QString far = folder_->filePath(QString(40, 'a'));
        QVERIFY(QDir().mkpath(far));
        qputenv("XDG_RUNTIME_DIR", far.toUtf8());
        QVERIFY(!path().startsWith(far));
    }

    void theOtherEndIsStartedWhateverItIsCalled_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<bool>("isInHome");
        for (const char* name : {"weft", "a b", "it's", "$(touch evil)", "`touch evil`",
                                 "a;touch evil", "\"$HOME\"", "a*", "~", "a\\b"}) {
            QTest::addRow("%s", name) << QString(name) << false;
            QTest::addRow("~/%s", name) << QString(name) << true;
        }
    }
    void theOtherEndIsStartedWhateverItIsCalled() {
        QFETCH(const QString, program);
        QFETCH(const bool, isInHome);
        QVERIFY(QFile::copy("/bin/echo", folder_->filePath(program)));
        Host host = hostBy("sh -c");
        host.program =
            (isInHome ? "~/" : folder_->path() + "/").toStdString() + program.toStdString();
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", folder_->path().toUtf8());
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder_->path()));
        const ProgramAnswer answer = saidBy(host, answerLine(host));
        QVERIFY(QDir::setCurrent(before));
        qputenv("HOME", home);
        QCOMPARE(answer.said, std::string("answer\n"));
        QVERIFY(!QFile::exists(folder_->filePath("evil")));
    }

    void allLinesShareAConnection() {
        OwnSshd sshd;
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        const Host host = hostBy(sshd.via().toStdString());
        QVERIFY(!closeConnection(host));
        const ProgramAnswer first = saidBy(host, "echo $((6 * 7)); exit 3");
        QVERIFY2(first.said == "42\n" && first.code == 3, first.error.c_str());
        // It needs no key any more, and none is taken.
        sshd.refuseEveryone();
        QCOMPARE(saidBy(host, "cat; echo again").said, std::string("again\n"));
        QVERIFY(closeConnection(host));
        QVERIFY(!closeConnection(host));
        const ProgramAnswer refused = saidBy(host, "true");
        QCOMPARE(refused.code, 255);
        QVERIFY2(refused.error.find("Permission denied") != std::string::npos,
                 refused.error.c_str());
    }

    void aServerThatSharesNothingIsReachedAnew() {
        OwnSshd sshd({"MaxSessions 1"});
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        const Host host = hostBy(sshd.via().toStdString());
        QProcess first;
        QStringList words;
        for (const std::string& word : lineCommand(host, "echo there; cat", false)) {
            words << QString::fromStdString(word);
        }
        first.start(words.takeFirst(), words);
        QVERIFY(first.waitForReadyRead(60'000));
        QCOMPARE(saidBy(host, "echo beside").said, std::string("beside\n"));
        first.closeWriteChannel();
        QVERIFY(first.waitForFinished(60'000));
        QVERIFY(closeConnection(host));
    }

    void aCommandThereTakesTheLineWhole() {
        OwnSshd sshd;
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        const Host host = hostBy(sshd.via().toStdString() + " env -i sh -c");
        QCOMPARE(saidBy(host, "echo 'a  b' $((1 + 1))").said, std::string("a  b 2\n"));
        QVERIFY(closeConnection(host));
    }

    void aHostWhoseKeyHasChangedIsToldBySshItself() {
        OwnSshd sshd;
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        const Host host = hostBy(sshd.via().toStdString());
        QCOMPARE(saidBy(host, "echo 1").said, std::string("1\n"));
        QVERIFY(closeConnection(host));
        sshd.changeHostKey();
        const ProgramAnswer answer = saidBy(host, "echo 2");
        QCOMPARE(answer.code, 255);
        QVERIFY(answer.said.empty());
        QVERIFY2(answer.error.find("HOST IDENTIFICATION HAS CHANGED") != std::string::npos,
                 answer.error.c_str());
    }

    void aLineThatIsCutEndsWhatUsesIt() {
        OwnSshd sshd;
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        const Host host = hostBy(sshd.via().toStdString());
        QStringList words;
        for (const std::string& word : lineCommand(host, "echo there; cat", false)) {
            words << QString::fromStdString(word);
        }
        QProcess line;
        line.start(words.takeFirst(), words);
        QVERIFY(line.waitForReadyRead(60'000));
        sshd.cutLines();
        QVERIFY(line.waitForFinished(60'000));
        QCOMPARE(line.exitCode(), 255);
        QCOMPARE(saidBy(host, "echo again").said, std::string("again\n"));
        QVERIFY(closeConnection(host));
    }
};

std::unique_ptr<QObject> makeTestLineCommand() { return std::make_unique<TestLineCommand>(); }
#include "tst_line_command.moc"
