// SPDX-License-Identifier: Apache-2.0
#include "cli/weft_process.h"
#include "support/own_sshd.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/refusal.h"
#include "support/test_main.h"
#include <weft/hosts.h>

#include <sys/file.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <memory>
#include <utility>

using namespace weft;
using namespace weft::test;

/// weft host install: an engine comes to another host whole or not at all, and is what runs there.
class TestInstall : public QObject {
    Q_OBJECT

    std::unique_ptr<OwnUser> folder_;

    [[nodiscard]] QString at(const QString& path) const { return folder_->filePath(path); }
    [[nodiscard]] Ended weft(const QStringList& words) const {
        return test::weft(words, folder_->path());
    }
    [[nodiscard]] Ended installed(const QStringList& more = {}) const {
        return weft(QStringList{"host", "install", "box"} + more);
    }
    /// A host whose home folder is `home` here, with these of its variables besides.
    void add(const QString& variables = {}, const QString& shell = "sh -c") const {
        const QString via = QString("env HOME=%1 %2 %3").arg(at("home"), variables, shell);
        const Ended added = weft({"host", "add", "box", "--via", via});
        QVERIFY2(added.code == 0, qPrintable(added.error));
    }
    [[nodiscard]] QStringList engines() const {
        return QDir(at("home/weft")).entryList({"engine-*"}, QDir::Dirs);
    }
    /// The folder of the engine that is called there.
    [[nodiscard]] QString engineCalled() const {
        return QFileInfo(QFile::symLinkTarget(at("home/weft/bin/weft"))).path();
    }
    void writeProgram(const QString& path, const QByteArray& script) const {
        QDir().mkpath(QFileInfo(at(path)).path());
        writeBytes(at(path), "#!/bin/sh\n" + script);
        QVERIFY(QFile::setPermissions(at(path),
                                      QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    /// PATH of a host that has these of this machine's programs alone, and those in `own`.
    [[nodiscard]] QString pathWith(const QStringList& programs) const {
        QDir().mkpath(at("tools"));
        for (const QString& name : programs) {
            for (const char* const place : {"/usr/bin/", "/bin/"}) {
                QFile::link(place + name, at("tools/" + name));
            }
        }
        return QString("PATH=%1:%2").arg(at("own"), at("tools"));
    }
    static QStringList commonTools() {
        return {"sh",    "uname",   "mkdir", "df", "tail",  "head", "mktemp", "readlink",
                "chmod", "touch",   "ln",    "mv", "rm",    "find", "tr",     "tar",
                "gzip",  "dirname", "sed",   "cp", "nproc", "nice", "env"};
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<OwnUser>();
        QDir(folder_->path()).mkdir("home");
    }

    void comesWithAllThatItNeedsAndRuns() {
        add();
        const Ended ended = installed();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2(ended.out.contains("weft as ~/weft/bin/weft"), qPrintable(ended.out));
        QVERIFY2(ended.error.contains("not copied"), qPrintable(ended.error));
        QCOMPARE(engines().size(), 1);
        // By its own loader and C library, whatever those of the host are.
        const QStringList files = QDir(engineCalled()).entryList(QDir::Files);
        QVERIFY2(files.contains("weft-loader") && files.contains("libc.so.6"),
                 qPrintable(files.join(' ')));
        QVERIFY(files.filter("libcuda.so").isEmpty());
        const Ended checked = weft({"host", "check", "box"});
        QVERIFY2(checked.out.contains("copied to this host"),
                 qPrintable(checked.out + checked.error));
        writeDesign(at("small.weft"), {.steps = 12});
        const Ended ran = weft({"run", "small.weft", "--on", "box", "--devices", "cpu:0"});
        QVERIFY2(ran.code == 0 && ran.out.contains("done"), qPrintable(ran.out + ran.error));
        const QStringList runs =
            QDir(at("home/weft-runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(runs.size(), 1);
        QCOMPARE(lossesOf(at("home/weft-runs/" + runs.front())).size(), std::size_t{12});
        // From there it goes on to a further host.
        QCOMPARE(weft({"host", "add", "next", "--via", "env HOME=" + at("next") + " sh -c"}).code,
                 0);
        QDir(folder_->path()).mkdir("next");
        const Ended further =
            startedBy(at("home/weft/bin/weft"), {}, {"host", "install", "next"}, at("home"));
        QVERIFY2(further.code == 0, qPrintable(further.error));
        QCOMPARE(startedBy(at("next/weft/bin/weft"), {}, {"--version"}, at("next")).code, 0);
    }

    void aLineThatIsCutLeavesTheOldOneWhole() {
        writeProgram("home/weft/engine-old/start", "echo weft 0.0.1");
        QDir(at("home/weft")).mkdir("bin");
        QVERIFY(QFile::link("../engine-old/start", at("home/weft/bin/weft")));
        add({}, R"(sh -c 'head -c 3000000 | sh -c "$1"' cut)");
        const Ended cut = installed();
        QCOMPARE(cut.code, 4);
        QVERIFY2(cut.error.contains("was not installed") && cut.error.contains("end of file"),
                 qPrintable(cut.error));
        QTRY_COMPARE(engines(), QStringList("engine-old"));
        const auto versionThere = [this] {
            return startedBy(at("home/weft/bin/weft"), {}, {"--version"}, at("home")).out;
        };
        QCOMPARE(versionThere(), QString("weft 0.0.1\n"));
        add();
        QCOMPARE(installed().code, 0);
        QVERIFY(versionThere() != QString("weft 0.0.1\n"));
        QCOMPARE(engines().size(), 2); // for jobs that go on by the one before
    }

    void stopsWhenItIsTold() {
        QStringList stages;
        const auto stop = [&](const InstallProgress& now) {
            stages << QString::fromStdString(now.stage);
            return now.done.count < 1'000'000;
        };
        const std::string why = refusalOf(
            [&] {
                (void)installOn({.host = {.name = "box",
                                          .via = "env HOME=" + at("home").toStdString() + " sh -c"},
                                 .program = weftProgram()},
                                stop);
            },
            ErrorCode::stopped);
        QVERIFY2(why.find("stopped") != std::string::npos, why.c_str());
        QVERIFY(stages.contains("sending"));
        QTRY_COMPARE(engines().size(), 0);
        QVERIFY(knownHosts().empty());
    }

    void saysWhyItCannot_data() {
        QTest::addColumn<QString>("lack");
        QTest::addColumn<QString>("says");
        QTest::addRow("another machine")
            << "uname"
            << "the host is Linux vax, but the engine of this machine is for";
        QTest::addRow("no tar") << "tar"
                                << "lacks tar";
        QTest::addRow("a full disk") << "df"
                                     << "has 7.17 kB free";
        QTest::addRow("no folder") << "folder"
                                   << "mkdir";
        QTest::addRow("another's program") << "foreign"
                                           << "did not create it";
        QTest::addRow("no start there") << "start"
                                        << "/nowhere/weft-loader";
    }
    void saysWhyItCannot() {
        QFETCH(const QString, lack);
        QFETCH(const QString, says);
        QStringList tools = commonTools();
        if (lack == "uname") {
            writeProgram("own/uname", "echo Linux vax");
        } else if (lack == "df") {
            writeProgram("own/df", "echo head\necho disk 100 93 7 93% /");
        } else if (lack == "folder") {
            writeBytes(at("home/weft"), "not a folder");
        } else if (lack == "foreign") {
            writeProgram("home/weft/bin/weft", "exit 1");
        } else if (lack == "start") {
            writeProgram("own/dirname", "echo /nowhere");
        } else {
            tools.removeOne(lack);
        }
        add(pathWith(tools));
        const Ended refused = installed();
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.error.contains(says), qPrintable(refused.error));
        QVERIFY(engines().isEmpty());
        QVERIFY(weft({"host", "list"}).out.contains("weft as weft"));
    }

    void saysWhatReachesNothing() {
        QCOMPARE(weft({"host", "add", "box", "--via", "false"}).code, 0);
        const Ended refused = installed();
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.error.contains("\"false\" ended with 1"), qPrintable(refused.error));
        QCOMPARE(weft({"host", "check", "box", "--from-source"}).code, 2);
    }

    void isBuiltOfItsSources() {
        // Stands in for a build, which would take minutes.
        writeProgram("own/cmake", "case $1 in\n"
                                  "--build) echo '[1/2] one'; mkdir -p build/app/weft\n"
                                  "    cp " +
                                      QByteArray::fromStdString(weftProgram().string()) +
                                      " build/app/weft/weft ;;\n"
                                      "*) echo configured ;;\nesac");
        writeProgram("own/c++", "");
        writeProgram("own/pkg-config", "");
        writeProgram("own/ninja", "");
        add(pathWith(commonTools()));
        const Ended ended = installed({"--from-source"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QCOMPARE(QDir(engineCalled()).entryList(QDir::Files), QStringList({"start", "weft"}));
        QCOMPARE(weft({"host", "check", "box"}).code, 0);
        const QString sources = at("home/weft/building/source");
        QCOMPARE(bytesOf(sources + "/engine/remote/install/host_install.cpp"),
                 bytesOf(QString::fromStdString(sourceFolder().string()) +
                         "/engine/remote/install/host_install.cpp"));
        QVERIFY(QFileInfo(sources + "/packaging/install").isExecutable());
        for (const char* const other : {"/ui", "/tests"}) {
            QCOMPARE(QDir(sources + other).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                     QStringList("CMakeLists.txt"));
        }
    }

    void saysWhyItIsNotBuilt_data() {
        QTest::addColumn<QByteArray>("cmake");
        QTest::addColumn<QStringList>("says");
        QTest::addRow("nothing to build with")
            << QByteArray() << QStringList{"lacks build-essential, cmake, pkg-config, ninja-build"};
        QTest::addRow("no packages")
            << QByteArray("echo -- weft lacks libfmt-dev libeigen3-dev; exit 1")
            << QStringList{"lacks libfmt-dev libeigen3-dev", "administrator"};
        QTest::addRow("an error")
            << QByteArray("[ $1 != --build ] || { echo '[1/2] x'; echo error: bad; exit 1; }")
            << QStringList{"error: bad", "the build failed", "building/log.txt"};
    }
    void saysWhyItIsNotBuilt() {
        QFETCH(const QByteArray, cmake);
        QFETCH(const QStringList, says);
        if (!cmake.isEmpty()) {
            writeProgram("own/cmake", cmake);
            for (const char* const name : {"own/c++", "own/pkg-config", "own/ninja"}) {
                writeProgram(name, "");
            }
        }
        add(pathWith(commonTools()));
        const Ended refused = installed({"--from-source"});
        QCOMPARE(refused.code, 4);
        for (const QString& said : says) {
            QVERIFY2(refused.error.contains(said), qPrintable(refused.error));
        }
        QVERIFY(engines().isEmpty());
    }

    void oneThatIsBeingBuiltIsLeftAlone() {
        for (const char* const name : {"own/cmake", "own/c++", "own/pkg-config", "own/ninja"}) {
            writeProgram(name, "exit 1");
        }
        add(pathWith(commonTools() << "flock"));
        QDir().mkpath(at("home/weft/building/source"));
        QFile lock(at("home/weft/building/lock"));
        QVERIFY(lock.open(QIODevice::WriteOnly) && ::flock(lock.handle(), LOCK_EX) == 0);
        const Ended refused = installed({"--from-source"});
        QVERIFY2(refused.code == 4 &&
                     refused.error.contains("another build of Weft is running on the host"),
                 qPrintable(refused.error));
        QVERIFY(QFileInfo::exists(at("home/weft/building/source")));
        lock.close();
        QVERIFY(installed({"--from-source"}).error.contains("CMake cannot configure the build"));
    }

    void comesThroughSsh() {
        OwnSshd sshd({"SetEnv HOME=" + at("home")});
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        QCOMPARE(weft({"host", "add", "box", "--via", sshd.via()}).code, 0);
        const Ended missing = weft({"host", "check", "box"});
        QVERIFY2(missing.error.contains("weft host install box"), qPrintable(missing.error));
        const Ended ended = installed();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QCOMPARE(engines().size(), 1);
        const Ended checked = weft({"host", "check", "box"});
        QVERIFY2(checked.out.contains("copied to this host"),
                 qPrintable(checked.out + checked.error));
        (void)weft({"host", "close", "box"});
    }
};

std::unique_ptr<QObject> makeTestInstall() { return std::make_unique<TestInstall>(); }
#include "tst_install.moc"
