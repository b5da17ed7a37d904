// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks this host's Slurm about jobs: one question at a time about all of them, not more often than
// allowed, without waiting for answers. Not thread-safe.

#include "remote/jobs/job_status.h"
#include "remote/query_program.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

class SlurmQueue {
public:
    explicit SlurmQueue(std::chrono::milliseconds pollInterval = std::chrono::seconds(2));
    ~SlurmQueue();
    SlurmQueue(const SlurmQueue&) = delete;
    SlurmQueue& operator=(const SlurmQueue&) = delete;

    /// Returns what is known by now; callers ask again for more. `unknown` until Slurm has
    /// answered, and while it does not.
    [[nodiscard]] JobStatus status(const std::string& number); ///< as known now

    // These wait for Slurm, half a minute at most.

    /// Returns the job's number. Throws Error{device} in Slurm's words if it rejects the job, and
    /// Error{timeout} if that is unknown.
    std::string submit(const std::filesystem::path& folder, const std::string& script,
                       const std::vector<std::pair<std::string, std::string>>& added);
    void cancel(const std::string& number); ///< scancel
    /// Returns the job that was started in the folder, if Slurm still has it. Throws Error{timeout}
    /// without an answer.
    [[nodiscard]] std::optional<std::string>
    jobStartedIn(const std::filesystem::path& folder) const;

private:
    using Clock = std::chrono::steady_clock;

    enum class QuestionKind : std::uint8_t {
        queue,
        place,
        controller,
        accounting
    }; ///< what is asked

    struct Job {
        JobStatus status;           ///< as known now
        std::string partition = {}; ///< Slurm partition of the job
        bool isGone = false;        ///< no longer in the queue; its result is being asked for
        /// The controller has forgotten it; the accounting database is asked.
        bool isForgottenByController = false;  ///< the accounting database is asked instead
        Clock::time_point lastPlaceQuestion{}; ///< zero: not asked for yet
    };

    void poll(); ///< takes an answer, asks the next question
    void take(const ProgramAnswer& answer);
    void takeQueue(const ProgramAnswer& answer);
    void takeControllerAnswer(const ProgramAnswer& answer); ///< answer of scontrol
    void takeEnd(std::optional<JobStatus> end);             ///< none: no result known
    void askNext();                                         ///< if it is time
    void ask(QuestionKind what, const std::string& number, const ProgramQuestion& question);
    [[nodiscard]] std::vector<std::string> livingJobs() const; ///< not ended yet

    std::chrono::milliseconds pollInterval_;   ///< shortest interval between questions to Slurm
    std::map<std::string, Job> jobs_ = {};     ///< by job number
    std::unique_ptr<QueryProgram> question_;   ///< the program that asks Slurm now; nullptr: none
    QuestionKind asked_ = QuestionKind::queue; ///< what question_ asks
    std::vector<std::string> askedJobs_;       ///< jobs in the current question
    Clock::time_point lastQueueQuestion_{};    ///< zero: not asked yet
};

} // namespace weft
