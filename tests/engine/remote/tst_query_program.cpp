// SPDX-License-Identifier: Apache-2.0
#include "remote/query_program.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;

class TestQueryProgram : public QObject {
    Q_OBJECT

    static ProgramQuestion shell(const std::string& script) {
        return {.words = {"sh", "-c", script}};
    }

private Q_SLOTS:
    void isHeardToItsEnd() {
        const ProgramAnswer answer =
            answerOf(shell("echo one; echo two >&2; seq 1 100000; echo last words >&2; exit 3"));
        QCOMPARE(answer.code, 3);
        QVERIFY(!answer.isFine() && !answer.isLate);
        QVERIFY(answer.said.starts_with("one\n1\n2\n") && answer.said.ends_with("\n100000\n"));
        QCOMPARE(answer.error, std::string("two\nlast words\n"));
        QCOMPARE(answer.complaint(), std::string("last words"));
        QCOMPARE(answerOf(shell("kill -9 $$")).code, 137);
    }

    void beginsInItsFolderWithItsVariables() {
        const QTemporaryDir folder;
        ProgramQuestion question = shell("pwd; echo $WEFT_A");
        question.folder = folder.path().toStdString();
        question.environment = {{"WEFT_A", "a b"}};
        QCOMPARE(answerOf(question).said, folder.path().toStdString() + "\na b\n");
    }

    /// Neither a descriptor that somebody left open nor a signal that is ignored here.
    void inheritsNothing() {
        const int left = open("/dev/null", O_RDONLY); // without O_CLOEXEC
        signal(SIGUSR1, SIG_IGN);
        const ProgramAnswer answer =
            answerOf(shell("ls /proc/self/fd; grep SigIgn /proc/self/status; cat"));
        signal(SIGUSR1, SIG_DFL);
        close(left);
        // The fourth is the folder that is being listed.
        const QString said = QString::fromStdString(answer.said);
        QVERIFY2(said.startsWith("0\n1\n2\n3\nSigIgn:\t"), qPrintable(said));
        const auto ignored = said.section('\t', 1).trimmed().toULongLong(nullptr, 16);
        QCOMPARE(ignored & (1ULL << (SIGUSR1 - 1)), 0ULL);
    }

    void whatDoesNotEndIsEndedWithAllItStarted() {
        ProgramQuestion question = shell("sleep 1000 & echo $!; wait");
        question.limit = std::chrono::milliseconds(200);
        const ProgramAnswer answer = answerOf(question);
        QVERIFY(answer.isLate && !answer.isFine());
        const QString started = QString::fromStdString(answer.said).trimmed();
        QVERIFY(started.toInt() > 1);
        // Whoever has to may not have asked for it yet: then it is a zombie, of no command.
        const auto commandOf = [](const QString& process) {
            QFile file("/proc/" + process + "/cmdline");
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QTRY_COMPARE(commandOf(started), QByteArray());
    }

    void keepsNoMoreThanAMebibyte() {
        const ProgramAnswer answer = answerOf(shell("yes | head -c 3000000"));
        QVERIFY(answer.isFine());
        QCOMPARE(answer.said.size(), std::size_t{1} << 20U);
    }

    void saysWhyOneThatIsNotThereDoesNotAnswer() {
        const ProgramAnswer answer = answerOf({.words = {"weft-no-such-program"}});
        QCOMPARE(answer.code, 127);
        QVERIFY2(answer.complaint().find("weft-no-such-program") != std::string::npos,
                 answer.complaint().c_str());
    }
};

std::unique_ptr<QObject> makeTestQueryProgram() { return std::make_unique<TestQueryProgram>(); }
#include "tst_query_program.moc"
