// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/slurm_queue.h"

#include "remote/jobs/slurm_words.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

/// A job's position in the queue changes slowly, and the answer has a line for every waiting job.
constexpr std::chrono::seconds betweenPlaces{20};
constexpr std::chrono::milliseconds orderLimit{30'000};

Error slurmError(const ProgramAnswer& answer, const std::string& what) {
    if (answer.isLate) {
        return {ErrorCode::timeout, Where{.op = what}, "Slurm did not answer in time",
                "check that its controller runs (scontrol ping), and try again"};
    }
    return {ErrorCode::device, Where{.op = what}, answer.complaint(),
            "check the partition and the account that are set for this host"};
}

/// True if Slurm knows none of the jobs, which it reports like a failure.
bool saysUnknown(const ProgramAnswer& answer) {
    return answer.error.find("Invalid job id") != std::string::npos;
}

} // namespace

SlurmQueue::SlurmQueue(std::chrono::milliseconds pollInterval) : pollInterval_(pollInterval) {}
SlurmQueue::~SlurmQueue() = default;

JobStatus SlurmQueue::status(const std::string& number) {
    const auto [job, isNew] = jobs_.try_emplace(number);
    if (isNew) {
        job->second.status = {.state = JobState::unknown,
                              .isBeingAsked = true,
                              .number = number,
                              .reason = "querying Slurm"};
    }
    poll();
    return job->second.status;
}

std::string SlurmQueue::submit(const std::filesystem::path& folder, const std::string& script,
                               const std::vector<std::pair<std::string, std::string>>& added) {
    const ProgramAnswer answer =
        answerOf({.words = {"sbatch", "--parsable", "--export=ALL", "--output=output.txt", script},
                  .folder = folder,
                  .environment = added,
                  .limit = orderLimit});
    const std::optional<std::string> number = submittedNumber(answer.said);
    if (!answer.isFine() || !number) {
        throw slurmError(answer, "sbatch");
    }
    jobs_[*number] = {.status = {.state = JobState::waiting, .number = *number}};
    return *number;
}

void SlurmQueue::cancel(const std::string& number) {
    const ProgramAnswer answer = answerOf({.words = {"scancel", number}, .limit = orderLimit});
    if (!answer.isFine() && !saysUnknown(answer)) {
        throw slurmError(answer, "scancel");
    }
    lastQueueQuestion_ = {}; // lets the result be asked for at once
}

std::optional<std::string> SlurmQueue::jobStartedIn(const std::filesystem::path& folder) const {
    ProgramQuestion question = folderQuestion();
    question.limit = orderLimit;
    const ProgramAnswer answer = answerOf(question);
    if (!answer.isFine()) {
        throw slurmError(answer, "squeue");
    }
    return jobNumberStartedIn(answer.said, folder.string());
}

void SlurmQueue::poll() {
    if (question_ && question_->hasEnded()) {
        const std::unique_ptr<QueryProgram> ended = std::move(question_);
        take(ended->answer());
    }
    if (!question_) {
        askNext();
    }
}

std::vector<std::string> SlurmQueue::livingJobs() const {
    std::vector<std::string> living;
    for (const auto& [number, job] : jobs_) {
        if (!job.isGone && job.status.state != JobState::ended) {
            living.push_back(number);
        }
    }
    return living;
}

void SlurmQueue::askNext() {
    const auto now = Clock::now();
    const std::vector<std::string> living = livingJobs();
    if (!living.empty() && now - lastQueueQuestion_ >= pollInterval_) {
        lastQueueQuestion_ = now;
        ask(QuestionKind::queue, {}, queueQuestion(living));
        askedJobs_ = living;
        return;
    }
    for (auto& [number, job] : jobs_) {
        if (job.isGone && job.status.state != JobState::ended) {
            return job.isForgottenByController
                       ? ask(QuestionKind::accounting, number, accountingQuestion(number))
                       : ask(QuestionKind::controller, number, controllerQuestion(number));
        }
        if (job.status.state == JobState::waiting && !job.partition.empty() &&
            now - job.lastPlaceQuestion >= betweenPlaces) {
            job.lastPlaceQuestion = now;
            return ask(QuestionKind::place, number, placeQuestion(job.partition));
        }
    }
}

void SlurmQueue::ask(QuestionKind what, const std::string& number,
                     const ProgramQuestion& question) {
    asked_ = what;
    askedJobs_ = {number};
    try {
        question_ = std::make_unique<QueryProgram>(question);
    } catch (const Error& error) {
        take({.code = 127, .error = error.what()});
    }
}

void SlurmQueue::take(const ProgramAnswer& answer) {
    switch (asked_) {
    case QuestionKind::queue: return takeQueue(answer);
    case QuestionKind::place:
        jobs_[askedJobs_.front()].status.place =
            answer.isFine() ? placeIn(answer.said, askedJobs_.front()) : 0;
        return;
    case QuestionKind::controller: return takeControllerAnswer(answer);
    case QuestionKind::accounting:
        return takeEnd(answer.isFine() ? endInAccounting(answer.said) : std::nullopt);
    }
}

void SlurmQueue::takeControllerAnswer(const ProgramAnswer& answer) {
    Job& job = jobs_[askedJobs_.front()];
    if (saysUnknown(answer)) {
        job.isForgottenByController = true;
    } else if (std::optional<JobStatus> end = endInControllerAnswer(answer.said);
               answer.isFine() && end) {
        takeEnd(std::move(end));
    } else {
        job.isGone = false; // the job is in the queue again, or there was no answer: ask again
    }
}

void SlurmQueue::takeQueue(const ProgramAnswer& answer) {
    const std::map<std::string, QueuedJob> queued = queueIn(answer.said);
    const bool isKnown = answer.isFine() || saysUnknown(answer);
    for (const std::string& number : askedJobs_) {
        Job& job = jobs_[number];
        const auto at = queued.find(number);
        if (at != queued.end() && at->second.status.state != JobState::ended) {
            const std::int64_t place = job.status.place;
            job.status = at->second.status;
            job.partition = at->second.partition;
            job.status.place = job.status.state == JobState::waiting ? place : 0;
        } else if (at != queued.end() || isKnown) {
            job.isGone = true;
            job.status.reason =
                at != queued.end() ? at->second.status.reason : "Slurm no longer knows the job";
        } else {
            job.status.state = JobState::unknown;
            job.status.isBeingAsked = false;
            job.status.reason = "Slurm does not answer: " + answer.complaint();
        }
    }
}

void SlurmQueue::takeEnd(std::optional<JobStatus> end) {
    Job& job = jobs_[askedJobs_.front()];
    const JobStatus known = job.status;
    job.status =
        end ? *std::move(end) : JobStatus{.state = JobState::ended, .reason = known.reason};
    job.status.number = known.number;
}

} // namespace weft
