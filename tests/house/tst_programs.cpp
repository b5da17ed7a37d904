// SPDX-License-Identifier: Apache-2.0
// A function exists because a program calls it: both programs, and the example that uses the engine
// from outside, are built with each call as it is written.

#include "support/places.h"
#include "support/test_main.h"
#include "uncalled.h"

#include <QFile>
#include <QProcess>
#include <QTest>
#include <cstdio>

using namespace weft::house;

namespace {

const int patience = 3600000; // ms, to build everything on a machine that does other things as well

struct Outcome {
    int code = -1;
    QString output;
};

Outcome cmake(const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(weft::test::sourceFolder().string()));
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start("cmake", arguments);
    return process.waitForFinished(patience)
               ? Outcome{process.exitCode(), QString::fromUtf8(process.readAll())}
               : Outcome{};
}

} // namespace

class TestPrograms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(weft::test::buildFolder() /
                                     "tests/house/house_madeup_program")) {
            QSKIP("needs GCC, whose calls can be kept as they are written");
        }
        const Outcome configured = cmake({"--preset", "uncalled"});
        QVERIFY2(configured.code == 0, qPrintable(configured.output));
        const QString off = configured.output.section("; off ", 1).section('\n', 0, 0);
        for (const char* part : {"oneDNN", "MPI", "workbench"}) {
            if (off.contains(part)) {
                QSKIP(
                    "needs oneDNN, MPI and Qt Widgets: what only they lead to is not called here");
            }
        }
        const Outcome built = cmake({"--build", "--preset", "uncalled"});
        QVERIFY2(built.code == 0, qPrintable(built.output.right(10000)));
    }

    void callWhatIsWritten() {
        const auto build = weft::test::sourceFolder() / "build/uncalled";
        const auto functions =
            uncalledFunctions(objectsOf(build, {"engine", "ui", "app"}),
                              {build / "app/weft/weft", build / "app/workbench/weft-workbench",
                               build / "tests/example/weft_example_program"},
                              weft::test::sourceFolder());
        QFile file(QString::fromStdString(
            (weft::test::sourceFolder() / "tests/house/uncalled/exceptions.txt").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto findings =
            judgeUncalled(functions, readExceptions(file.readAll().toStdString()));
        for (const std::string& finding : findings) {
            std::fprintf(stderr, "%s\n", finding.c_str());
        }
        QVERIFY2(findings.empty(), "the lines above say what: delete it, or call it");
    }
};

std::unique_ptr<QObject> makeTestPrograms() { return std::make_unique<TestPrograms>(); }

#include "tst_programs.moc"
