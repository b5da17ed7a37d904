// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "remote/jobs/file_store.h"
#include "support/refusal.h"
#include <weft/error.h>

#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <memory>
#include <string>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

class TestFileStore : public QObject {
    Q_OBJECT

    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }
    [[nodiscard]] fs::path runs() const { return here() / "runs"; }
    [[nodiscard]] fs::path stored(const std::string& hash) const {
        return runs() / ".files" / hash;
    }
    /// Returns the hash of a file that the other side has to send.
    std::string hashOf(const std::string& text) const {
        writeFileWhole(here() / "theirs", text);
        return fileHash(here() / "theirs");
    }
    static std::string someText(std::size_t size) {
        std::string text(size, '\0');
        for (std::size_t i = 0; i < size; ++i) {
            text[i] = static_cast<char>(i * i % 251);
        }
        return text;
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aFileComesInPiecesAndIsPlaced() {
        const std::string text = someText(10'000);
        const std::string hash = hashOf(text);
        FileStore store(runs());
        QVERIFY(store.held(hash) == StoredBytes{});
        QVERIFY(store.put(hash, 0, text.substr(0, 6000), text.size()) ==
                (StoredBytes{6000, false}));
        QVERIFY_THROWS_EXCEPTION(Error, store.linkFile(hash, here() / "early"));
        QVERIFY(store.put(hash, 6000, text.substr(6000), text.size()) ==
                (StoredBytes{text.size(), true}));
        QVERIFY(store.held(hash) == (StoredBytes{text.size(), true}));
        store.linkFile(hash, here() / "data");
        QCOMPARE(readFile(here() / "data", 20'000), text);
        // For reading: what a job has is what the next job gets.
        QCOMPARE(fs::status(here() / "data").permissions() & fs::perms::owner_write,
                 fs::perms::none);
        QVERIFY_THROWS_EXCEPTION(Error, store.linkFile(hash, here() / "data"));
        // Sent again, nothing is written.
        QVERIFY(store.put(hash, 0, "x", text.size()) == (StoredBytes{text.size(), true}));
        QCOMPARE(readFile(stored(hash), 20'000), text);
    }

    void anEmptyFileIsOneToo() {
        const std::string hash = hashOf("");
        FileStore store(runs());
        QVERIFY(store.put(hash, 0, "", 0) == (StoredBytes{0, true}));
        store.linkFile(hash, here() / "empty");
        QCOMPARE(fs::file_size(here() / "empty"), std::uintmax_t{0});
    }

    /// A line that broke off, then another process at this end.
    void goesOnWhereItWasBrokenOff() {
        const std::string text = someText(9'000);
        const std::string hash = hashOf(text);
        FileStore(runs()).put(hash, 0, text.substr(0, 4000), text.size());
        FileStore store(runs());
        QVERIFY(store.held(hash) == (StoredBytes{4000, false}));
        // Bytes that arrive twice are not stored again.
        QVERIFY(store.put(hash, 3000, text.substr(3000, 2000), text.size()) ==
                (StoredBytes{5000, false}));
        QVERIFY(store.put(hash, 0, text.substr(0, 100), text.size()) == (StoredBytes{5000, false}));
        QVERIFY(store.put(hash, 5000, text.substr(5000), text.size()).isWhole);
        QCOMPARE(readFile(stored(hash), 20'000), text);
    }

    void twoMaySendTheSameFileAtOnce() {
        const std::string text = someText(8'000);
        const std::string hash = hashOf(text);
        FileStore one(runs());
        FileStore other(runs());
        one.put(hash, 0, text.substr(0, 5000), text.size());
        other.put(hash, 0, text.substr(0, 6000), text.size());
        QVERIFY(one.put(hash, 5000, text.substr(5000), text.size()).isWhole);
        QVERIFY(other.put(hash, 6000, text.substr(6000), text.size()).isWhole);
        QCOMPARE(readFile(stored(hash), 20'000), text);
    }

    /// Nobody is kept waiting while much is looked through.
    void muchIsLookedThroughPieceByPiece() {
        const fs::path large = here() / "large";
        writeFileWhole(large, "");
        constexpr std::uint64_t size = std::uint64_t{150} << 20U;
        fs::resize_file(large, size);
        const std::string hash = fileHash(large);
        fs::create_directories(runs() / ".files");
        fs::rename(large, stored(hash).string() + ".part");
        FileStore store(runs());
        int calls = 1;
        while (!store.put(hash, size, "", size).isWhole && calls < 10) {
            ++calls;
        }
        QCOMPARE(calls, 3);
    }

    void whatIsNotWhatItsHashSaysIsRefused_data() {
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("other bytes") << QByteArray("abcdefgX");
        QTest::newRow("too few") << QByteArray("abcdefg");
        QTest::newRow("too many") << QByteArray("abcdefghi");
    }
    void whatIsNotWhatItsHashSaysIsRefused() {
        QFETCH(const QByteArray, sent);
        const std::string hash = hashOf("abcdefgh");
        const std::string text = sent.toStdString();
        FileStore store(runs());
        QCOMPARE(codeOf([&] { store.put(hash, 0, text, text.size()); }), ErrorCode::format);
        QVERIFY(store.held(hash) == StoredBytes{});
        QVERIFY(store.put(hash, 0, "abcdefgh", 8).isWhole);
    }

    void aPieceThatDoesNotGoOnIsRefused() {
        const std::string hash = hashOf("abcdefgh");
        FileStore store(runs());
        store.put(hash, 0, "abcd", 8);
        constexpr std::uint64_t most = ~std::uint64_t{0};
        for (const auto& [offset, total] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                 {5, 8}, {most, most}, {4, 4}, {0, 0}, {most, 8}}) {
            QCOMPARE(codeOf([&] { store.put(hash, offset, "ef", total); }), ErrorCode::usage);
        }
        QVERIFY(store.put(hash, 4, "efgh", 8).isWhole);
    }

    void whatHasNoRoomIsRefusedBeforeItsFirstByte() {
        const std::string hash = hashOf("abcdefgh");
        FileStore store(runs());
        QCOMPARE(codeOf([&] { store.put(hash, 0, "ab", std::uint64_t{1} << 60U); }),
                 ErrorCode::file);
        QVERIFY(store.held(hash) == StoredBytes{});
    }

    void aNameIsAHashAndLeadsNowhere() {
        FileStore store(runs());
        const std::string digits = hashOf("abc");
        for (const std::string& name :
             {std::string(), std::string("../../theirs"), digits.substr(1), digits + "0",
              "/" + digits.substr(1), std::string(32, 'G'), digits.substr(2) + "\n\n"}) {
            QCOMPARE(codeOf([&] { (void)store.held(name); }), ErrorCode::usage);
            QCOMPARE(codeOf([&] { store.put(name, 0, "abc", 3); }), ErrorCode::usage);
            QCOMPARE(codeOf([&] { store.linkFile(name, here() / "x"); }), ErrorCode::usage);
        }
    }

    void aLinkIsNotFollowed() {
        const std::string hash = hashOf("abc");
        writeFileWhole(here() / "outside", "untouched");
        fs::create_directories(runs() / ".files");
        for (const std::string& name : {hash, hash + ".part"}) {
            fs::create_symlink(here() / "outside", runs() / ".files" / name);
            FileStore store(runs());
            QVERIFY(store.held(hash) == StoredBytes{});
            if (name == hash) {
                QCOMPARE(codeOf([&] { store.linkFile(hash, here() / "x"); }), ErrorCode::usage);
            } else {
                QCOMPARE(codeOf([&] { store.put(hash, 0, "abc", 3); }), ErrorCode::file);
            }
            fs::remove(runs() / ".files" / name);
        }
        fs::remove(runs() / ".files");
        fs::create_directory(here() / "elsewhere");
        fs::create_directory_symlink(here() / "elsewhere", runs() / ".files");
        QCOMPARE(codeOf([&] { FileStore(runs()).put(hash, 0, "abc", 3); }), ErrorCode::file);
        QVERIFY(fs::is_empty(here() / "elsewhere"));
        QCOMPARE(readFile(here() / "outside", 100), std::string("untouched"));
    }

    void whatNobodyWantsGoes() {
        FileStore store(runs());
        const auto sent = [&](const std::string& text, std::size_t bytes) {
            const std::string hash = hashOf(text);
            store.put(hash, 0, text.substr(0, bytes), text.size());
            return hash;
        };
        const std::string placed = sent("placed", 6);
        store.linkFile(placed, here() / "data");
        const std::string asked = sent("asked for", 9);
        const std::string old = sent("old", 3);
        const std::string broken = sent("broken off", 4);
        for (const auto& entry : fs::directory_iterator(runs() / ".files")) {
            const timespec times[] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
            QCOMPARE(utimensat(AT_FDCWD, entry.path().c_str(), times, 0), 0);
        }
        QVERIFY(store.held(asked).isWhole);
        store.prune(std::chrono::hours(24));
        QVERIFY(fs::exists(stored(placed)) && fs::exists(stored(asked)));
        QVERIFY(!fs::exists(stored(old)));
        QVERIFY(store.held(broken) == StoredBytes{});
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestFileStore() { return std::make_unique<TestFileStore>(); }
#include "tst_file_store.moc"
