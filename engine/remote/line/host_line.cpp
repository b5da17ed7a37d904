// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"
#include "base/hash.h"
#include "base/process/threads.h"
#include "base/process/wall_clock.h"
#include "base/text/lenient_json.h"
#include "base/version.h"
#include "remote/agent/host_agent.h"
#include "remote/agent/host_survey.h"
#include "remote/agent/nodes_answer.h"
#include "remote/agent/summary_json.h"
#include "remote/jobs/file_store.h"
#include "remote/line/line_command.h"
#include "remote/line/line_process.h"
#include "remote/line/line_session.h"
#include "remote/line/reconnect_delay.h"
#include "remote/spawned.h"
#include <weft/remote.h>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <deque>
#include <fstream>
#include <random>
#include <span>
#include <utility>

namespace weft {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// Interval between signs of life; each end gives up after a longer silence of the other.
constexpr seconds quiet{5};
constexpr std::size_t longestInAPacket = std::size_t{64} << 10U;
constexpr seconds silence{15};
/// Returns a sender's name, with which a run recognises commands that it has executed already.
std::string newAsker() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

} // namespace

struct HostLine::State {
    State(Host host, LineOptions how) : host(std::move(host)), manner(how), desk(this->host) {}

    Host host;
    LineOptions manner;
    LineSession desk;
    std::string asker = newAsker();
    std::atomic<std::uint64_t> commands = 0;
    FileHandle wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    mutable std::mutex mutex = {};
    std::condition_variable changed = {};
    LineStatus word = {};
    Clock::time_point since = Clock::now(); ///< begin of the present state
    std::optional<Error> failure = {};      ///< why the connection was given up
    bool wasUp = false;
    std::jthread thread = {};

    void wakeUp() const {
        const std::uint64_t one = 1;
        static_cast<void>(::write(wake.get(), &one, sizeof(one)));
    }
    void say(LineState state, const std::string& why);
    void work(const std::stop_token& stop);
    void carry(const std::stop_token& stop);
    void greet(LineProcess& line, const std::stop_token& stop);
    void talk(LineProcess& line, const std::stop_token& stop);
    [[noreturn]] void throwEnded(LineProcess& line) const;
    void rest(const std::stop_token& stop, milliseconds limit) const;
    Json answerTo(Json head);
    std::string begin(const std::string& run, const std::vector<ExportedFile>& files,
                      const Json& more);
    /// Content that is sent only once; the host knows it by its hash.
    struct Content {
        std::string hash;
        std::int64_t size = 0;
        std::function<std::string(std::int64_t at, std::size_t length)> read;
    };
    using HasGone = std::function<void(std::int64_t bytes)>;
    void send(const Content& content, const HasGone& hasGone);
    std::string sendFile(const fs::path& file, const HasGone& hasGone);
    std::string sendText(const std::string& text);
};

void HostLine::State::say(LineState state, const std::string& why) {
    const std::scoped_lock lock(mutex);
    since = word.state == state ? since : Clock::now();
    word.state = state;
    word.why = why;
    wasUp = wasUp || state == LineState::up;
    changed.notify_all();
}

void HostLine::State::throwEnded(LineProcess& line) const {
    const int code = line.code();
    std::string said = lastLine(line.errorText());
    if (said.empty()) {
        said = lastLine(line.pipe().before());
    }
    Where where;
    where.host = host.name;
    if (code == 127) {
        throw Error(ErrorCode::peer, std::move(where),
                    fmt::format("the host has no program \"{}\"{}{}", host.program,
                                said.empty() ? "" : ": ", said),
                    fmt::format("install the engine: weft host install {0}; or name its program: "
                                "weft host add {0} --program ...",
                                host.name));
    }
    throw Error(ErrorCode::peer, std::move(where),
                said.empty()
                    ? fmt::format("the connection ended (\"{}\" with code {})", host.via, code)
                    : said,
                fmt::format("try the connection in a terminal: weft host check {}", host.name));
}

void HostLine::State::greet(LineProcess& line, const std::stop_token& stop) {
    const bool isAskedFor = manner.mayAsk && !wasUp;
    const Clock::time_point end = Clock::now() + (isAskedFor ? patienceWithPeople : silence);
    line.pipe().send({.head = {{"ask", "greet"},
                               {"id", 0},
                               {"folder", host.folder},
                               {"limit", host.bytesPerSecond}}});
    while (!stop.stop_requested()) {
        if (const auto packet = line.pipe().receive()) {
            if (const std::string refused = textAt(packet->head, "refused"); !refused.empty()) {
                throw refusalFrom(refused, host.name);
            }
            if (numberAt(packet->head, "wire", 0) != wireVersion) {
                Where where;
                where.host = host.name;
                throw Error(
                    ErrorCode::peer, std::move(where),
                    fmt::format("Weft {} of the host uses another protocol than {} of this machine",
                                printable(textAt(packet->head, "weft")), weftVersion()),
                    fmt::format("install this version on the host: weft host install {}",
                                host.name));
            }
            return;
        }
        if (line.pipe().hasEnded()) {
            throwEnded(line);
        }
        if (Clock::now() >= end) {
            Where where;
            where.host = host.name;
            const std::string said = lastLine(line.errorText());
            throw Error(
                ErrorCode::timeout, std::move(where),
                fmt::format("no answer within {} s{}{}", silence.count(), said.empty() ? "" : ": ",
                            said),
                fmt::format("try the connection in a terminal: weft host check {}", host.name));
        }
        line.pipe().transfer(milliseconds(200), {wake.get(), line.errorDescriptor()});
        static_cast<void>(line.errorText());
    }
}

void HostLine::State::talk(LineProcess& line, const std::stop_token& stop) {
    PacketPipe& pipe = line.pipe();
    Clock::time_point heard = Clock::now();
    Clock::time_point asked = heard;
    while (!stop.stop_requested()) {
        while (const auto packet = pipe.receive()) {
            desk.take(*packet, pipe);
        }
        if (pipe.hasEnded()) {
            throwEnded(line);
        }
        const Clock::time_point now = Clock::now();
        if (pipe.hasHeard()) {
            heard = now;
        }
        if (now - heard > silence) {
            Where where;
            where.host = host.name;
            throw Error(ErrorCode::timeout, std::move(where),
                        fmt::format("no message for {} s", silence.count()),
                        "check the network between this machine and the host");
        }
        if (now - asked > quiet) {
            asked = now;
            pipe.send({.head = {{"ask", "ping"}, {"id", 0}}});
        }
        desk.send(pipe);
        pipe.transfer(milliseconds(1000), {wake.get(), line.errorDescriptor()});
        std::uint64_t woken = 0;
        static_cast<void>(::read(wake.get(), &woken, sizeof(woken)));
        static_cast<void>(line.errorText());
    }
}

void HostLine::State::carry(const std::stop_token& stop) {
    const bool mayAsk = manner.mayAsk && !wasUp;
    LineProcess line(lineCommand(host, answerLine(host), mayAsk), !mayAsk);
    greet(line, stop);
    if (stop.stop_requested()) {
        return;
    }
    desk.begin();
    say(LineState::up, "");
    talk(line, stop);
}

void HostLine::State::rest(const std::stop_token& stop, milliseconds limit) const {
    const Clock::time_point end = Clock::now() + limit;
    while (!stop.stop_requested() && Clock::now() < end) {
        std::this_thread::sleep_for(milliseconds(50));
    }
}

void HostLine::State::work(const std::stop_token& stop) {
    // A broken connection must give an error instead of ending the program.
    sigset_t broken;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, nullptr);
    ReconnectDelay rests;
    milliseconds pause{};
    while (!stop.stop_requested()) {
        const bool wasUpBefore = wasUp;
        try {
            carry(stop);
            return;
        } catch (const std::exception&) {
            const Error why = namingHost(currentError(), host.name);
            const bool stoodLong =
                word.state == LineState::up && Clock::now() - since > ReconnectDelay::longest;
            say(LineState::lost, why.what());
            const bool hasReceived = desk.lose(why.what(), unixSeconds());
            // A connection that never came up is reported to the user; one that was up is opened
            // again.
            if (!manner.reconnects || (!wasUpBefore && !wasUp)) {
                desk.close(why);
                const std::scoped_lock lock(mutex);
                failure = why;
                changed.notify_all();
                return;
            }
            pause = rests.next(hasReceived || stoodLong);
        }
        rest(stop, pause);
    }
}

HostLine::HostLine(Host host, LineOptions manner)
    : state_(std::make_unique<State>(std::move(host), manner)) {
    state_->thread = startThread(
        "line", [state = state_.get()](const std::stop_token& stop) { state->work(stop); });
}

HostLine::~HostLine() {
    state_->thread.request_stop();
    state_->wakeUp();
    state_->thread.join();
}

const Host& HostLine::host() const { return state_->host; }

LineStatus HostLine::status() const {
    const std::scoped_lock lock(state_->mutex);
    LineStatus word = state_->word;
    word.isOver = state_->failure.has_value();
    word.stands = std::chrono::duration_cast<milliseconds>(Clock::now() - state_->since);
    return word;
}

void HostLine::waitUntilUp() {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock,
                         [&] { return state_->failure || state_->word.state == LineState::up; });
    if (state_->failure) {
        throw Error(*state_->failure);
    }
}

void HostLine::end() {
    state_->thread.request_stop();
    state_->wakeUp();
    const Error why(ErrorCode::stopped, Where{.host = state_->host.name},
                    "the connection was closed", "repeat the command");
    state_->desk.close(why);
    const std::scoped_lock lock(state_->mutex);
    state_->failure = why;
    state_->changed.notify_all();
}

Json HostLine::State::answerTo(Json head) {
    std::future<Json> answer = desk.ask(std::move(head));
    wakeUp();
    return answer.get();
}

HostReport HostLine::survey() {
    HostReport report;
    constexpr int pings = 8;
    for (int i = 0; i < pings; ++i) {
        const std::int64_t before = unixNanoseconds();
        const std::int64_t there = numberAt(state_->answerTo({{"ask", "ping"}}), "time", 0);
        const std::int64_t trip = unixNanoseconds() - before;
        if (i == 0 || trip < report.roundTrip.count) {
            report.roundTrip = {trip};
            report.clockAhead = {there - (before + trip / 2)};
            report.clockError = {trip / 2};
        }
    }
    const Json survey =
        state_->answerTo({{"ask", "survey"}, {"partition", state_->host.partition}});
    const HostReport said = hostReportFrom(survey.at("survey"));
    const HostReport measured = std::exchange(report, said);
    report.roundTrip = measured.roundTrip;
    report.clockAhead = measured.clockAhead;
    report.clockError = measured.clockError;
    return report;
}

HostReport HostLine::askNodes(const std::function<bool(const std::string& waits)>& heard) {
    constexpr milliseconds betweenLooks{500};
    constexpr seconds untilSeen{60}; // for a file that another machine has written over a network
    const Where where{.host = state_->host.name};
    if (state_->host.start != JobStart::slurm) {
        throw Error(
            ErrorCode::usage, where, "jobs on this host run without a queue, on the host itself",
            "leave --nodes out, or use the queue: weft host add " + where.host + " --start slurm");
    }
    const HostReport before = survey();
    const SlurmPartition* const asked = partitionOfJobs(state_->host.partition, before.partitions);
    if (asked == nullptr) {
        throw Error(ErrorCode::device, where, "Slurm on the host has no matching partition",
                    "see the partitions: weft host check " + where.host);
    }
    static_cast<void>(state_->begin(asked->name, {nodesScript(*asked, state_->host.account)},
                                    {{"ask", "ask_nodes"}}));
    std::optional<Clock::time_point> over;
    while (true) {
        const Json word = state_->answerTo({{"ask", "nodes"}, {"run", asked->name}});
        const Clock::time_point now = Clock::now();
        if (flagAt(word, "is_over", false)) {
            HostReport report = survey();
            over = over.value_or(now);
            if (report.nodes || now - *over > untilSeen) {
                return report;
            }
        }
        if (heard && !heard(printable(textAt(word, "waits")))) {
            throw Error(ErrorCode::stopped, where,
                        "the query of its nodes has not been answered yet",
                        "weft host check " + where.host + " prints the answer when it has arrived");
        }
        std::this_thread::sleep_for(betweenLooks);
    }
}

std::vector<RunSummary> HostLine::runs() {
    const Json answer = state_->answerTo({{"ask", "runs"}});
    std::vector<RunSummary> runs;
    for (const Json& said : answer.at("list")) {
        RunSummary run = summaryFrom(said, state_->host.name);
        if (!run.folder.empty()) {
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

std::filesystem::path HostLine::follow(const std::string& run, bool withSpans) {
    std::filesystem::path folder = state_->desk.follow(run, withSpans);
    state_->wakeUp();
    return folder;
}

void HostLine::leave(const std::string& run) {
    state_->desk.leave(run);
    state_->wakeUp();
}

void HostLine::waitForAll(const std::string& run) {
    while (!state_->desk.waitForAll(run, seconds(1))) {
    }
}

std::vector<RemoteFile> HostLine::files(const std::string& run) {
    const Json answer = state_->answerTo({{"ask", "files"}, {"run", run}});
    std::vector<RemoteFile> files;
    for (const Json& said : answer.at("list")) {
        RemoteFile file{textAt(said, "path"), {numberAt(said, "bytes", 0)}};
        const auto known = mirroredFile(file.path);
        if (known && known->growth == FileGrowth::asked) {
            files.push_back(std::move(file));
        }
    }
    return files;
}

std::filesystem::path HostLine::fetch(const std::string& run, const std::string& path) {
    const fs::path folder = mirrorFolder({state_->host.name, run});
    if (!copyOf(folder)) {
        throw Error(ErrorCode::usage, Where{.file = folder.string()}, "is not a copy of a run",
                    "follow the run first, with weft attach");
    }
    static_cast<void>(state_->answerTo({{"ask", "fetch"}, {"run", run}, {"path", path}}));
    return folder / path;
}

void HostLine::State::send(const Content& content, const HasGone& hasGone) {
    constexpr std::int64_t piece = std::int64_t{512} << 10U;
    // Requests in flight, so that high latency does not limit the rate.
    constexpr std::size_t together = 8;
    const std::int64_t size = content.size;
    const auto put = [&](std::int64_t at, std::string bytes) {
        std::future<Json> answer =
            desk.ask({{"ask", "put"}, {"hash", content.hash}, {"at", at}, {"total", size}},
                     std::move(bytes));
        wakeUp();
        return answer;
    };
    Json held = answerTo({{"ask", "put"}, {"hash", content.hash}, {"asks", true}});
    std::int64_t at = std::min(size, numberAt(held, "bytes", 0));
    hasGone(at);
    std::deque<std::future<Json>> answers;
    while (!flagAt(held, "whole", false)) {
        while (at < size && answers.size() < together) {
            const std::int64_t length = std::min(piece, size - at);
            answers.push_back(put(at, content.read(at, static_cast<std::size_t>(length))));
            at += length;
            hasGone(length);
        }
        if (answers.empty()) {
            answers.push_back(put(size, {})); // everything is there and is being hashed
        }
        held = answers.front().get();
        answers.pop_front();
    }
    for (std::future<Json>& answer : answers) {
        answer.wait();
    }
}

/// Returns the file's hash.
std::string HostLine::State::sendFile(const fs::path& file, const HasGone& hasGone) {
    std::ifstream in(file, std::ios::binary);
    Content content{fileHash(file), static_cast<std::int64_t>(fs::file_size(file)),
                    [&](std::int64_t at, std::size_t length) {
                        std::string bytes(length, '\0');
                        in.seekg(at);
                        if (!in.read(bytes.data(), static_cast<std::streamsize>(length))) {
                            throwFileError(file, "read", EIO);
                        }
                        return bytes;
                    }};
    send(content, hasGone);
    return std::move(content.hash);
}

std::string HostLine::State::sendText(const std::string& text) {
    Hash128Stream stream;
    stream.take(std::as_bytes(std::span(text)));
    Content content{hexText(stream.value()), std::ssize(text),
                    [&](std::int64_t at, std::size_t length) {
                        return text.substr(static_cast<std::size_t>(at), length);
                    }};
    send(content, [](std::int64_t) {});
    return std::move(content.hash);
}

std::string HostLine::State::begin(const std::string& run, const std::vector<ExportedFile>& files,
                                   const Json& more) {
    Json order{{"ask", "start"},
               {"run", run},
               {"key", fmt::format("{}-{}", asker, ++commands)},
               {"start", nameOf(host.start)},
               {"files", Json::array()},
               {"stored", Json::array()}};
    order.update(more);
    for (const ExportedFile& file : files) {
        // Scripts fit in a packet; a design may be of any length.
        if (file.text.size() > longestInAPacket && !file.isExecutable) {
            order["stored"].push_back({{"name", file.name}, {"hash", sendText(file.text)}});
        } else {
            order["files"].push_back(
                {{"name", file.name}, {"text", file.text}, {"executable", file.isExecutable}});
        }
    }
    return textAt(answerTo(std::move(order)), "run");
}

std::string HostLine::start(const std::string& run, const RemoteJob& job,
                            const std::function<bool(Bytes sent, Bytes all)>& progress) {
    const Bytes all = job.bytesSent();
    Bytes sent;
    const auto hasGone = [&](std::int64_t bytes) {
        sent.count += bytes;
        if (progress && !progress(sent, all)) {
            throw Error(ErrorCode::stopped, {}, "sending was stopped",
                        "send again: files that have arrived are kept");
        }
    };
    Json stored = Json::array();
    for (const DataFile& file : job.sent) {
        stored.push_back({{"name", file.name}, {"hash", state_->sendFile(file.path, hasGone)}});
    }
    return state_->begin(run, job.files, {{"stored", std::move(stored)}});
}

void HostLine::resume(const std::string& run, const std::vector<ExportedFile>& files,
                      bool isAsBefore) {
    static_cast<void>(state_->begin(run, files, {{"goes_on", true}, {"as_before", isAsBefore}}));
    state_->desk.markIncomplete(run);
    state_->wakeUp();
}

void HostLine::checkData(const std::string& design, const std::string& folder) {
    static_cast<void>(state_->answerTo(
        {{"ask", "look"}, {"hash", state_->sendText(design)}, {"folder", folder}}));
}

void HostLine::cancel(const std::string& run) {
    static_cast<void>(state_->answerTo({{"ask", "cancel"}, {"run", run}}));
}

void HostLine::sendCommand(const std::string& run, std::string_view command,
                           const std::string& layer) {
    static_cast<void>(state_->answerTo({{"ask", "tell"},
                                        {"run", run},
                                        {"wish", command},
                                        {"layer", layer},
                                        {"asker", state_->asker},
                                        {"number", ++state_->commands}}));
}

void serveLine() {
    ::signal(SIGPIPE, SIG_IGN);
    HostAgent hostAgent(FileHandle(::dup(STDIN_FILENO)), FileHandle(::dup(STDOUT_FILENO)));
    hostAgent.serve();
}

} // namespace weft
