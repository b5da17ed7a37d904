// SPDX-License-Identifier: Apache-2.0
#include "events/sinks/growing_file.h"
#include <weft/error.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestGrowingFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void recordsArriveWithAFlush() {
        GrowingFile file(path(), 0);
        file.append("one\n");
        QCOMPARE(fs::file_size(path()), std::uintmax_t{0});
        file.append("two\n");
        file.flush();
        QCOMPARE(readFile(path(), 100), std::string("one\ntwo\n"));
        file.append("three\n");
        file.finish();
        QCOMPARE(readFile(path(), 100), std::string("one\ntwo\nthree\n"));
    }

    void aTornTailIsCutAway() {
        writeFileWhole(path(), "one\ntwo\nth");
        const WholeLines lines = wholeLinesOf(path());
        QCOMPARE(lines.count, std::uint64_t{2});
        QCOMPARE(lines.bytes, std::uint64_t{8});
        GrowingFile file(path(), lines.bytes);
        file.append("3\n");
        file.flush();
        QCOMPARE(readFile(path(), 100), std::string("one\ntwo\n3\n"));
        QCOMPARE(wholeLinesOf(folder_->filePath("none").toStdString()).count, std::uint64_t{0});
    }

    void whatAFullDiskDidNotTakeComesLater() {
        const pid_t child = fork();
        if (child == 0) {
            _exit(writeThroughALimit() ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        const std::string text = readFile(path(), 1 << 20);
        QCOMPARE(text.size(), std::size_t{5 * 300});
    }

private:
    [[nodiscard]] fs::path path() const { return folder_->filePath("file").toStdString(); }

    /// A limit on file sizes stands in for a full disk.
    [[nodiscard]] bool writeThroughALimit() const {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit tight{1000, RLIM_INFINITY};
        const rlimit wide{RLIM_INFINITY, RLIM_INFINITY};
        GrowingFile file(path(), 0);
        setrlimit(RLIMIT_FSIZE, &tight);
        for (char c = 'a'; c < 'f'; ++c) {
            file.append(std::string(299, c) + '\n');
            file.flush();
        }
        const bool endsWhole = fs::file_size(path()) % 300 == 0;
        bool isRefused = false;
        try {
            file.finish();
        } catch (const Error& error) {
            isRefused = error.code() == ErrorCode::file;
        }
        setrlimit(RLIMIT_FSIZE, &wide);
        file.finish();
        return endsWhole && isRefused;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestGrowingFile() { return std::make_unique<TestGrowingFile>(); }
#include "tst_growing_file.moc"
