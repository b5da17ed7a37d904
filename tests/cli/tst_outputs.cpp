// SPDX-License-Identifier: Apache-2.0
// Outputs that a user names: a file is replaced whole, a link stays a link, a device or a pipe is
// written to and stays what it is, and what cannot be written is an error that names it.
#include "data/arrays/npy.h"
#include "support/device_node.h"
#include "support/places.h"
#include "support/test_main.h"
#include "weft_process.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <memory>
#include <span>
#include <vector>

using namespace weft;
using namespace weft::test;

class TestOutputs : public QObject {
    Q_OBJECT

    QTemporaryDir folder_; ///< holds the run that outputs are made of
    std::unique_ptr<QTemporaryDir> place_;
    QString run_;

    [[nodiscard]] QString at(const QString& name) const { return place_->filePath(name); }

    /// Writes the output of that kind to the path.
    [[nodiscard]] Ended write(const QString& kind, const QString& path) const {
        const std::map<QString, QStringList> lines{
            {"picture", {"show", run_, "--weights", "fc1.weight", "--out", path}},
            {"curves", {"show", run_, "--curve", "loss", "--out", path}},
            {"trace", {"show", run_, "--trace", path}},
            {"inferred", {"infer", run_, "--input", "digit.npy", "--output", path}},
        };
        return test::weft(lines.at(kind), folder_.path());
    }
    [[nodiscard]] Ended writeNumbers(const QString& path) const {
        return test::weft({"show", run_, "--weights", "fc1.weight", "--out", path}, folder_.path());
    }

    static void addKinds() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"picture", "curves", "trace", "inferred"}) {
            QTest::newRow(kind) << QString(kind);
        }
    }

    void isRefused(const Ended& ended, const QString& name, const char* why) const {
        QVERIFY2(ended.code == 4, qPrintable(ended.out + ended.error));
        QVERIFY2(ended.error.contains(name) && ended.error.contains(why), qPrintable(ended.error));
        // Nothing is left beside it either.
        for (const QString& left : QDir(place_->path()).entryList(QDir::Files | QDir::Hidden)) {
            QVERIFY2(!left.endsWith(".part"), qPrintable(left));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        writeDesign(folder_.filePath("small.weft"), {.steps = 2, .checkpointEvery = 2});
        const Ended ended = test::weft({"run", "small.weft", "--devices", "cpu:0"}, folder_.path());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        run_ = runsIn(folder_.path()).value(0);
        const std::vector<float> digit(28 * 28, 0.5F);
        writeNpy(folder_.filePath("digit.npy").toStdString(), DType::f32, {1, 1, 28, 28},
                 std::as_bytes(std::span(digit)));
    }
    void init() { place_ = std::make_unique<QTemporaryDir>(); }

    void aFullDeviceIsAnErrorAndStays_data() { addKinds(); }
    void aFullDeviceIsAnErrorAndStays() {
        QFETCH(QString, kind);
        if (!makeDevice(at("full"), fullDevice)) {
            QSKIP("needs the right to make a device");
        }
        isRefused(write(kind, at("full")), "full", "No space left");
        QVERIFY(isDevice(at("full")));
    }

    void aDeviceTakesTheOutputAndStays_data() { addKinds(); }
    void aDeviceTakesTheOutputAndStays() {
        QFETCH(QString, kind);
        if (!makeDevice(at("null"), nullDevice)) {
            QSKIP("needs the right to make a device");
        }
        const Ended ended = write(kind, at("null"));
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY(isDevice(at("null")));
    }

    void aLinkToADeviceStaysAndSoDoesTheDevice() {
        if (!makeDevice(at("full"), fullDevice)) {
            QSKIP("needs the right to make a device");
        }
        QVERIFY(QFile::link("full", at("link.png")));
        isRefused(write("picture", at("link.png")), "link.png", "No space left");
        QVERIFY(QFileInfo(at("link.png")).isSymLink());
        QVERIFY(isDevice(at("full")));
    }

    void aPipeTakesTheOutputAndStays_data() { addKinds(); }
    void aPipeTakesTheOutputAndStays() {
        QFETCH(QString, kind);
        QCOMPARE(::mkfifo(qPrintable(at("pipe")), 0600), 0);
        QVERIFY(write(kind, at("file")).code == 0);
        QProcess reader;
        reader.start("cat", {at("pipe")});
        QVERIFY(reader.waitForStarted());
        const Ended ended = write(kind, at("pipe"));
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY(reader.waitForFinished(patience));
        QVERIFY(reader.readAllStandardOutput() == bytesOf(at("file")));
        struct stat facts {};
        QVERIFY(::lstat(qPrintable(at("pipe")), &facts) == 0 && S_ISFIFO(facts.st_mode));
    }

    void aPipeWithoutAReaderIsAnErrorInTime() {
        QCOMPARE(::mkfifo(qPrintable(at("pipe")), 0600), 0);
        isRefused(write("picture", at("pipe")), "pipe", "start its reader first");
    }

    void aReaderThatLeavesIsAnError() {
        QCOMPARE(::mkfifo(qPrintable(at("pipe.npy")), 0600), 0);
        const QString line = "head -c 1 pipe.npy > first";
        QProcess reader;
        reader.setWorkingDirectory(place_->path());
        reader.start("sh", {"-c", line});
        QVERIFY(reader.waitForStarted());
        // More than a pipe holds.
        isRefused(writeNumbers(at("pipe.npy")), "pipe.npy",
                  "the process that reads the pipe ended");
        QVERIFY(reader.waitForFinished(patience));
    }

    void aDescriptorOfTheProcessIsWritten() {
        // As /dev/stdout is, which a faulty program would replace.
        QVERIFY(QFile::link("/proc/self/fd/1", at("stdout")));
        const Ended piped = write("picture", at("stdout"));
        QVERIFY2(piped.code == 0, qPrintable(piped.error));
        QVERIFY2(piped.out.contains("PNG\r\n"), qPrintable(piped.out));
        QVERIFY(QFileInfo(at("stdout")).isSymLink());
        // A file that the shell gave goes on where it stands.
        writeBytes(at("log"), "before\n");
        const Ended filed = startedBy("sh",
                                      {"-c", R"(log=$0; exec "$@" >> "$log")", at("log"),
                                       QString::fromStdString(weftProgram().string()), "show", run_,
                                       "--weights", "fc1.weight", "--out", at("stdout")},
                                      {}, folder_.path());
        QVERIFY2(filed.code == 0, qPrintable(filed.error));
        QVERIFY(bytesOf(at("log")).startsWith("before\n\x89PNG"));
    }

    void aLinkStaysAndItsTargetIsReplaced_data() { addKinds(); }
    void aLinkStaysAndItsTargetIsReplaced() {
        QFETCH(QString, kind);
        QVERIFY(QDir(place_->path()).mkdir("far"));
        writeBytes(at("far/target"), "old");
        QVERIFY(QFile::link("far/target", at("link")));
        const Ended ended = write(kind, at("link"));
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QCOMPARE(QFile::symLinkTarget(at("link")), at("far/target"));
        QVERIFY(bytesOf(at("far/target")).size() > 3);
        QCOMPARE(QDir(at("far")).entryList(QDir::Files | QDir::Hidden), QStringList{"target"});
    }

    void aLinkToNothingStaysAndItsTargetIsMade() {
        QVERIFY(QFile::link("target.png", at("link.png")));
        const Ended ended = write("picture", at("link.png"));
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY(QFileInfo(at("link.png")).isSymLink());
        QVERIFY(bytesOf(at("target.png")).contains("PNG"));
    }

    void linksInACircleAreAnError() {
        QVERIFY(QFile::link("b", at("a")) && QFile::link("a", at("b")));
        isRefused(write("picture", at("a")), "a", "links");
    }

    void aFolderIsAnError_data() { addKinds(); }
    void aFolderIsAnError() {
        QFETCH(QString, kind);
        QVERIFY(QDir(place_->path()).mkdir("folder"));
        isRefused(write(kind, at("folder")), "folder", "name a regular file");
        QVERIFY(QFileInfo(at("folder")).isDir());
    }

    void aFolderThatCanOnlyBeReadIsAnError() {
        QVERIFY(QDir(place_->path()).mkdir("fixed"));
        const bool isRoot = ::geteuid() == 0; // who may write whatever the rights are
        if (isRoot && QProcess::execute("mount", {"-t", "tmpfs", "-o", "ro,size=4k", "tmpfs",
                                                  at("fixed")}) != 0) {
            QSKIP("needs the right to mount a disk that can only be read");
        }
        const auto unmount = qScopeGuard([&] {
            if (isRoot) {
                QProcess::execute("umount", {"-l", at("fixed")});
            }
        });
        QVERIFY(isRoot || QFile::setPermissions(at("fixed"), QFile::ReadOwner | QFile::ExeOwner));
        isRefused(write("picture", at("fixed/a.png")), "fixed/a.png", "choose another folder");
        const Ended made =
            test::weft({"show", run_, "--tensorboard", at("fixed/board")}, folder_.path());
        QVERIFY2(made.code == 4 && made.error.contains("fixed/board"), qPrintable(made.error));
    }

    void anExportWritesToWhatStandsThere() {
        const QString out = at("out");
        const auto exported = [&] {
            return test::weft({"export", "small.weft", "--out", out}, folder_.path());
        };
        QCOMPARE(exported().code, 0);
        QVERIFY(QFile::remove(out + "/hostfile"));
        if (!makeDevice(out + "/hostfile", fullDevice)) {
            QSKIP("needs the right to make a device");
        }
        const Ended ended = exported();
        QVERIFY2(ended.code == 4 && ended.error.contains("out/hostfile"), qPrintable(ended.error));
        QVERIFY(isDevice(out + "/hostfile"));
    }
};

std::unique_ptr<QObject> makeTestOutputs() { return std::make_unique<TestOutputs>(); }
#include "tst_outputs.moc"
