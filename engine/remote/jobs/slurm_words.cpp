// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/slurm_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace weft {

namespace {

std::vector<std::string_view> fieldsOf(std::string_view text, char between) {
    std::vector<std::string_view> parts;
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = text.find(between);
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// Returns 0 if the text is not a whole number.
std::int64_t wholeNumberIn(std::string_view text) {
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc{} && end.ptr == text.data() + text.size() ? number : 0;
}

/// Maps Slurm's words for a job's state, except those of a job that has ended.
JobState stateNamed(std::string_view word) {
    static constexpr std::array waiting{"PENDING",      "CONFIGURING", "REQUEUED",
                                        "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT",
                                        "RESV_DEL_HOLD"};
    static constexpr std::array begun{"RUNNING",  "COMPLETING", "SUSPENDED", "STOPPED",
                                      "RESIZING", "SIGNALING",  "STAGE_OUT"};
    if (std::ranges::find(waiting, word) != waiting.end()) {
        return JobState::waiting;
    }
    return std::ranges::find(begun, word) != begun.end() ? JobState::begun : JobState::ended;
}

/// "3:0" means exit code 3, "0:9" signal 9.
std::optional<int> exitCodeIn(std::string_view text) {
    const auto parts = fieldsOf(text, ':');
    if (parts.size() != 2 || !isJobNumber(parts[0]) || !isJobNumber(parts[1])) {
        return std::nullopt;
    }
    const auto signal = static_cast<int>(wholeNumberIn(parts[1]));
    return signal > 0 ? 128 + signal : static_cast<int>(wholeNumberIn(parts[0]));
}

/// "COMPLETED" is the normal end and gives no reason.
JobStatus endedWord(std::string_view state, std::string_view code) {
    return {.state = JobState::ended,
            .reason = state == "COMPLETED" ? std::string() : std::string(state),
            .code = exitCodeIn(code)};
}

ProgramQuestion slurmQuestion(std::vector<std::string> words) {
    return {.words = std::move(words), .environment = {{"SLURM_TIME_FORMAT", "%s"}}};
}

} // namespace

bool isJobNumber(std::string_view text) {
    return !text.empty() && text.size() < 19 &&
           std::ranges::all_of(text, [](char packet) { return packet >= '0' && packet <= '9'; });
}

ProgramQuestion queueQuestion(const std::vector<std::string>& numbers) {
    return slurmQuestion({"squeue", "-h", "-t", "all", "-j",
                          fmt::format("{}", fmt::join(numbers, ",")), "-o", "%i|%T|%S|%P|%r"});
}

std::map<std::string, QueuedJob> queueIn(std::string_view answer) {
    std::map<std::string, QueuedJob> jobs;
    for (const std::string_view line : fieldsOf(answer, '\n')) {
        const auto fields = fieldsOf(line, '|');
        if (fields.size() < 5 || !isJobNumber(fields[0])) {
            continue;
        }
        QueuedJob job{.partition = std::string(fields[3])};
        JobStatus& word = job.status;
        word.state = stateNamed(fields[1]);
        word.number = fields[0];
        if (word.state == JobState::waiting) {
            word.expected = wholeNumberIn(fields[2]);
            word.reason = fields[4] == "None" ? std::string() : std::string(fields[4]);
        } else {
            word.reason = word.state == JobState::ended || fields[1] != "RUNNING"
                              ? std::string(fields[1])
                              : std::string();
        }
        jobs[word.number] = std::move(job);
    }
    return jobs;
}

ProgramQuestion placeQuestion(const std::string& partition) {
    return slurmQuestion(
        {"squeue", "-h", "-t", "PENDING", "-p", partition, "--sort=-p,i", "-o", "%i"});
}

std::int64_t placeIn(std::string_view answer, std::string_view number) {
    const auto lines = fieldsOf(answer, '\n');
    const auto at = std::ranges::find(lines, number);
    return at == lines.end() ? 0 : std::distance(lines.begin(), at) + 1;
}

ProgramQuestion controllerQuestion(const std::string& number) {
    return slurmQuestion({"scontrol", "-o", "show", "job", number});
}

std::optional<JobStatus> endInControllerAnswer(std::string_view answer) {
    const auto valueOf = [answer](std::string_view name) {
        const std::size_t at = answer.find(name);
        if (at == std::string_view::npos) {
            return std::string_view();
        }
        const std::string_view from = answer.substr(at + name.size());
        return from.substr(0, from.find_first_of(" \n"));
    };
    const std::string_view state = valueOf(" JobState=");
    if (state.empty() || stateNamed(state) != JobState::ended) {
        return std::nullopt;
    }
    return endedWord(state, valueOf(" ExitCode="));
}

ProgramQuestion accountingQuestion(const std::string& number) {
    return slurmQuestion({"sacct", "-n", "-P", "-X", "-j", number, "-o", "State,ExitCode"});
}

std::optional<JobStatus> endInAccounting(std::string_view answer) {
    // A job that returned to the queue has a line for each time that it ran: the last line counts.
    std::optional<JobStatus> end;
    for (const std::string_view line : fieldsOf(answer, '\n')) {
        const auto fields = fieldsOf(line, '|');
        const std::string_view state = fields[0].substr(0, fields[0].find(' '));
        if (fields.size() == 2 && stateNamed(state) == JobState::ended) {
            end = endedWord(state, fields[1]); // "CANCELLED by 1000"
        }
    }
    return end;
}

ProgramQuestion folderQuestion() {
    return slurmQuestion(
        {"squeue", "-h", "-t", "all", "-u", std::to_string(::geteuid()), "-o", "%i|%Z"});
}

std::optional<std::string> jobNumberStartedIn(std::string_view answer, std::string_view folder) {
    std::int64_t last = 0;
    for (const std::string_view line : fieldsOf(answer, '\n')) {
        const std::size_t bar = line.find('|');
        if (bar != std::string_view::npos && line.substr(bar + 1) == folder) {
            last = std::max(last, wholeNumberIn(line.substr(0, bar)));
        }
    }
    return last > 0 ? std::optional(std::to_string(last)) : std::nullopt;
}

std::optional<std::string> submittedNumber(std::string_view answer) {
    std::optional<std::string> number;
    for (const std::string_view line : fieldsOf(answer, '\n')) {
        const std::string_view word = line.substr(0, line.find(';')); // "12;cluster"
        if (isJobNumber(word)) {
            number = word;
        }
    }
    return number;
}

} // namespace weft
