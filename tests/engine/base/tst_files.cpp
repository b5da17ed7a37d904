// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include <weft/error.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aFileAppearsAtCommitOnly() {
        const fs::path path = here() / "a.txt";
        writeFileWhole(path, "old");
        {
            AtomicFile file(path);
            file.write("new and long");
            QCOMPARE(readFile(path, 100), std::string("old"));
        }
        QCOMPARE(readFile(path, 100), std::string("old"));
        QCOMPARE(names(), std::vector<std::string>{"a.txt"});
        AtomicFile file(path);
        file.write("0000 body");
        QCOMPARE(file.size(), std::uint64_t{9});
        file.commit();
        QCOMPARE(readFile(path, 100), std::string("0000 body"));
        QCOMPARE(names(), std::vector<std::string>{"a.txt"});
    }

    void aSymbolicLinkStaysALink() {
        writeFileWhole(here() / "real", "1");
        fs::create_symlink("real", here() / "link");
        writeFileWhole(here() / "link", "2");
        QVERIFY(fs::is_symlink(here() / "link"));
        QCOMPARE(readFile(here() / "real", 10), std::string("2"));
    }

    void rightsOfTheOldFileAreKept() {
        const fs::path path = here() / "private";
        writeFileWhole(path, "1");
        fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
        writeFileWhole(path, "2");
        QVERIFY(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    }

    void aFullDiskLeavesTheOldFile() {
        const fs::path path = here() / "a.txt";
        writeFileWhole(path, "old");
        const int outcome = inChild([&] {
            // A limit on file sizes stands in for a full disk: write fails half-way.
            const rlimit limit{1000, 1000};
            setrlimit(RLIMIT_FSIZE, &limit);
            signal(SIGXFSZ, SIG_IGN);
            try {
                writeFileWhole(path, std::string(5000, 'x'));
            } catch (const Error& error) {
                const bool isClear = error.code() == ErrorCode::file &&
                                     error.where().file == path.string() && !error.remedy().empty();
                return isClear ? 3 : 4;
            }
            return 5;
        });
        QCOMPARE(outcome, 3);
        QCOMPARE(readFile(path, 100), std::string("old"));
        QCOMPARE(names(), std::vector<std::string>{"a.txt"});
    }

    void aFolderThatIsNotThereIsNamed() {
        try {
            writeFileWhole(here() / "none" / "a.txt", "x");
            QFAIL("it was written");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::file);
            QVERIFY(std::string(error.what()).find("none/a.txt") != std::string::npos);
            QVERIFY(!error.remedy().empty());
        }
        QVERIFY_THROWS_EXCEPTION(Error, writeFileWhole(here(), "x"));
        QVERIFY(names().empty());
    }

    void survivesAKillDuringRename() {
        const fs::path path = here() / "a.txt";
        writeFileWhole(path, std::string(3000, '0'));
        for (int round = 0; round < 20; ++round) {
            int ready[2];
            QCOMPARE(pipe(ready), 0);
            const pid_t child = fork();
            if (child == 0) {
                for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) {
                    writeFileWhole(path, std::string(3000, c));
                    if (write(ready[1], &c, 1) < 0) {
                        _exit(1);
                    }
                }
            }
            ::close(ready[1]);
            std::vector<char> seen(static_cast<std::size_t>(round % 7 + 1));
            QVERIFY(read(ready[0], seen.data(), seen.size()) > 0);
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
            ::close(ready[0]);
            const std::string text = readFile(path, 10000);
            QCOMPARE(text.size(), std::size_t{3000});
            QVERIFY(std::all_of(text.begin(), text.end(), [&](char c) { return c == text[0]; }));
        }
        writeFileWhole(path, "end");
        QCOMPARE(names(), std::vector<std::string>{"a.txt"});
    }

    void theWorkOfALivingWriterIsLeftAlone() {
        const fs::path path = here() / "a.txt";
        AtomicFile first(path);
        first.write("first");
        writeFileWhole(path, "second");
        first.commit();
        QCOMPARE(readFile(path, 10), std::string("first"));
    }

    void readingHasALimit() {
        writeFileWhole(here() / "a", std::string(100, 'x'));
        QCOMPARE(readFile(here() / "a", 100).size(), std::size_t{100});
        try {
            static_cast<void>(readFile(here() / "a", 99));
            QFAIL("it was read");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::format);
        }
        writeFileWhole(here() / "empty", "");
        QCOMPARE(readFile(here() / "empty", 0), std::string());
    }

    void onlyFilesAreRead() {
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readFile(here(), 100)));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readFile(here() / "none", 100)));
        QCOMPARE(mkfifo((here() / "pipe").c_str(), 0600), 0);
        try {
            static_cast<void>(readFile(here() / "pipe", 100));
            QFAIL("a pipe was read");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("pipe: is a pipe") != std::string::npos,
                     error.what());
        }
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(here())) {
            found.push_back(entry.path().filename().string());
        }
        return found;
    }

    static int inChild(const std::function<int()>& run) {
        const pid_t child = fork();
        if (child == 0) {
            _exit(run());
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestFiles() { return std::make_unique<TestFiles>(); }
#include "tst_files.moc"
