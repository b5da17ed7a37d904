// SPDX-License-Identifier: Apache-2.0
#include "run/session/attempt.h"

#include "base/failure_text.h"
#include "base/process/threads.h"
#include "base/text/json.h"
#include "device/sheet_json.h"
#include "events/figures_file.h"
#include "run/checkpoint/selection.h"
#include "run/session/run_begin.h"
#include "run/train/agreement.h"
#include <weft/design_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostRead = std::size_t{64} << 20U;

/// True if a run of this same design was begun there and ended before its first checkpoint, such as
/// a job that its queue has restarted.
bool wasBegunInVain(const fs::path& folder, const Design& design) {
    std::error_code ignored;
    const RunLock before = readRunLock(folder);
    return before.attempt > 0 && !before.remoteState &&
           fs::exists(folder / "design.weft", ignored) && newestCheckpoint(folder).empty() &&
           readFile(folder / "design.weft", mostRead) == toText(design);
}

std::optional<RunDirectory> newDirectory(const SessionRequest& request) {
    if (!request.run.empty()) {
        return wasBegunInVain(request.run, request.design)
                   ? RunDirectory::resume(RunDirectory::reserve(request.run))
                   : RunDirectory::createAt(request.run);
    }
    if (request.runs.empty() || request.isEvaluation) {
        return std::nullopt;
    }
    return RunDirectory::create(request.runs,
                                request.design.name.empty() ? "run" : request.design.name);
}

/// "step-000000012.safetensors" -> 12
std::int64_t stepOf(const fs::path& checkpoint) {
    const std::string name = checkpoint.stem().string();
    const auto dash = name.find('-');
    std::int64_t step = 0;
    if (dash != std::string::npos) {
        std::from_chars(name.data() + dash + 1, name.data() + name.size(), step);
    }
    return step;
}

} // namespace

SavedCheckpoint lastCheckpoint(const fs::path& folder) {
    SavedCheckpoint last{.path = newestCheckpoint(folder)};
    if (last.path.empty()) {
        const auto copy = copyOf(folder);
        throw Error(ErrorCode::file, Where{.file = (folder / "checkpoints").string()},
                    "contains no checkpoint to resume from",
                    copy ? fmt::format("weft resume {0}:{1} --here copies the newest checkpoint to "
                                       "this machine, weft resume {0}:{1} resumes on the host",
                                       copy->host, copy->run)
                         : "start a new run of the design");
    }
    last.step = stepOf(last.path);
    return last;
}

RunReport::RunReport(const std::filesystem::path& folder, std::uint32_t attempt,
                     std::vector<std::string> sinks) {
    SinkPlace place;
    place.folder = folder;
    sinks.insert(sinks.begin(), {"metrics", "log"});
    for (const std::string& name : sinks) {
        sinks_.push_back(makeSink(name, place));
    }
    thread_ = startThread("report", [this, folder, attempt](const std::stop_token& stop) {
        try {
            RunReader reader(folder);
            followRun(reader, sinks_, stop,
                      [this](const Error& error) { problems_.emplace_back(error.what()); });
            writeFigures(folder, attempt, reader.figures());
        } catch (const Error& error) {
            problems_.emplace_back(error.what());
        }
    });
}

std::vector<std::string> RunReport::finish() {
    thread_.request_stop();
    thread_.join();
    return std::move(problems_);
}

RunAttempt::RunAttempt(const SessionRequest& request, World& world, RunControls& controls,
                       std::vector<std::string> devices)
    : request_(request), world_(world), controls_(controls), devices_(std::move(devices)) {
    std::ranges::for_each(request_.sinks, requireSink);
}

const MachineSheet& RunAttempt::agreeOnMachine() {
    machine_ = broadcastMachine(world_, request_.resume);
    return machine_;
}

void RunAttempt::lockForResume() {
    if (world_.rank() == 0) {
        reservation_ = RunDirectory::reserve(request_.resume);
    }
    folder_ = broadcastPath(reservation_ ? reservation_->folder : fs::path(), world_);
    std::error_code ignored; // a path that is not a file fails when it is read
    if (fs::status(selectionPath(), ignored).type() != fs::file_type::not_found) {
        previousSelectionText_ = readFile(selectionPath(), mostRead);
        previousSelection_ = RecordedSelection(previousSelectionText_);
    }
}

void RunAttempt::open() {
    if (reservation_) {
        directory_.emplace(RunDirectory::resume(*std::exchange(reservation_, std::nullopt)));
    } else if (world_.rank() == 0) {
        if (std::optional<RunDirectory> made = newDirectory(request_)) {
            directory_.emplace(std::move(*made));
        }
    }
    folder_ = broadcastPath(directory_ ? directory_->folder() : fs::path(), world_);
    isOpen_ = true;
    if (!directory_) {
        return;
    }
    writeDesign();
    writeBegin(folder_, beginFor(request_));
    writeFileWhole(folder_ / machineFile, jsonText(asJson(machine_), 1) + "\n");
    mailbox_ = std::make_unique<RunMailbox>(directory_->control(), controls_,
                                            [this] { directory_->beat(); });
    report_ = std::make_unique<RunReport>(folder_, directory_->attempt(), request_.sinks);
}

void RunAttempt::writeDesign() {
    const fs::path file = directory_->design();
    std::error_code ignored; // a path that is not a file fails when it is read
    if (fs::status(file, ignored).type() != fs::file_type::not_found) {
        const Design before = loadDesign(file).design;
        if (computesTheSame(before, request_.design)) {
            return;
        }
        const std::uint32_t attempt = directory_->attempt() - 1;
        const std::string name = fmt::format("design.{}.weft", attempt);
        writeFileWhole(folder_ / name, readFile(file, mostRead));
        designRemark_ = fmt::format(
            "the design has changed since attempt {}; the earlier design is saved as {}", attempt,
            name);
        for (const Change& change : diff(before, request_.design)) {
            designRemark_ += "; " + change.text;
        }
    }
    saveDesign(request_.design, file);
}

void RunAttempt::openLog(std::int64_t stepsBefore) {
    LogSettings settings;
    settings.rank = world_.rank();
    settings.attempt.number = directory_ ? directory_->attempt() : readRunLock(folder_).attempt;
    settings.attempt.stepsBefore = stepsBefore;
    settings.attempt.period = stepsOfPeriod(request_.design.training);
    settings.attempt.ranks = world_.ranks();
    settings.attempt.hosts = hosts_;
    settings.attempt.devices = devices_;
    log_ = std::make_unique<EventLog>(folder_, settings);
}

void RunAttempt::begin(TrainingRun& run, Watchdog& watchdog) {
    if (folder_.empty()) {
        return;
    }
    run.keepCheckpoints(folder_ / "checkpoints", [this] { flushLog(); });
    run.keepTensors(folder_ / "tensors", folder_ / "series");
    hosts_ = run.hosts();
    openLog(run.firstStep());
    listener_ = std::make_unique<RunLog>(*log_, run.programSet(), run.pool(),
                                         LogClock(*log_, world_, watchdog));
    run.addListener(*listener_);
    run.pool().recordPositionsIn(std::make_shared<ActivityPage>(
                                     folder_, world_.rank(), log_->attempt(), run.pool().streams()),
                                 listener_->stepNames());
    writeSelection(run);
    if (world_.rank() == 0) {
        if (!request_.from.empty()) {
            listener_->onMessage(fmt::format("a new run that continues from step {} of {}",
                                             run.firstStep(), request_.from.string()));
        }
        if (!designRemark_.empty()) {
            listener_->onMessage(designRemark_);
        }
        std::ranges::for_each(run.remarks(),
                              [this](const auto& text) { listener_->onMessage(text); });
    }
}

/// Flushes the log before a checkpoint gets its final name, because a resume continues the log
/// after the checkpoint's step. If the disk takes no log data, the log keeps them in memory and the
/// checkpoint is written all the same.
void RunAttempt::flushLog() const {
    constexpr std::chrono::seconds limit{10};
    if (log_->state() != LogState::flowing) {
        return;
    }
    try {
        log_->flush(limit);
    } catch (const Error&) {
        return; // `stall` reports it
    }
}

fs::path RunAttempt::selectionPath() const {
    return world_.rank() == 0 ? folder_ / "selection.json"
                              : folder_ / fmt::format("selection.{}.json", world_.rank());
}

void RunAttempt::writeSelection(TrainingRun& run) {
    const std::string now = selectionText(run.programSet(), run.pool());
    const std::vector<std::string> changes = changedSelections(previousSelectionText_, now);
    if (!changes.empty()) {
        listener_->onMessage(fmt::format("{} steps now use other kernels than before, so that "
                                         "results may differ in the last bits: {}",
                                         changes.size(), changes.front()));
    }
    writeFileWhole(selectionPath(), now);
}

void RunAttempt::fail(const Error& cause, std::int64_t step) noexcept {
    if (!isOpen_ || folder_.empty()) {
        return;
    }
    try {
        if (listener_) {
            listener_->fail(cause, step);
            return;
        }
        openLog(step);
        channel_ = &log_->makeChannel("session");
        channel_->failure(step, failureText(cause));
    } catch (const std::exception&) {
        // If the folder cannot be written, only the caller gets the message.
        return;
    }
}

void RunAttempt::endFailed(std::int64_t step, const std::string& text) noexcept {
    try {
        if (listener_) {
            listener_->end(EndReason::failed, step, text);
        } else if (channel_ != nullptr) {
            channel_->end(EndReason::failed, step, text);
        }
        if (log_) {
            log_->close(std::chrono::seconds(5));
        }
        if (!directory_) {
            removeControlOfDeadRun(folder_);
        }
    } catch (const std::exception&) {
        return; // if the folder cannot be written, only the caller gets the message
    }
}

void RunAttempt::noteCheckpoint(std::int64_t step, const std::string& path) {
    if (listener_) {
        listener_->onCheckpoint(step, path);
    }
}

void RunAttempt::end(EndReason reason, std::int64_t step, const std::string& text) {
    if (listener_) {
        listener_->end(reason, step, text);
    }
}

std::vector<std::string> RunAttempt::close() {
    if (log_) {
        log_->close(std::chrono::seconds(30));
    }
    return report_ ? report_->finish() : std::vector<std::string>{};
}

std::string RunAttempt::stallReason() const {
    return log_ && log_->state() == LogState::exhausted
               ? log_->stallReason() + ": free space on its disk; the run then continues"
               : std::string();
}

} // namespace weft
