// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "base/process/environment.h"
#include "remote/agent/host_agent.h"
#include "remote/line/line_session.h"
#include "remote/mirror/mirror.h"
#include "remote/mirror/run_stream.h"
#include "written_run.h"
#include <weft/error.h>
#include <weft/runs.h>

#include <sys/socket.h>
#include <unistd.h>

#include <QDeadlineTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

using namespace weft;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

namespace {

std::array<FileHandle, 2> socketPair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        qFatal("no socket pair");
    }
    return {FileHandle(ends[0]), FileHandle(ends[1])};
}

/// A line of this process, whose other end answers.
class OwnLine {
public:
    /// `cutAfter`: bytes from there, behind which the line breaks.
    explicit OwnLine(const fs::path& runs,
                     std::size_t cutAfter = std::numeric_limits<std::size_t>::max())
        : left_(cutAfter) {
        auto [mine, theirs] = socketPair();
        FileHandle in(::dup(theirs.get()));
        hostAgent_ = std::thread([in = std::move(in), out = std::move(theirs)]() mutable {
            HostAgent(std::move(in), std::move(out)).serve();
        });
        auto [near, far] = socketPair();
        far_ = std::move(far);
        mine_ = std::move(mine);
        FileHandle nearIn(::dup(near.get()));
        pipe_ = std::make_unique<PacketPipe>(std::move(nearIn), std::move(near));
        pipe_->send(
            {.head = {{"ask", "greet"}, {"id", 0}, {"wire", 1}, {"folder", runs.string()}}});
    }
    ~OwnLine() {
        mine_ = FileHandle();
        hostAgent_.join();
    }
    OwnLine(const OwnLine&) = delete;
    OwnLine& operator=(const OwnLine&) = delete;

    void turn(LineSession& desk) {
        desk.send(*pipe_);
        pipe_->transfer(milliseconds(0));
        (void)pass(far_, mine_, 4096);
        const std::string came = pass(mine_, far_, std::min<std::size_t>(4096, left_));
        heard_ += came;
        left_ -= came.size();
        pipe_->transfer(milliseconds(came.empty() ? 5 : 0), {mine_.get(), far_.get()});
        while (const auto packet = pipe_->receive()) {
            desk.take(*packet, *pipe_);
        }
    }
    /// Bytes received from the other side.
    [[nodiscard]] const std::string& heard() const { return heard_; }
    [[nodiscard]] bool isCut() const { return left_ == 0; }

private:
    static std::string pass(const FileHandle& from, const FileHandle& to, std::size_t most) {
        std::string bytes(most, '\0');
        const ssize_t got = ::recv(from.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != std::ssize(bytes)) {
            qFatal("a line of this process takes no more");
        }
        return bytes;
    }

    std::size_t left_;
    std::string heard_;
    FileHandle mine_;
    FileHandle far_;
    std::thread hostAgent_;
    std::unique_ptr<PacketPipe> pipe_;
};

std::vector<Packet> packetsIn(const std::string& bytes) {
    PacketReader reader;
    reader.take(bytes);
    std::vector<Packet> packets;
    while (auto packet = reader.next()) {
        packets.push_back(std::move(*packet));
    }
    return packets;
}

/// Returns true if the copied part of the file is the beginning of the original.
bool isBeginningOf(const fs::path& run, const fs::path& copy) {
    constexpr std::size_t most = std::size_t{16} << 20U;
    const fs::recursive_directory_iterator files(copy);
    return std::all_of(begin(files), end(files), [&](const auto& entry) {
        const std::string path = entry.path().lexically_relative(copy).generic_string();
        return !mirroredFile(path) ||
               readFile(run / path, most).starts_with(readFile(entry.path(), most));
    });
}

} // namespace

class TestMirror : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        // Uses memory: whole files are synced, and thousands of them would be slow on a disk.
        const QString memory = QStringLiteral("/dev/shm");
        folder_ = QFileInfo(memory).isWritable()
                      ? std::make_unique<QTemporaryDir>(memory + "/weft-XXXXXX")
                      : std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", (folder_->path() + "/data").toUtf8());
        ::signal(SIGPIPE, SIG_IGN);
    }

    void aCopyGrowsAsItsRunDoes() {
        test::WrittenRun run(there());
        Mirror mirror = *Mirror::open(here(), "host", "run");
        RunStream stream(there(), job(), mirror.held(), true);
        for (int round = 0; round < 60; ++round) {
            // Spans outgrow their share and are thinned on the way.
            run.steps(1 + round % 50);
            if (round % 20 == 19) {
                run.beginAgain();
            }
            while (const auto part = stream.next()) {
                mirror.take(*part);
            }
            const std::string difference = test::differenceOf(there(), here());
            QVERIFY2(difference.empty(), difference.c_str());
        }
        QVERIFY(mirror.held().size() > 6);
    }

    void theDesignComesBeforeTheRunBegins() {
        fs::create_directories(job());
        std::ofstream(job() / "design.weft") << "{}";
        Mirror mirror = *Mirror::open(here(), "host", "run");
        RunStream stream(there(), job(), mirror.held(), true);
        const auto copied = [&] {
            while (const auto part = stream.next()) {
                mirror.take(*part);
            }
            std::ostringstream text;
            text << std::ifstream(here() / "design.weft").rdbuf();
            return text.str();
        };
        QCOMPARE(copied(), std::string("{}"));
        fs::create_directories(there());
        std::ofstream(there() / "design.weft") << "{\"weft\": 1}";
        QCOMPARE(copied(), std::string("{\"weft\": 1}"));
        QVERIFY(!stream.next());
    }

    void aReaderSeesTheSame() {
        test::WrittenRun run(there());
        run.steps(300);
        run.beginAgain();
        run.steps(20);
        run.end();
        copyAll();
        const Run original = openRun(there());
        const Run copied = openRun(here());
        QCOMPARE(copied.series.size(), original.series.size());
        QVERIFY(copied.series[0].values == original.series[0].values);
        QCOMPARE(copied.summary.lastStep, original.summary.lastStep);
        const Timeline a = readTimeline(there(), 0, 1000);
        const Timeline b = readTimeline(here(), 0, 1000);
        QVERIFY(!a.spans.empty());
        QCOMPARE(b.spans.size(), a.spans.size());
    }

    void aTornEndIsCutAndWhatIsAnothersBeginsAnew() {
        test::WrittenRun run(there());
        run.steps(400);
        copyAll();
        std::ofstream(here() / "events.0.weftlog", std::ios::app) << "half";
        std::ofstream(here() / "metrics.jsonl", std::ios::app) << "{\"st";
        fs::resize_file(here() / "spans.0/0001.weftlog", 100);
        std::ofstream(here() / "log.txt") << "another's\n";
        std::ofstream(there() / "log.txt") << "its own\n";
        run.steps(5);
        copyAll();
        const std::string difference = test::differenceOf(there(), here());
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void whatWasAskedForComesOverTheNextLine() {
        const test::WrittenRun run(there());
        writeFileWhole(there() / "checkpoints/step-1.safetensors", std::string(3'000'000, 'w'));
        LineSession desk(Host{.name = "host"});
        desk.follow("run", true);
        std::future<Json> answer = desk.ask(
            {{"ask", "fetch"}, {"run", "run"}, {"path", "checkpoints/step-1.safetensors"}});
        {
            auto [near, far] = socketPair();
            PacketPipe lost(std::move(near), std::move(far));
            desk.begin();
            desk.send(lost);
            desk.take({.head = {{"id", 1}}}, lost); // it is on its way, and the line breaks
            desk.lose("cut", 1);
        }
        QVERIFY(answer.wait_for(milliseconds(0)) == std::future_status::timeout);
        (void)heardOf(desk);
        QVERIFY(answer.wait_for(milliseconds(0)) == std::future_status::ready);
        QCOMPARE(fs::file_size(here() / "checkpoints/step-1.safetensors"), 3'000'000UL);
        auto refused = desk.ask({{"ask", "fetch"}, {"run", "run"}, {"path", "checkpoints/none"}});
        (void)heardOf(desk);
        QVERIFY_THROWS_EXCEPTION(Error, (void)refused.get());
    }

    void aFileComesWhereAnotherProcessMakesTheCopyGrow() {
        const test::WrittenRun run(there());
        const std::string path = "checkpoints/step-1.safetensors";
        writeFileWhole(there() / path, std::string(3'000'000, 'w'));
        LineSession desk(Host{.name = "host"});
        OwnLine line(there().parent_path());
        const auto fetched = [&] {
            auto answer = desk.ask({{"ask", "fetch"}, {"run", "run"}, {"path", path}});
            const QDeadlineTimer deadline(30'000);
            while (answer.wait_for(milliseconds(0)) != std::future_status::ready &&
                   !deadline.hasExpired()) {
                line.turn(desk);
            }
            return answer;
        };
        desk.begin();
        const auto maker = Mirror::open(here(), "host", "run");
        desk.follow("run", true);
        (void)fetched().get();
        QCOMPARE(fs::file_size(here() / path), 3'000'000UL);
        QVERIFY(fs::is_empty(here() / ".coming"));
        QVERIFY(!fs::exists(here() / "design.weft"));
        ComingFiles coming(here());
        QVERIFY_THROWS_EXCEPTION(
            Error, Mirror::takeRequested(here(), coming,
                                         {.path = "log.txt", .isReplacing = true, .bytes = "x"}));
    }

    void aFileThatGoesBeforeItComesIsRefused() {
        const test::WrittenRun run(there());
        const std::string path = "tensors/conv.npy";
        writeFileWhole(there() / path, "w");
        RunStream stream(there(), job(), {}, false);
        stream.ask(path);
        fs::remove(there() / path);
        const auto part = stream.nextAsked();
        QVERIFY(part && part->isGone);
        QVERIFY(!stream.nextAsked());
        LineSession desk(Host{.name = "host"});
        desk.follow("run", true);
        auto answer = desk.ask({{"ask", "fetch"}, {"run", "run"}, {"path", path}});
        auto [near, far] = socketPair();
        PacketPipe pipe(std::move(near), std::move(far));
        desk.take({.head = {{"part", "run"}, {"path", part->path}, {"gone", true}}}, pipe);
        QVERIFY(answer.wait_for(milliseconds(0)) == std::future_status::ready);
        QVERIFY_THROWS_EXCEPTION(Error, (void)answer.get());
    }

    void whatIsLeftGrowsNoMore() {
        test::WrittenRun run(there());
        run.steps(3);
        LineSession desk(Host{.name = "host"});
        OwnLine line(there().parent_path());
        const auto growsWhole = [&] {
            const QDeadlineTimer deadline(30'000);
            while (!desk.waitForAll("run", milliseconds(0)) && !deadline.hasExpired()) {
                line.turn(desk);
            }
            return test::differenceOf(there(), here()).empty();
        };
        desk.begin();
        desk.follow("run", true);
        QVERIFY(growsWhole());
        desk.leave("run");
        fs::remove_all(here());
        run.steps(5);
        const std::future<Json> answer = desk.ask({{"ask", "runs"}});
        const QDeadlineTimer deadline(30'000);
        while (answer.wait_for(milliseconds(0)) != std::future_status::ready &&
               !deadline.hasExpired()) {
            line.turn(desk);
        }
        QVERIFY(!fs::exists(here()));
        desk.follow("run", true);
        QVERIFY(growsWhole());
    }

    void whatNoRunHasIsRefused() {
        Mirror mirror = *Mirror::open(here(), "host", "run");
        for (const char* const path :
             {"../x", "/etc/x", "lock", "control/wish-1", "standing.0", "mirror.json",
              "tensors/../x", "checkpoints/", "checkpoints/.x", "checkpoints//x", "spans.0/../../x",
              "events..weftlog", "events.-1.weftlog", "spans.0/0.weftlog", "design.weft/x", "",
              "tensors/a\x1b[2J", "tensors"}) {
            QVERIFY_THROWS_EXCEPTION(Error, mirror.take({.path = path, .bytes = "x"}));
        }
        QVERIFY_THROWS_EXCEPTION(Error, mirror.take({.path = "events.0.weftlog", .offset = 7}));
        QVERIFY_THROWS_EXCEPTION(Error, mirror.take({.path = "design.weft", .isGone = true}));
        // A link in its own folder leads nowhere either.
        fs::create_symlink(there().parent_path() / "target", here() / "metrics.jsonl");
        QVERIFY_THROWS_EXCEPTION(Error, mirror.take({.path = "metrics.jsonl", .bytes = "x"}));
        QVERIFY(!fs::exists(there().parent_path() / "target"));
    }

    void oneProcessMakesItGrow() {
        const auto first = Mirror::open(here(), "host", "run");
        QVERIFY(first);
        QVERIFY(!Mirror::open(here(), "host", "run"));
    }

    void itsStateIsTheHostsWord() {
        test::WrittenRun run(there());
        run.steps(3);
        {
            Mirror mirror = *Mirror::open(here(), "host", "run");
            RunStream stream(there(), job(), mirror.held(), true);
            while (const auto part = stream.next()) {
                mirror.take(*part);
            }
            QCOMPARE(RunReader(here()).state(), RunState::unknown);
            mirror.setStatus({.host = "host",
                              .run = "run",
                              .state = RunState::living,
                              .attempt = 1,
                              .isUp = true});
            QCOMPARE(RunReader(here()).state(), RunState::living);
            QCOMPARE(summaryOf(here())->state, RunState::living);
        }
        QCOMPARE(RunReader(here()).state(), RunState::unknown);
        QVERIFY(!RunReader(here()).mayGrow());
        QVERIFY_THROWS_EXCEPTION(Error, (void)RunDirectory::reserve(here()));
    }

    /// At every byte of the first 64 KiB.
    void aLineThatIsCutBringsItsWholePackets() {
        test::WrittenRun run(there());
        run.steps(200);
        const std::string all = heardOfAll();
        QVERIFY(all.size() > (std::size_t{64} << 10U));
        const std::size_t packets = packetsIn(all).size();
        QVERIFY(packets > 6);
        std::size_t before = 0;
        PacketReader grows;
        for (std::size_t cut = 1; cut <= std::size_t{64} << 10U; ++cut) {
            grows.take({&all[cut - 1], 1});
            while (grows.next()) {
                ++before;
            }
            if (cut % 997 == 0) {
                QCOMPARE(packetsIn(all.substr(0, cut)).size(), before);
            }
        }
        QVERIFY(before <= packets);
    }

    /// Behind each of its packets, which is all that a cut can leave of them.
    void aLineThatIsCutGoesOnWhereItWas() {
        test::WrittenRun run(there());
        run.steps(200);
        const std::vector<Packet> packets = packetsIn(heardOfAll());
        auto [near, far] = socketPair();
        PacketPipe unused(std::move(near), std::move(far));
        // The second time the run has gone on meanwhile, and thinned its spans.
        for (std::size_t k = 0; k < 2 * packets.size() + 2; ++k) {
            const bool goesOn = k > packets.size();
            const std::size_t cut = goesOn ? k - packets.size() - 1 : k;
            fs::remove_all(here());
            LineSession desk(Host{.name = "host"});
            desk.follow("run", true);
            desk.begin();
            for (std::size_t come = 0; come < cut; ++come) {
                desk.take(packets[come], unused);
            }
            desk.lose("cut", 1);
            QVERIFY(goesOn || isBeginningOf(there(), here()));
            run.steps(goesOn ? 30 : 0);
            (void)heardOf(desk);
            const std::string difference = test::differenceOf(there(), here());
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    /// Lines that break after so many bytes, in the middle of whatever they carry.
    void linesThatBreakEarlyBringAllOfARun_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<bool>("isMaker");
        for (const int bytes : {1000, 8000, 40'000, 400'000}) {
            QTest::addRow("%d bytes", bytes) << bytes << true;
        }
        QTest::addRow("8000 bytes, of a file alone") << 8000 << false;
    }
    void linesThatBreakEarlyBringAllOfARun() {
        QFETCH(const int, bytes);
        QFETCH(const bool, isMaker);
        const auto each = static_cast<std::size_t>(bytes);
        test::WrittenRun run(there());
        run.steps(300);
        const std::string path = "checkpoints/step-1.safetensors";
        writeFileWhole(there() / "machine.json", randomText(7000));
        writeFileWhole(there() / path, randomText(20'000 + 10 * each));
        const auto maker = isMaker ? std::nullopt : Mirror::open(here(), "host", "run");
        LineSession desk(Host{.name = "host"});
        desk.follow("run", true);
        auto answer = desk.ask({{"ask", "fetch"}, {"run", "run"}, {"path", path}});
        std::size_t heard = 0;
        const auto hasAll = [&] {
            return desk.waitForAll("run", milliseconds(0)) &&
                   answer.wait_for(milliseconds(0)) == std::future_status::ready;
        };
        int lines = 0;
        while (!hasAll() && ++lines < 2000) {
            heard += heardOf(desk, hasAll, each).size();
            if (hasAll()) {
                break;
            }
            QVERIFY2(desk.lose("cut", 1), "a line brought nothing");
            QVERIFY(isBeginningOf(there(), here()));
            QVERIFY(!isMaker || openRun(here()).damagedBytes == 0);
        }
        QVERIFY(hasAll());
        answer.get();
        qInfo("%d lines, %zu bytes", lines, heard);
        QCOMPARE(bytesOf(here() / path), bytesOf(there() / path));
        const std::string difference = test::differenceOf(there(), here());
        QVERIFY2(!isMaker || difference.empty(), difference.c_str());
    }

    void aFileThatAnotherReplacedBeginsAnew() {
        const test::WrittenRun run(there());
        const std::string path = "checkpoints/step-1.safetensors";
        writeFileWhole(there() / path, std::string(30'000, 'a'));
        LineSession desk(Host{.name = "host"});
        desk.follow("run", true);
        auto answer = desk.ask({{"ask", "fetch"}, {"run", "run"}, {"path", path}});
        const auto hasCome = [&] {
            return answer.wait_for(milliseconds(0)) == std::future_status::ready;
        };
        (void)heardOf(desk, hasCome, 15'000);
        desk.lose("cut", 1);
        QVERIFY(!hasCome());
        writeFileWhole(there() / path, std::string(30'000, 'b'));
        (void)heardOf(desk, hasCome);
        QCOMPARE(bytesOf(here() / path), std::string(30'000, 'b'));
    }

    /// A line that brought nothing is left alone for longer than one that did.
    void aLineSaysWhetherItBroughtAnything() {
        test::WrittenRun run(there());
        run.steps(3);
        LineSession desk(Host{.name = "host"});
        desk.follow("run", true);
        const auto never = [] { return false; };
        (void)heardOf(desk, never, 60); // half a greeting
        QVERIFY(!desk.lose("cut", 1));
        (void)heardOf(desk);
        QVERIFY(desk.lose("cut", 1));
        QVERIFY(!desk.lose("refused", 1));
        (void)heardOf(desk); // it only says that nothing is new
        QVERIFY(!desk.lose("cut", 1));
    }

private:
    static std::string randomText(std::size_t size) {
        std::mt19937 draw(static_cast<unsigned>(size));
        std::string text(size, '\0');
        std::ranges::generate(text, [&] { return static_cast<char>(draw()); });
        return text;
    }
    static std::string bytesOf(const fs::path& file) {
        return readFile(file, std::size_t{16} << 20U);
    }
    /// All that comes over a line until it is cut.
    std::string heardOf(LineSession& desk, const std::function<bool()>& hasAll,
                        std::size_t cutAfter = std::numeric_limits<std::size_t>::max()) const {
        desk.begin();
        OwnLine line(there().parent_path(), cutAfter);
        const QDeadlineTimer deadline(30'000);
        while (!hasAll() && !line.isCut() && !deadline.hasExpired()) {
            line.turn(desk);
        }
        return line.heard();
    }
    /// All that comes over a line until the copy has all.
    std::string heardOf(LineSession& desk) const {
        return heardOf(desk, [&] { return desk.waitForAll("run", milliseconds(0)); });
    }
    /// Into a copy that had nothing.
    std::string heardOfAll() const {
        LineSession desk(Host{.name = "host"});
        desk.follow("run", true);
        return heardOf(desk);
    }
    [[nodiscard]] fs::path there() const { return fs::path(folder_->path().toStdString()) / "run"; }
    [[nodiscard]] fs::path job() const { return fs::path(folder_->path().toStdString()) / "job"; }
    [[nodiscard]] static fs::path here() { return mirrorFolder({"host", "run"}); }
    void copyAll() const {
        Mirror mirror = *Mirror::open(here(), "host", "run");
        RunStream stream(there(), job(), mirror.held(), true);
        while (const auto part = stream.next()) {
            mirror.take(*part);
        }
        MirrorStatus word = mirror.status();
        word.state = RunState::done;
        word.attempt = 2;
        mirror.setStatus(word);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestMirror() { return std::make_unique<TestMirror>(); }
#include "tst_mirror.moc"
