// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/jobs.h"

#include "base/files/lock_file.h"
#include "base/text/json.h"
#include "events/run_directory.h"
#include "remote/jobs/file_store.h"
#include "remote/jobs/job_files.h"
#include "remote/jobs/slurm_words.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <thread>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostNotes = std::size_t{64} << 10U;
constexpr std::size_t mostOutput = 4096;
constexpr std::chrono::seconds endGrace{30};
/// Grace period of a job whose run has ended.
constexpr std::chrono::seconds longestEnd{5};

std::string scriptOf(bool isOfSlurm) { return isOfSlurm ? "job.sbatch" : "run.sh"; }

void requireOrder(const JobOrder& order) {
    requireRunName(order.run);
    if (order.key.empty() || order.key.size() > 200) {
        throw Error(ErrorCode::usage, Where{.file = order.run},
                    "a request to start a job has no key",
                    "use a different key for each job, of at most 200 characters");
    }
    const std::string script = scriptOf(order.start == JobStart::slurm);
    if (std::ranges::find(order.files, script, &ExportedFile::name) == order.files.end()) {
        throw Error(ErrorCode::usage, Where{.file = order.run},
                    "a request to start a job has no script " + script,
                    "send what `weft export` writes");
    }
}

/// Returns "lenet", "lenet-2", ..., limited to the longest valid name.
std::string countedName(const std::string& name, int count) {
    constexpr std::size_t longest = 120;
    const std::string end = count == 1 ? "" : fmt::format("-{}", count);
    return name.substr(0, longest - end.size()) + end;
}

bool isAnything(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

bool isOwn(const fs::path& path, fs::file_type type) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == type;
}

/// Writes a file and never follows a link.
void writeOwn(const fs::path& path, std::string_view text) {
    std::error_code ignored;
    if (isOwn(path, fs::file_type::symlink)) {
        fs::remove(path, ignored);
    }
    writeFileWhole(path, text);
}

std::string endOfFile(const fs::path& path) {
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return {};
    }
    std::string text(mostOutput, '\0');
    const auto from = std::max<off_t>(facts.st_size - static_cast<off_t>(text.size()), 0);
    const ssize_t got = ::pread(file.get(), text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

/// Returns the newest write time of the files directly in the folder.
fs::file_time_type lastWritten(const fs::path& folder) {
    fs::file_time_type last = fs::file_time_type::min();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        // Stays at the minimum if there is no file.
        last = std::max(last, entry.last_write_time(ignored));
    }
    return last;
}

Json asJson(const ProcessIdentity& mark) {
    return {{"number", mark.number},
            {"begun", mark.begun},
            {"machine", mark.machine},
            {"host", mark.host}};
}

/// Stores how a Slurm job ended, because Slurm forgets it.
void keepEnd(const fs::path& folder, const std::string& number, const JobStatus& word) {
    Json end{{"number", number}, {"reason", word.reason}};
    if (word.code) {
        end["code"] = *word.code;
    }
    writeOwn(folder / "end.json", jsonText(end));
}

std::optional<JobStatus> keptEnd(const fs::path& folder, const std::string& number) {
    if (!isOwn(folder / "end.json", fs::file_type::regular)) {
        return std::nullopt;
    }
    const Json end = readJsonFile(folder / "end.json", {.bytes = mostNotes, .depth = 4});
    try {
        if (end.at("number").get<std::string>() != number) {
            return std::nullopt; // belongs to an earlier job
        }
        JobStatus word{.state = JobState::ended,
                       .number = number,
                       .reason = end.at("reason").get<std::string>()};
        if (end.contains("code")) {
            word.code = end.at("code").get<int>();
        }
        return word;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

} // namespace

Jobs::Jobs(const fs::path& runs, fs::path program, std::chrono::milliseconds pollInterval)
    : runs_(fs::absolute(runs).lexically_normal()),
      program_(std::move(program)),
      queue_(pollInterval) {
    if (runs_.filename().empty()) {
        runs_ = runs_.parent_path();
    }
}

fs::path Jobs::folderOf(const std::string& run) const { return runs_ / ".jobs" / run; }

std::optional<Jobs::Notes> Jobs::notesOf(const std::string& run) const {
    const fs::path file = folderOf(run) / "job.json";
    if (!isOwn(runs_ / ".jobs", fs::file_type::directory) ||
        !isOwn(folderOf(run), fs::file_type::directory) || !isOwn(file, fs::file_type::regular)) {
        return std::nullopt;
    }
    const Json json = readJsonFile(file, {.bytes = mostNotes, .depth = 4});
    try {
        Notes notes{.key = json.at("key").get<std::string>(),
                    .isOfSlurm = json.at("slurm").get<bool>(),
                    .asked = json.at("asked").get<std::int64_t>(),
                    .isCancelled = json.at("cancelled").get<bool>(),
                    .number = json.at("number").get<std::string>()};
        if (const Json& mark = json.at("process"); mark.is_object()) {
            notes.process = ProcessIdentity{
                mark.at("number").get<std::int64_t>(), mark.at("begun").get<std::uint64_t>(),
                mark.at("machine").get<std::string>(), mark.at("host").get<std::string>()};
        }
        if (notes.number.empty() || isJobNumber(notes.number)) {
            return notes;
        }
    } catch (const Json::exception&) {
        // Handled like any other invalid notes.
    }
    throw Error(ErrorCode::format, Where{.file = file.string()}, "is not a valid record of a job",
                "remove the record's folder: the folder of the run is kept");
}

void Jobs::saveNotes(const fs::path& folder, const Notes& notes) {
    const Json json{{"key", notes.key},
                    {"slurm", notes.isOfSlurm},
                    {"asked", notes.asked},
                    {"cancelled", notes.isCancelled},
                    {"process", notes.process ? asJson(*notes.process) : Json()},
                    {"number", notes.number}};
    writeOwn(folder / "job.json", jsonText(json, 1) + "\n");
}

FileHandle Jobs::lock() const {
    makeFolder(runs_);
    return waitForLock(makePrivateFolder(runs_, ".jobs") / ".lock",
                       std::chrono::seconds(45), // longer than Slurm may take
                       "the jobs of " + runs_.string());
}

std::vector<std::string> Jobs::runs() const {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs_ / ".jobs", ignored)) {
        std::string name = entry.path().filename().string();
        if (!name.starts_with('.') && isAnything(entry.path() / "job.json")) {
            names.push_back(std::move(name));
        }
    }
    std::ranges::sort(names);
    return names;
}

void Jobs::prune(std::chrono::hours unused) {
    const auto oldest = fs::file_time_type::clock::now() - unused;
    for (const std::string& run : runs()) {
        try {
            // Slurm is asked only about old jobs.
            if (!isAnything(runs_ / run) && lastWritten(folderOf(run)) < oldest &&
                state(run).state == JobState::ended) {
                std::error_code ignored;
                fs::remove_all(folderOf(run), ignored);
            }
        } catch (const Error&) {
            continue; // the job's state is unknown; a request for that run reports the error
        }
    }
}

std::optional<std::string> Jobs::runWithKey(const std::string& key) const {
    for (const std::string& run : runs()) {
        try {
            if (const auto notes = notesOf(run); notes && notes->key == key) {
                return run;
            }
        } catch (const Error&) {
            // Notes that cannot be read match no order; a request for that run reports the error.
            continue;
        }
    }
    return std::nullopt;
}

std::string Jobs::begin(const JobOrder& order) {
    requireOrder(order);
    const FileHandle locked = lock();
    if (const auto known = runWithKey(order.key)) {
        const auto notes = notesOf(*known);
        if (!notes->process && notes->number.empty() && !notes->isCancelled) {
            start(*known); // the process that was starting the job was killed
        }
        return *known;
    }
    const auto before = order.resumesRun ? notesOf(order.run) : std::nullopt;
    std::string run = order.resumesRun ? resumedJob(order) : newJob(order);
    try {
        start(run);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::timeout) {
            undoFailedOrder(run, order, before);
        }
        throw;
    }
    return run;
}

/// Removes an order that failed, so that a corrected order can follow.
void Jobs::undoFailedOrder(const std::string& run, const JobOrder& order,
                           const std::optional<Notes>& before) const {
    std::error_code ignored;
    if (before) {
        saveNotes(folderOf(run), *before);
    } else if (order.resumesRun) {
        fs::remove(folderOf(run) / "job.json", ignored);
    } else {
        fs::remove_all(folderOf(run), ignored);
    }
    fs::remove(folderOf(run) / "submitting", ignored);
}

std::string Jobs::newJob(const JobOrder& order) const {
    // The folder becomes visible only when complete. An old folder of this name was left by a
    // killed process.
    const fs::path made = runs_ / ".jobs" / ".new";
    std::error_code ignored;
    fs::remove_all(made, ignored);
    (void)makePrivateFolder(runs_ / ".jobs", ".new");
    writeFiles(made, order);
    saveNotes(made, notesFor(order));
    for (int count = 1;; ++count) {
        std::string run = countedName(order.run, count);
        if (isAnything(runs_ / run) || isAnything(folderOf(run))) {
            continue;
        }
        if (::rename(made.c_str(), folderOf(run).c_str()) != 0) {
            throwFileError(folderOf(run), "create the folder", errno);
        }
        return run;
    }
}

std::string Jobs::resumedJob(const JobOrder& order) {
    if (!isOwn(runs_ / order.run, fs::file_type::directory)) {
        throw Error(ErrorCode::usage, Where{.file = order.run}, "there is no such run on this host",
                    "weft runs --on HOST lists the runs");
    }
    JobStatus word = waitForState(order.run);
    const Deadline deadline(longestEnd);
    while (word.state == JobState::begun && !readRunLock(runs_ / order.run).isHeld &&
           !deadline.hasPassed()) {
        std::this_thread::sleep_for(
            std::chrono::milliseconds(20)); // the run has ended, and its job is about to end
        word = state(order.run);
    }
    if (word.state != JobState::none && word.state != JobState::ended) {
        throw Error(ErrorCode::usage, Where{.file = order.run},
                    "the job of the run has not ended yet, according to its record" +
                        (word.reason.empty() ? "" : ": " + word.reason),
                    "cancel the job, or wait until it ends");
    }
    const fs::path folder = makePrivateFolder(runs_ / ".jobs", order.run);
    const fs::path script = folder / scriptOf(order.start == JobStart::slurm);
    if (!order.reusesScript || !isOwn(script, fs::file_type::regular)) {
        writeFiles(folder, order);
    }
    saveNotes(folder, notesFor(order));
    return order.run;
}

Jobs::Notes Jobs::notesFor(const JobOrder& order) {
    return {
        .key = order.key, .isOfSlurm = order.start == JobStart::slurm, .asked = std::time(nullptr)};
}

void Jobs::writeFiles(const fs::path& folder, const JobOrder& order) const {
    for (const ExportedFile& file : order.files) {
        const fs::path place = jobFilePath(folder, file.name);
        writeFileWhole(place, file.text);
        if (file.isExecutable && ::chmod(place.c_str(), 0755) != 0) {
            throwFileError(place, "make executable", errno);
        }
    }
    const FileStore store(runs_);
    for (const StoredFile& file : order.stored) {
        const fs::path place = jobFilePath(folder, file.name);
        std::error_code ignored;
        fs::remove(place, ignored);
        store.linkFile(file.hash, place);
    }
}

void Jobs::start(const std::string& run) {
    Notes notes = *notesOf(run);
    if (notes.isOfSlurm) {
        submit(run, notes);
    } else {
        startProcess(run, notes);
    }
}

std::vector<std::pair<std::string, std::string>> Jobs::environmentOf(const std::string& run) const {
    std::vector<std::pair<std::string, std::string>> variables{
        {"WEFT_RUN", (runs_ / run).string()}};
    if (!program_.empty()) {
        variables.emplace_back("WEFT", program_.string());
    }
    return variables;
}

void Jobs::startProcess(const std::string& run, Notes& notes) const {
    const JobProcess process(folderOf(run), scriptOf(false), environmentOf(run));
    std::error_code ignored;
    fs::remove(folderOf(run) / "code", ignored); // left by an earlier job
    notes.process = process.identity();
    saveNotes(folderOf(run), notes);
    process.release();
}

void Jobs::submit(const std::string& run, Notes& notes) {
    const fs::path folder = folderOf(run);
    notes.number = findUnrecordedNumber(run);
    if (notes.number.empty()) {
        writeOwn(folder / "submitting", {});
        notes.number = queue_.submit(folder, scriptOf(true), environmentOf(run));
    }
    saveNotes(folder, notes);
    std::error_code ignored;
    fs::remove(folder / "submitting", ignored);
}

/// Looks up a job whose number was not recorded because submission was interrupted; empty if Slurm
/// did not take it.
std::string Jobs::findUnrecordedNumber(const std::string& run) const {
    const fs::path folder = folderOf(run);
    if (!isAnything(folder / "submitting")) {
        return {};
    }
    std::error_code ignored;
    const fs::path whole = fs::canonical(folder, ignored); // the form that Slurm uses
    return queue_.jobStartedIn(whole).value_or(std::string());
}

JobStatus Jobs::state(const std::string& run) {
    requireRunName(run);
    const auto notes = notesOf(run);
    if (!notes) {
        return {};
    }
    JobStatus word = statusOf(run, *notes);
    word.isCancelled = notes->isCancelled;
    word.asked = notes->asked;
    if (word.state == JobState::ended) {
        word.output = endOfFile(folderOf(run) / "output.txt");
    }
    return word;
}

JobStatus Jobs::waitForState(const std::string& run, const Deadline& deadline) {
    JobStatus word = state(run);
    while (word.isBeingAsked && !deadline.hasPassed()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        word = state(run);
    }
    return word;
}

JobStatus Jobs::statusOf(const std::string& run, const Notes& notes) {
    const fs::path folder = folderOf(run);
    if (!notes.number.empty()) {
        if (auto end = keptEnd(folder, notes.number)) {
            return *std::move(end);
        }
        JobStatus word = queue_.status(notes.number);
        if (word.state == JobState::ended) {
            keepEnd(folder, notes.number, word);
        }
        return word;
    }
    if (!notes.process) {
        return notes.isCancelled
                   ? JobStatus{.state = JobState::ended}
                   : JobStatus{.state = JobState::unknown, .reason = "the job is being started"};
    }
    // Read the process state first, since the exit code is written before the process ends.
    const ProcessLife life = lifeOf(*notes.process);
    const std::optional<int> code = codeIn(folder);
    if (code || life == ProcessLife::gone) {
        return {.state = JobState::ended, .code = code};
    }
    if (life == ProcessLife::elsewhere) {
        return {.state = JobState::unknown,
                .reason = fmt::format("the job was started on {}, but this is another host",
                                      notes.process->host)};
    }
    return {.state = JobState::begun};
}

void Jobs::cancel(const std::string& run) {
    requireRunName(run);
    const FileHandle locked = lock();
    auto notes = notesOf(run);
    if (!notes) {
        throw Error(ErrorCode::usage, Where{.file = run}, "that run has no job on this host",
                    "weft runs --on HOST lists the runs");
    }
    if (state(run).state == JobState::ended) {
        return;
    }
    if (notes->process && lifeOf(*notes->process) == ProcessLife::elsewhere) {
        throw Error(ErrorCode::usage, Where{.file = run, .host = notes->process->host},
                    "the job was started on that host, but this is another host",
                    "cancel the job through a connection to that host");
    }
    const bool isAgain = std::exchange(notes->isCancelled, true);
    if (notes->number.empty()) {
        notes->number = findUnrecordedNumber(run);
    }
    saveNotes(folderOf(run), *notes);
    if (!notes->number.empty()) {
        queue_.cancel(notes->number);
    } else if (notes->process) {
        endJobProcess(*notes->process, isAgain ? std::chrono::seconds(0) : endGrace);
    }
}

} // namespace weft
