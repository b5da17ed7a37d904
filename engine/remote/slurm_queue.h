// SPDX-License-Identifier: Apache-2.0
#pragma once
// This host's Slurm, asked about jobs: one question at a time, about all of them at once, never
// oftener than said, and nobody waits for an answer. Belongs to one thread.

#include "remote/job_word.h"
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
    explicit SlurmQueue(std::chrono::milliseconds betweenLooks = std::chrono::seconds(2));
    ~SlurmQueue();
    SlurmQueue(const SlurmQueue&) = delete;
    SlurmQueue& operator=(const SlurmQueue&) = delete;

    /// As far as it is known by now; who wants to know more asks again. `unknown` until Slurm has
    /// answered, and while it doesn't.
    [[nodiscard]] JobWord word(const std::string& number);

    // These wait for Slurm, half a minute at most.

    /// Its number. Error{device} in Slurm's own words where it takes no such job; Error{timeout}
    /// where nobody knows whether it did.
    std::string submit(const std::filesystem::path& folder, const std::string& script,
                       const std::vector<std::pair<std::string, std::string>>& added);
    void cancel(const std::string& number);
    /// The job that was begun in the folder, if Slurm still has it. Error{timeout} where it does
    /// not answer.
    [[nodiscard]] std::optional<std::string> begunIn(const std::filesystem::path& folder) const;

private:
    using Clock = std::chrono::steady_clock;

    enum class Asked : std::uint8_t { queue, place, sheet, account };

    struct Job {
        JobWord word;
        std::string partition = {};
        bool isGone = false;            ///< from the queue: how it ended is asked
        bool isOutOfSheets = false;     ///< the accounts are asked
        Clock::time_point placeAsked{}; ///< never
    };

    void turn();
    void take(const ProgramAnswer& answer);
    void takeQueue(const ProgramAnswer& answer);
    void takeSheet(const ProgramAnswer& answer);
    void takeEnd(std::optional<JobWord> end);
    void askNext();
    void ask(Asked what, const std::string& number, const ProgramQuestion& question);
    [[nodiscard]] std::vector<std::string> livingJobs() const;

    std::chrono::milliseconds betweenLooks_;
    std::map<std::string, Job> jobs_ = {};
    std::unique_ptr<QueryProgram> question_;
    Asked asked_ = Asked::queue;
    std::vector<std::string> about_; ///< jobs that the question is about
    Clock::time_point queueAsked_{}; ///< never
};

} // namespace weft
