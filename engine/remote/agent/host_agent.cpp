// SPDX-License-Identifier: Apache-2.0
#include "remote/agent/host_agent.h"

#include "base/failure_text.h"
#include "base/process/environment.h"
#include "base/process/threads.h"
#include "base/process/wall_clock.h"
#include "base/text/lenient_json.h"
#include "base/version.h"
#include "data/open.h"
#include "data/source_kind.h"
#include "events/run_directory.h"
#include "remote/agent/host_survey.h"
#include "remote/agent/nodes_answer.h"
#include "remote/agent/summary_json.h"
#include "remote/jobs/job_files.h"
#include "remote/plain_names.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/launch.h>
#include <weft/session.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <utility>

namespace weft {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

/// Largest amount of queued data, so that urgent data need not wait for long.
constexpr std::size_t mostAhead = std::size_t{128} << 10U;
/// Interval between looks at a live run. Other hosts' writes cause no notifications, and a look at
/// a local folder takes some hundred microseconds.
constexpr milliseconds lookAgain{100};
/// Interval for a run that has ended, which may be resumed.
constexpr milliseconds lookForMore{1000};
constexpr std::size_t entriesInAPacket = 200;
/// Bytes of a file in one packet.
constexpr std::size_t largestPart = std::size_t{1} << 20U;
/// The other end sends something every few seconds. After this time without data it is considered
/// gone.
constexpr std::chrono::seconds silenceOfCallers{60};
/// After this time, files without a job and jobs without a run are removed.
constexpr std::chrono::hours unusedFiles{24 * 7};

std::vector<HeldFile> heldFrom(const Json& head) {
    std::vector<HeldFile> held;
    const auto said = head.find("held");
    if (said != head.end() && said->is_array()) {
        for (const Json& one : *said) {
            const std::int64_t bytes = std::max<std::int64_t>(0, numberAt(one, "bytes", 0));
            const std::int64_t whole = numberAt(one, "whole", bytes);
            held.push_back(
                {.path = textAt(one, "path"),
                 .bytes = static_cast<std::uint64_t>(bytes),
                 .tail = std::strtoull(textAt(one, "tail").c_str(), nullptr, 16),
                 .whole = static_cast<std::uint64_t>(std::clamp<std::int64_t>(whole, 0, bytes)),
                 .version = std::strtoull(textAt(one, "version").c_str(), nullptr, 16)});
        }
    }
    return held;
}

/// Describes a job that has not become a run yet.
std::string queueText(const JobStatus& job) {
    std::string text = job.number.empty() ? "is about to start" : "job " + job.number;
    text += job.place > 0 ? fmt::format(", place {} in the queue", job.place) : "";
    text += job.reason.empty() ? "" : fmt::format(" ({})", job.reason);
    if (job.expected > 0) {
        const std::int64_t minutes = std::max<std::int64_t>(0, job.expected - unixSeconds()) / 60;
        text += fmt::format(", expected to start in {} min", minutes);
    }
    return text;
}

std::string causeOf(const JobStatus& job, std::string_view lacks = "first step") {
    if (job.isCancelled) {
        return fmt::format("the job was cancelled before its {}", lacks);
    }
    std::string text = fmt::format("the job ended before its {}", lacks);
    text += job.code ? fmt::format(" with code {}", *job.code) : "";
    text += job.reason.empty() ? "" : fmt::format(" ({})", job.reason);
    return text + (job.output.empty() ? "" : ": " + job.output);
}

/// Returns a job's state as that of the run that it has not become yet.
MirrorStatus statusOf(const JobStatus& job) {
    switch (job.state) {
    case JobState::none: return {.state = RunState::lost};
    case JobState::waiting:
    case JobState::begun:
    case JobState::unknown: return {.state = RunState::waiting, .queue = queueText(job)};
    case JobState::ended: break;
    }
    return {.state = job.isCancelled ? RunState::stopped : RunState::failed, .cause = causeOf(job)};
}

/// True if an attempt has begun since, even if it has ended: its heartbeat has updated the lock.
bool hasBegunSince(const fs::path& run, std::int64_t time) {
    struct stat facts {};
    return ::stat((run / "lock").c_str(), &facts) == 0 && facts.st_mtime > time;
}

JobOrder orderFrom(const Json& head) {
    JobOrder order{.run = textAt(head, "run"),
                   .key = textAt(head, "key"),
                   .start = jobStartNamed(textAt(head, "start")),
                   .resumesRun = flagAt(head, "goes_on", false),
                   .reusesScript = flagAt(head, "as_before", false)};
    for (const Json& file : head.at("files")) {
        order.files.push_back(
            {textAt(file, "name"), textAt(file, "text"), flagAt(file, "executable", false)});
    }
    for (const Json& file : head.at("stored")) {
        order.stored.push_back({textAt(file, "name"), textAt(file, "hash")});
    }
    return order;
}

} // namespace

HostAgent::HostAgent(FileHandle in, FileHandle out, milliseconds aliveInterval)
    : pipe_(std::move(in), std::move(out)), aliveInterval_(aliveInterval) {}

HostAgent::~HostAgent() = default;

void HostAgent::serve() {
    Clock::time_point heard = Clock::now();
    while (true) {
        while (const auto packet = pipe_.receive()) {
            take(*packet);
        }
        const Clock::time_point now = Clock::now();
        heard = pipe_.hasHeard() ? now : heard;
        if (pipe_.hasEnded() || now - heard > silenceOfCallers) {
            return;
        }
        pipe_.transfer(pump());
    }
}

void HostAgent::take(const Packet& packet) {
    Packet reply;
    const std::int64_t id = numberAt(packet.head, "id", 0);
    reply.head["id"] = id;
    const std::string ask = textAt(packet.head, "ask");
    const bool isQuick = ask == "ping" || ask == "greet";
    try {
        Json said = isQuick ? answer(ask, packet) : answerAlive(ask, packet);
        if (const auto list = said.find("list"); list != said.end()) {
            *list = lastPage(id, std::move(*list));
        }
        reply.head.update(said);
    } catch (const std::exception&) {
        reply.head["refused"] = failureText(currentError());
        reply.head["of"] = textAt(packet.head, "run");
    }
    pipe_.send(reply);
}

/// Answers on another thread, because answers may wait long for Slurm or a shared disk. Meanwhile
/// this thread uses only the pipe.
Json HostAgent::answerAlive(const std::string& ask, const Packet& packet) {
    std::packaged_task<Json()> task([&] { return answer(ask, packet); });
    std::future<Json> made = task.get_future();
    const std::jthread thread = startThread("answer", std::move(task));
    while (made.wait_for(aliveInterval_) != std::future_status::ready) {
        pipe_.send({.head = {{"alive", true}}}); // a sign of life
        pipe_.transfer(milliseconds(0));
    }
    return made.get();
}

Json HostAgent::answer(const std::string& ask, const Packet& packet) {
    const Json& head = packet.head;
    if (ask == "greet") {
        return greet(head);
    }
    if (runs_.empty()) {
        throw Error(ErrorCode::usage, {}, "the first request of a connection is not a greeting",
                    "use the same version of Weft on both machines");
    }
    if (ask == "ping") {
        return {{"time", unixNanoseconds()}};
    }
    if (ask == "put") {
        return put(packet);
    }
    using Handler = Json (HostAgent::*)(const Json& head);
    static const std::map<std::string_view, Handler> handlers{
        {"survey", &HostAgent::survey},      {"runs", &HostAgent::listRuns},
        {"files", &HostAgent::listFiles},    {"follow", &HostAgent::follow},
        {"leave", &HostAgent::leave},        {"fetch", &HostAgent::fetch},
        {"tell", &HostAgent::tell},          {"start", &HostAgent::start},
        {"look", &HostAgent::look},          {"cancel", &HostAgent::cancel},
        {"ask_nodes", &HostAgent::askNodes}, {"nodes", &HostAgent::nodes}};
    if (const auto found = handlers.find(ask); found != handlers.end()) {
        return (this->*found->second)(head);
    }
    throw Error(ErrorCode::usage, {},
                fmt::format("weft {} does not know the request \"{}\"", weftVersion(), ask),
                "update Weft on that host: weft host install");
}

Json HostAgent::survey(const Json& head) {
    return {{"survey", hostSurvey(runs_, textAt(head, "partition"))}};
}

Json HostAgent::leave(const Json& head) {
    followed_.erase(textAt(head, "run"));
    return Json::object();
}

Json HostAgent::fetch(const Json& head) {
    const fs::path folder = runFolder(head);
    const std::string run = folder.filename().string();
    MirroredRun& followed =
        followed_
            .try_emplace(run,
                         MirroredRun{.stream = RunStream(folder, jobs_->folderOf(run), {}, false),
                                     .isForFiles = true})
            .first->second;
    const std::string path = textAt(head, "path");
    const std::vector<HeldFile> held = heldFrom(head);
    followed.stream.ask(path, held.empty() ? std::nullopt : std::optional(held.front()));
    followed.isAsked = true;
    return Json::object();
}

Json HostAgent::cancel(const Json& head) {
    jobs_->cancel(textAt(head, "run"));
    return Json::object();
}

/// Submits a job that surveys a node of a partition, unless such a job is in the queue already.
Json HostAgent::askNodes(const Json& head) {
    JobOrder order = orderFrom(head);
    requireRunName(order.run);
    order.start = JobStart::slurm;
    order.resumesRun = true; // an earlier survey may have left its job
    const fs::path folder = makePrivateFolder(runs_, nodesFolder(runs_).filename().string());
    static_cast<void>(makePrivateFolder(folder, order.run));
    const JobStatus known = nodes_->waitForState(order.run);
    if (known.state == JobState::waiting || known.state == JobState::begun) {
        return Json::object();
    }
    if (known.state == JobState::unknown && known.number.empty()) {
        nodes_->cancel(order.run); // the process that was starting the job was killed
    }
    static_cast<void>(nodes_->begin(order));
    return Json::object();
}

/// Returns the state of the job that surveys the nodes.
Json HostAgent::nodes(const Json& head) {
    const JobStatus job = nodes_->state(textAt(head, "run"));
    if (job.state != JobState::ended && job.state != JobState::none) {
        return {{"waits",
                 job.state == JobState::begun ? "job " + job.number + " runs" : queueText(job)}};
    }
    if (job.code.value_or(0) != 0 || job.isCancelled || job.state == JobState::none) {
        throw Error(ErrorCode::device, Where{.op = "nodes"}, causeOf(job, "answer"),
                    "see what Slurm reports on the host (sacct -j " + job.number +
                        "), and query again");
    }
    return {{"is_over", true}};
}

Json HostAgent::greet(const Json& head) {
    const std::string folder = textAt(head, "folder");
    const std::string home = fromEnvironment("HOME");
    if (folder.empty() || (home.empty() && !fs::path(folder).is_absolute())) {
        throw Error(ErrorCode::usage, {}, "the request names no folder for runs",
                    "set the folder for runs: weft host add NAME --folder FOLDER");
    }
    const fs::path runs = fs::path(home) / folder; // an absolute path replaces `home`
    makeFolder(runs);
    runs_ = fs::canonical(runs);
    jobs_.emplace(runs_, thisProgram());
    nodes_.emplace(nodesFolder(runs_), thisProgram());
    files_.emplace(runs_);
    files_->prune(unusedFiles);
    jobs_->prune(unusedFiles);
    bytesPerSecond_ = std::max<std::int64_t>(0, numberAt(head, "limit", 0));
    return {{"wire", wireVersion}, {"weft", weftVersion()}};
}

Json HostAgent::lastPage(std::int64_t id, Json list) {
    Json page = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
        page.push_back(std::move(list[i]));
        if (page.size() == entriesInAPacket && i + 1 < list.size()) {
            pipe_.send({.head = {{"more", id}, {"list", std::move(page)}}});
            page = Json::array();
        }
    }
    return page;
}

Json HostAgent::listRuns(const Json& /*head*/) {
    Json list = Json::array();
    for (const RunSummary& run : allRuns()) {
        list.push_back(summaryJson(run));
    }
    return {{"list", std::move(list)}};
}

Json HostAgent::listFiles(const Json& head) {
    const fs::path folder = runFolder(head);
    std::map<std::string, Json> list;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        const std::string path = entry.path().lexically_relative(folder).generic_string();
        const auto file = mirroredFile(path);
        if (file && file->growth == FileGrowth::asked && entry.is_regular_file(ignored) &&
            !entry.is_symlink(ignored)) {
            list[path] = {{"path", path}, {"bytes", entry.file_size(ignored)}};
        }
    }
    Json files = Json::array();
    for (auto& [path, one] : list) {
        files.push_back(std::move(one));
    }
    return {{"list", std::move(files)}};
}

fs::path HostAgent::runFolder(const Json& head) const {
    const std::string name = textAt(head, "run");
    std::error_code ignored;
    const bool isThere =
        isRunName(name) && !fs::is_symlink(runs_ / name, ignored) &&
        (fs::is_directory(runs_ / name, ignored) || std::ranges::count(jobs_->runs(), name) > 0);
    if (!isThere) {
        Where where;
        where.file = name;
        throw Error(ErrorCode::file, std::move(where),
                    fmt::format("there is no such run in {}", runs_.string()),
                    "use a name that weft runs --on lists");
    }
    return runs_ / name;
}

Json HostAgent::follow(const Json& head) {
    const fs::path folder = runFolder(head);
    const std::string run = folder.filename().string();
    followed_.erase(run);
    followed_.emplace(run,
                      MirroredRun{.stream = RunStream(folder, jobs_->folderOf(run), heldFrom(head),
                                                      flagAt(head, "spans", true))});
    return Json::object();
}

MirrorStatus HostAgent::statusOf(const std::string& run) {
    const RunLock lock = readRunLock(runs_ / run);
    if (lock.isHeld) {
        return {.state = RunState::living, .attempt = lock.attempt};
    }
    const auto summary = summaryOf(runs_ / run);
    const JobStatus job = jobs_->state(run);
    // A job that runs may be before the run's first event, or after its last one.
    const bool hasEnded = job.state == JobState::none || job.state == JobState::ended ||
                          (job.state != JobState::waiting && hasBegunSince(runs_ / run, job.asked));
    if (summary && hasEnded) {
        return {.state = summary->state, .attempt = lock.attempt};
    }
    // The job is starting, or has returned to the queue.
    MirrorStatus word = weft::statusOf(job);
    word.attempt = lock.attempt;
    return word;
}

/// Returns the state, or why it cannot be determined.
MirrorStatus HostAgent::statusOrTrouble(const std::string& run, const Deadline& deadline) {
    try {
        static_cast<void>(jobs_->waitForState(run, deadline));
        return statusOf(run);
    } catch (const Error& error) {
        return {.state = RunState::unknown, .cause = error.what()};
    }
}

/// Returns all runs, including jobs that have not become runs yet. Waits for Slurm's first answer,
/// because callers ask only once.
std::vector<RunSummary> HostAgent::allRuns() {
    const Deadline deadline(Jobs::longestAnswer);
    std::vector<RunSummary> runs = weft::listRuns(runs_);
    for (const std::string& name : jobs_->runs()) {
        const MirrorStatus word = statusOrTrouble(name, deadline);
        auto run = std::ranges::find(runs, name, &RunSummary::name);
        if (run == runs.end()) {
            run = runs.insert(runs.begin(), {.folder = runs_ / name, .name = name});
            run->figures = RunFigures{};
        }
        run->state = word.state;
        if (const std::string& why = word.cause.empty() ? word.queue : word.cause; !why.empty()) {
            run->cause = why;
        }
    }
    return runs;
}

Json HostAgent::start(const Json& head) {
    const JobOrder order = orderFrom(head);
    if (!isRunName(order.run)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("\"{}\" cannot be the name of a run", order.run),
                    "use letters, digits, '.', '_' and '-'");
    }
    return {{"run", jobs_->begin(order)}};
}

/// Checks a design's data in a folder of this host.
Json HostAgent::look(const Json& head) {
    const Design design = loadDesign(files_->completeFile(textAt(head, "hash"))).design;
    refuseErrors(describeData(design.data, {textAt(head, "folder"), {}}, sourceKinds()).problems);
    return Json::object();
}

Json HostAgent::put(const Packet& packet) {
    const std::string hash = textAt(packet.head, "hash");
    const auto number = [&](const char* key) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(0, numberAt(packet.head, key, 0)));
    };
    const StoredBytes held = flagAt(packet.head, "asks", false)
                                 ? files_->held(hash)
                                 : files_->put(hash, number("at"), packet.body, number("total"));
    return {{"bytes", held.bytes}, {"whole", held.isWhole}};
}

Json HostAgent::tell(const Json& head) {
    tellRun(runFolder(head), textAt(head, "wish"), textAt(head, "layer"),
            {.name = textAt(head, "asker"),
             .number = static_cast<std::uint64_t>(numberAt(head, "number", 0))});
    return Json::object();
}

void HostAgent::sendStatus(const std::string& run, MirroredRun& followed) {
    const MirrorStatus& word = *followed.toSend;
    if (followed.lastSent == word) {
        return;
    }
    pipe_.send({.head = {{"word", run},
                         {"state", nameOf(word.state)},
                         {"attempt", word.attempt},
                         {"queue", word.queue},
                         {"cause", word.cause}}});
    followed.lastSent = word;
}

/// Packets on a new connection are short and then grow, so that an unstable connection delivers
/// some of them completely.
void HostAgent::send(const std::string& run, const FilePart& part) {
    allowance_ -= static_cast<double>(part.bytes.size());
    const std::string_view bytes = part.bytes;
    std::size_t begin = 0;
    do {
        const std::string_view some = bytes.substr(begin, longestPart_);
        const std::size_t end = begin + some.size();
        Json head{{"part", run}, {"path", part.path}, {"at", part.offset + begin}};
        for (const auto& [key, flag] : {std::pair{"anew", part.isRestarted && begin == 0},
                                        std::pair{"beside", part.isReplacing},
                                        std::pair{"whole", part.isWhole && end == bytes.size()},
                                        std::pair{"gone", part.isGone}}) {
            if (flag) {
                head[key] = true;
            }
        }
        if (part.version != 0) {
            head["version"] = fmt::format("{:x}", part.version);
        }
        pipe_.send({.head = std::move(head), .body = std::string(some)});
        begin = end;
        longestPart_ = std::min(2 * longestPart_, largestPart);
    } while (begin < bytes.size());
}

milliseconds HostAgent::pumpFiles(const std::string& run, MirroredRun& followed) {
    while (pipe_.unsent() < mostAhead) {
        if (bytesPerSecond_ > 0 && allowance_ <= 0) {
            return lookAgain;
        }
        auto part = followed.stream.nextAsked();
        if (!part) {
            break;
        }
        send(run, *part);
    }
    return lookForMore; // data on the connection ends the wait earlier
}

milliseconds HostAgent::pump(const std::string& run, MirroredRun& followed) {
    if (followed.isForFiles) {
        return pumpFiles(run, followed);
    }
    const Clock::time_point now = Clock::now();
    if (!followed.toSend) {
        const bool mayGrow = !followed.lastSent || followed.lastSent->state == RunState::living;
        const auto due = followed.looked + (mayGrow ? lookAgain : lookForMore);
        if (now < due && !followed.isAsked) {
            return std::chrono::ceil<milliseconds>(due - now);
        }
        followed.isAsked = false;
        // Read before the logs, so that it never describes more than the logs contain.
        followed.toSend = statusOf(run);
    }
    followed.stream.skipOldSpans(bytesPerSecond_ > 0);
    while (pipe_.unsent() < mostAhead) {
        const bool maySendAll = bytesPerSecond_ == 0 || allowance_ > 0;
        auto part = maySendAll ? followed.stream.next() : followed.stream.nextUrgent();
        if (!part && !maySendAll) {
            return lookAgain;
        }
        if (!part) {
            sendStatus(run, followed);
            followed.toSend.reset();
            followed.looked = now;
            return lookAgain;
        }
        send(run, *part);
    }
    return lookForMore; // data on the connection ends the wait earlier
}

milliseconds HostAgent::pump() {
    const Clock::time_point now = Clock::now();
    if (bytesPerSecond_ > 0) {
        const auto second = static_cast<double>(bytesPerSecond_);
        const std::chrono::duration<double> passed = now - filled_;
        allowance_ = std::min(second, allowance_ + passed.count() * second);
        filled_ = now;
    }
    milliseconds rest = lookForMore;
    for (auto& [run, followed] : followed_) {
        try {
            rest = std::min(rest, pump(run, followed));
        } catch (const std::exception&) {
            const std::string complaint = failureText(currentError());
            if (complaint != followed.complaint) {
                pipe_.send({.head = {{"trouble", run}, {"failure", complaint}}});
            }
            followed.complaint = complaint;
            followed.toSend.reset();
            followed.looked = now;
        }
    }
    return rest;
}

} // namespace weft
