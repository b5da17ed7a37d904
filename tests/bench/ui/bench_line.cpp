// SPDX-License-Identifier: Apache-2.0
// Cost of watching a run on another host, which is this machine through a shell. Prints lines of
// JSON: the time from an event of the run to its dot in the window, over a connection with added
// latency; how fast a copy catches up; the load of the remote end while nothing happens; and the
// cost of being watched for the run, in pairs.
//
// usage: bench_line WEFT DESIGN [PAIRS [dots | idle | catch-up | watched]]
//        bench_line --relay MILLISECONDS PROGRAM ...   carries what PROGRAM reads and says, later
#include "monitor/monitor_view.h"
#include "runs/run_hub.h"
#include "theme/look.h"
#include "ui/runs/run_writer.h"
#include <weft/remote.h>
#include <weft/runs.h>

#include <sys/wait.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace weft::ui {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int delay = 50;
constexpr int patience = 60'000;

/// False: it did not come to be.
bool goOnUntil(const std::function<bool()>& isSo) {
    QElapsedTimer clock;
    clock.start();
    while (!isSo() && clock.elapsed() < patience) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return isSo();
}

void goOnFor(int time) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < time) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, time);
    }
}

/// Carries bytes from one descriptor to another, each so much later.
class LateCopy {
public:
    LateCopy(int from, int to, milliseconds late) : from_(from), to_(to), late_(late) {}
    ~LateCopy() {
        reader_.join();
        writer_.join();
    }

private:
    struct Piece {
        Clock::time_point due;
        std::string bytes; ///< none: it is over
    };
    void read() {
        std::array<char, 1U << 16U> bytes{};
        ssize_t got = 1;
        while (got > 0) {
            got = ::read(from_, bytes.data(), bytes.size());
            const std::scoped_lock lock(mutex_);
            pieces_.push_back(
                {Clock::now() + late_,
                 std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)))});
            come_.notify_one();
        }
    }
    void write() {
        for (;;) {
            Piece piece;
            {
                std::unique_lock lock(mutex_);
                come_.wait(lock, [this] { return !pieces_.empty(); });
                piece = std::move(pieces_.front());
                pieces_.pop_front();
            }
            std::this_thread::sleep_until(piece.due);
            std::size_t done = 0;
            while (done < piece.bytes.size()) {
                const ssize_t put =
                    ::write(to_, piece.bytes.data() + done, piece.bytes.size() - done);
                if (put <= 0) {
                    break;
                }
                done += static_cast<std::size_t>(put);
            }
            if (piece.bytes.empty() || done < piece.bytes.size()) {
                ::close(to_);
                return;
            }
        }
    }

    int from_;
    int to_;
    milliseconds late_;
    std::mutex mutex_;
    std::condition_variable come_;
    std::deque<Piece> pieces_;
    std::thread reader_{[this] { read(); }};
    std::thread writer_{[this] { write(); }};
};

int relay(int late, char** words) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0) {
        return 1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(in[0], STDIN_FILENO);
        ::dup2(out[1], STDOUT_FILENO);
        for (const int each : {in[0], in[1], out[0], out[1]}) {
            ::close(each);
        }
        ::execvp(words[0], words);
        _exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    {
        const LateCopy there(STDIN_FILENO, in[1], milliseconds(late));
        const LateCopy back(out[0], STDOUT_FILENO, milliseconds(late));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

void print(const char* row, const char* unit, double value, const std::string& more = {}) {
    std::printf("{\"bench\": \"line\", \"row\": \"%s\", \"value\": %.4g, \"unit\": \"%s\"%s}\n",
                row, value, unit, more.c_str());
    std::fflush(stdout);
}

struct Place {
    QTemporaryDir folder;
    std::string weft;
    std::string self;
    [[nodiscard]] std::filesystem::path there(const char* run) const {
        return std::filesystem::path(folder.path().toStdString()) / "there" / run;
    }
    [[nodiscard]] Host host(int late) const {
        Host host;
        host.name = "bench";
        host.via =
            late == 0 ? "sh -c" : "'" + self + "' --relay " + std::to_string(late) + " sh -c";
        host.folder = there("").string();
        host.program = weft;
        return host;
    }
};

/// Hears when something is painted.
class Painted : public QObject {
public:
    Painted() { qApp->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        count += event->type() == QEvent::Paint && watched->isWidgetType() ? 1 : 0;
        return false;
    }
};

void timeDots(const Place& place, Look& look) {
    test::RunWriter run(place.there("dots"));
    run.step(1, {{"loss", 1.0}});
    HostLine line(place.host(delay), {.reconnects = true});
    line.waitUntilUp();
    const std::filesystem::path copy = line.follow("dots");
    line.waitForAll("dots");
    RunHub hub;
    MonitorView view(look, hub);
    view.resize(900, 500);
    view.show();
    hub.open(QString::fromStdString(copy.string()));
    Painted painted;
    std::vector<double> times;
    constexpr int dots = 60;
    for (std::int64_t step = 2; step < 2 + dots; ++step) {
        // Nothing of it falls in with a beat of the log, the copy or the window.
        goOnFor(83 + static_cast<int>(step * 37 % 100));
        QElapsedTimer clock;
        clock.start();
        run.step(step, {{"loss", 1.0 / static_cast<double>(step)}});
        int before = -1;
        const bool isSeen = goOnUntil([&] {
            before = before < 0 && hub.lastStep() >= step ? painted.count : before;
            return before >= 0 && painted.count > before;
        });
        if (!isSeen) {
            std::fprintf(stderr, "step %lld was not drawn\n", static_cast<long long>(step));
            return;
        }
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    std::ranges::sort(times);
    print("from an event there to its dot, each way 50 ms late", "ms", times[dots * 95 / 100],
          ", \"median\": " + std::to_string(static_cast<int>(times[dots / 2])));
}

/// Returns user plus system time in seconds; negative if the process is gone.
double processorTime(int process) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly)) {
        return -1;
    }
    const QList<QByteArray> words = file.readAll().split(')').back().simplified().split(' ');
    return (words.value(11).toDouble() + words.value(12).toDouble()) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// Those of this program, by their name.
std::vector<int> descendants(const QByteArray& name) {
    std::vector<int> found;
    std::map<int, int> parents;
    std::vector<int> named;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file("/proc/" + entry + "/stat");
        if (entry.toInt() > 0 && file.open(QIODevice::ReadOnly)) {
            const QByteArray stat = file.readAll();
            parents[entry.toInt()] =
                stat.split(')').back().simplified().split(' ').value(1).toInt();
            if (stat.contains('(' + name + ')')) {
                named.push_back(entry.toInt());
            }
        }
    }
    for (const int each : named) {
        int above = each;
        while (above > 1 && above != ::getpid()) {
            above = parents[above];
        }
        if (above == ::getpid()) {
            found.push_back(each);
        }
    }
    return found;
}

void timeIdling(const Place& place) {
    const test::RunWriter run(place.there("idle"));
    HostLine line(place.host(0));
    line.waitUntilUp();
    (void)line.follow("idle");
    line.waitForAll("idle");
    const std::vector<int> hostAgents = descendants("weft");
    if (hostAgents.size() != 1) {
        std::fprintf(stderr, "%zu answerers\n", hostAgents.size());
        return;
    }
    const double before = processorTime(hostAgents.front());
    constexpr int seconds = 30;
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    print("the other end while a run that is followed does nothing", "percent of a core",
          100 * (processorTime(hostAgents.front()) - before) / seconds);
}

double megabytesIn(const std::filesystem::path& folder) {
    double bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        bytes += entry.is_regular_file() ? static_cast<double>(entry.file_size()) : 0;
    }
    return bytes / 1e6;
}

void timeCatchingUp(const Place& place) {
    constexpr std::int64_t steps = 1'000'000;
    {
        test::RunWriter run(place.there("long"));
        for (std::int64_t step = 1; step <= steps; ++step) {
            run.step(step, {{"loss", 1.0 / static_cast<double>(step)}, {"accuracy", 0.5}});
            if (step % 1000 == 0) {
                run.flush();
            }
        }
        run.finish(steps);
    }
    ::sync(); // else what is synced of the copy waits for what was just written of the run
    HostLine line(place.host(0));
    line.waitUntilUp();
    QElapsedTimer clock;
    clock.start();
    const std::filesystem::path copy = line.follow("long");
    line.waitForAll("long");
    const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    const double megabytes = megabytesIn(copy);
    print("catching up with a run of 1,000,000 steps", "MB a second", megabytes / seconds,
          ", \"MB\": " + std::to_string(megabytes));
}

/// Its median step, in seconds; below 0: it failed.
double stepOf(const Place& place, const QString& design, const char* name, bool isWatched) {
    const std::filesystem::path run = place.there(name);
    std::filesystem::remove_all(run);
    QProcess weft;
    weft.setStandardOutputFile(QProcess::nullDevice());
    weft.start(QString::fromStdString(place.weft),
               {"run", design, "--run", QString::fromStdString(run.string()), "--devices", "cpu:0",
                "--set", "training.steps=1000", "--set", "training.epochs=0", "--set",
                "training.evaluate_every=1000"});
    {
        std::unique_ptr<HostLine> line;
        if (isWatched) {
            while (!std::filesystem::exists(run / "lock") && weft.state() != QProcess::NotRunning) {
                goOnFor(5);
            }
            line = std::make_unique<HostLine>(place.host(0));
            line->waitUntilUp();
            (void)line->follow(name);
        }
        weft.waitForFinished(-1);
    }
    const auto summary = summaryOf(run);
    return weft.exitCode() == 0 && summary
               ? static_cast<double>(figuresOf(*summary).step.count) / 1e9
               : -1;
}

void timeBeingWatched(const Place& place, const QString& design, int pairs) {
    std::vector<double> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
        const bool isFirst = pair % 2 == 0;
        const double one = stepOf(place, design, "one", isFirst);
        const double other = stepOf(place, design, "other", !isFirst);
        if (one <= 0 || other <= 0) {
            std::fputs("a run failed\n", stderr);
            return;
        }
        ratios.push_back(isFirst ? one / other : other / one);
    }
    std::ranges::sort(ratios);
    print("a step that is watched over one that is not", "ratio", ratios[ratios.size() / 2],
          ", \"least\": " + std::to_string(ratios.front()) + ", \"most\": " +
              std::to_string(ratios.back()) + ", \"pairs\": " + std::to_string(pairs));
}

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    using namespace weft::ui;
    if (argc > 3 && std::string_view(argv[1]) == "--relay") {
        return relay(std::atoi(argv[2]), argv + 3);
    }
    if (argc < 3) {
        std::fputs("usage: bench_line WEFT DESIGN [PAIRS [dots | idle | catch-up | watched]]\n",
                   stderr);
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Look look;
    look.applyLook(application);
    Place place;
    place.weft = std::filesystem::absolute(argv[1]).string();
    place.self = QCoreApplication::applicationFilePath().toStdString();
    qputenv("XDG_DATA_HOME", place.folder.filePath("data").toUtf8());
    qputenv("XDG_CONFIG_HOME", place.folder.filePath("config").toUtf8());
    QDir(place.folder.path()).mkpath("there");
    const std::string_view only = argc > 4 ? argv[4] : "";
    const auto isWanted = [&](std::string_view name) { return only.empty() || only == name; };
    if (isWanted("dots")) {
        timeDots(place, look);
    }
    if (isWanted("idle")) {
        timeIdling(place);
    }
    if (isWanted("catch-up")) {
        timeCatchingUp(place);
    }
    if (isWanted("watched")) {
        timeBeingWatched(place, QString::fromUtf8(argv[2]), argc > 3 ? std::atoi(argv[3]) : 10);
    }
    return 0;
}
