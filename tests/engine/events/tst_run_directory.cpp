// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "events/run_directory.h"
#include <weft/error.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestRunDirectory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void runsHaveNamesOfTheirOwn() {
        const RunDirectory first = RunDirectory::create(here() / "runs", "My net/../2");
        const RunDirectory second = RunDirectory::create(here() / "runs", "My net/../2");
        QVERIFY(first.folder() != second.folder());
        QVERIFY(first.folder().parent_path() == here() / "runs");
        QVERIFY(first.folder().filename().string().ends_with("_My-net-..-2"));
        QVERIFY(fs::is_directory(first.checkpoints()) && fs::is_directory(first.tensors()));
        QCOMPARE(first.attempt(), std::uint32_t{1});
    }

    void controlIsTheOwnersAloneAndGoesWithTheRun() {
        fs::path control;
        {
            const RunDirectory run = RunDirectory::createAt(here() / "run");
            control = run.control();
            QVERIFY(fs::status(control).permissions() == fs::perms::owner_all);
        }
        QVERIFY(!fs::exists(control));
    }

    void aLivingRunIsToldFromADeadOne() {
        const fs::path folder = here() / "run";
        int ready[2];
        QCOMPARE(pipe(ready), 0);
        const pid_t child = fork();
        if (child == 0) {
            RunDirectory run = RunDirectory::createAt(folder);
            writeFileWhole(run.design(), "{}");
            run.beat();
            const char word = 'r';
            if (::write(ready[1], &word, 1) == 1) {
                ::pause();
            }
            _exit(0);
        }
        char word = 0;
        QVERIFY(::read(ready[0], &word, 1) == 1);
        const RunLock living = readRunLock(folder);
        QVERIFY(living.isHeld);
        QCOMPARE(living.process, static_cast<std::int64_t>(child));
        try {
            static_cast<void>(RunDirectory::resume(RunDirectory::reserve(folder)));
            QFAIL("a living run was resumed");
        } catch (const Error& error) {
            QVERIFY(error.problem().find(std::to_string(child)) != std::string::npos);
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        ::close(ready[0]);
        ::close(ready[1]);
        QVERIFY(!readRunLock(folder).isHeld);
        QVERIFY(fs::exists(folder / "control"));
        const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(folder));
        QCOMPARE(again.attempt(), std::uint32_t{2});
        QVERIFY(readRunLock(folder).isHeld);
        QCOMPARE(readRunLock(folder).attempt, std::uint32_t{2});
    }

    void aRequeuedJobTakesItsRunFromItsFormerSelf() {
        const fs::path folder = here() / "run";
        qputenv("SLURM_JOB_ID", "71");
        const auto clear = qScopeGuard([] {
            qunsetenv("SLURM_JOB_ID");
            qunsetenv("SLURM_RESTART_COUNT");
        });
        const RunDirectory former = RunDirectory::createAt(folder);
        writeFileWhole(former.design(), "{}");
        QVERIFY(former.isOurs());
        QVERIFY_THROWS_EXCEPTION(
            Error, static_cast<void>(RunDirectory::resume(RunDirectory::reserve(folder))));
        qputenv("SLURM_RESTART_COUNT", "1");
        qputenv("SLURM_JOB_ID", "72"); // another job's
        QVERIFY_THROWS_EXCEPTION(
            Error, static_cast<void>(RunDirectory::resume(RunDirectory::reserve(folder))));
        QVERIFY(former.isOurs());
        qputenv("SLURM_JOB_ID", "71");
        const RunDirectory now = RunDirectory::resume(RunDirectory::reserve(folder));
        QCOMPARE(now.attempt(), std::uint32_t{2});
        QVERIFY(now.isOurs());
        QVERIFY(!former.isOurs());
    }

    void whatIsThereIsLeftAlone() {
        writeFileWhole(here() / "precious", "x");
        try {
            static_cast<void>(RunDirectory::createAt(here()));
            QFAIL("it was taken");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::usage);
            QVERIFY(!error.remedy().empty());
        }
        QCOMPARE(readFile(here() / "precious", 10), std::string("x"));
        QVERIFY(!fs::exists(here() / "lock"));
    }

    void whatIsNoRunIsNotResumed() {
        QVERIFY_THROWS_EXCEPTION(
            Error, static_cast<void>(RunDirectory::resume(RunDirectory::reserve(here() / "none"))));
        writeFileWhole(here() / "design.weft", "{}");
        writeFileWhole(here() / "lock", "torn");
        QVERIFY_THROWS_EXCEPTION(
            Error, static_cast<void>(RunDirectory::resume(RunDirectory::reserve(here()))));
        QVERIFY(!readRunLock(here() / "none").isHeld);
    }

    void aFolderThatCannotBeMadeIsNamed() {
        writeFileWhole(here() / "file", "x");
        try {
            static_cast<void>(RunDirectory::create(here() / "file" / "runs", "net"));
            QFAIL("it was made");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::file);
            QVERIFY(error.where().file.find("file/runs") != std::string::npos);
            QVERIFY(!error.remedy().empty());
        }
    }

    void aRunOnAnotherHostLivesByItsBeat() {
        const fs::path folder = here() / "run";
        makeFolder(folder);
        writeFileWhole(folder / "lock",
                       R"({"process": 1, "host": "some-other-host", "attempt": 3})");
        QVERIFY(readRunLock(folder).isHeld);
        QCOMPARE(readRunLock(folder).attempt, std::uint32_t{3});
        const timespec old[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, (folder / "lock").c_str(), old, 0), 0);
        QVERIFY(!readRunLock(folder).isHeld);
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestRunDirectory() { return std::make_unique<TestRunDirectory>(); }
#include "tst_run_directory.moc"
