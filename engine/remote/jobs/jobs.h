// SPDX-License-Identifier: Apache-2.0
#pragma once
// The jobs of a runs folder, each in <runs>/.jobs/<run>. A job is started from its script, as a
// process of this host or by Slurm, and later processes can find it again. Nothing is written
// outside the runs folder, whatever an order contains. Several processes may manage one folder; an
// object of this class is not thread-safe.

#include "base/files/files.h"
#include "base/process/waiting.h"
#include "remote/jobs/job_process.h"
#include "remote/jobs/job_status.h"
#include "remote/jobs/slurm_queue.h"
#include <weft/exchange.h>
#include <weft/hosts.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// A file in the runs folder's store.
struct StoredFile {
    std::string name; ///< path in the job's folder, as its design names it; may contain folders
    std::string hash; ///< hash of its content, under which the host stores it
    bool operator==(const StoredFile&) const = default;
};

struct JobOrder {
    std::string run; ///< name of the run
    /// Identifies the order: a repeated order has the same key and is executed once.
    std::string key;                 ///< equal for a repeated order, which is executed once
    JobStart start = JobStart::here; ///< here or by Slurm
    /// Resumes an existing run from its last checkpoint. An earlier job must have ended.
    bool resumesRun = false;   ///< resumes an existing run
    bool reusesScript = false; ///< use the job's earlier script of this kind, if there is one
    std::vector<ExportedFile> files = {}; ///< includes run.sh or job.sbatch
    std::vector<StoredFile> stored = {};  ///< files of the job that the host has already
};

class Jobs {
public:
    static constexpr std::chrono::seconds longestAnswer{10}; ///< time limit for answers of Slurm

    /// `program` is what jobs call as weft; empty: what their scripts name. `pollInterval` is the
    /// shortest interval between questions to Slurm.
    explicit Jobs(const std::filesystem::path& runs, std::filesystem::path program = {},
                  std::chrono::milliseconds pollInterval = std::chrono::seconds(2));

    /// Starts the job and returns the run's name: the order's, with a number appended if that name
    /// is taken. Waits for Slurm, half a minute at most. Throws an Error if the job is not started;
    /// after Error{timeout} it may have been, and the same order again finds out.
    std::string begin(const JobOrder& order); ///< starts a job; returns the run's name
    /// Returns at once. Throws Error{format} if the job's notes cannot be read.
    [[nodiscard]] JobStatus state(const std::string& run); ///< as known now
    /// Waits until Slurm has answered or failed, at most until the deadline.
    [[nodiscard]] JobStatus waitForState(const std::string& run,
                                         const Deadline& deadline = Deadline(longestAnswer));
    /// Asks the job to end and kills it after half a minute, or when called again. Does nothing if
    /// the job has ended. Throws Error{usage} if there is no job.
    void cancel(const std::string& run); ///< ends the job
    /// Removes the folders of jobs that ended at least that long ago and whose runs do not exist.
    void prune(std::chrono::hours unused); ///< removes old folders
    /// Returns the names in order.
    [[nodiscard]] std::vector<std::string> runs() const; ///< names of all runs with a job
    /// Returns the folder with the design as it was sent, and its script.
    [[nodiscard]] std::filesystem::path folderOf(const std::string& run) const; ///< .jobs/<run>

private:
    /// The content of job.json.
    struct Notes {
        std::string key;          ///< key of the order
        bool isOfSlurm = false;   ///< true: submitted to Slurm; false: a process of this host
        std::int64_t asked = 0;   ///< when it was submitted, in seconds of Unix time
        bool isCancelled = false; ///< a user cancelled it
        std::optional<ProcessIdentity> process{}; ///< none if Slurm runs the job
        std::string number{};                     ///< Slurm's job number
    };

    [[nodiscard]] std::optional<Notes> notesOf(const std::string& run) const;
    static void saveNotes(const std::filesystem::path& folder, const Notes& notes);
    [[nodiscard]] static Notes notesFor(const JobOrder& order);
    [[nodiscard]] std::optional<std::string> runWithKey(const std::string& key) const;
    [[nodiscard]] FileHandle lock() const; ///< locks all jobs of the folder

    [[nodiscard]] std::string newJob(const JobOrder& order) const; ///< returns the run's name
    [[nodiscard]] std::string resumedJob(const JobOrder& order);   ///< returns the run's name
    void undoFailedOrder(const std::string& run, const JobOrder& order,
                         const std::optional<Notes>& before) const;
    void writeFiles(const std::filesystem::path& folder, const JobOrder& order) const;
    void start(const std::string& run); ///< the prepared job
    void startProcess(const std::string& run, Notes& notes) const;
    void submit(const std::string& run, Notes& notes);
    [[nodiscard]] std::string findUnrecordedNumber(const std::string& run) const;
    [[nodiscard]] std::vector<std::pair<std::string, std::string>>
    environmentOf(const std::string& run) const;
    [[nodiscard]] JobStatus statusOf(const std::string& run, const Notes& notes);

    std::filesystem::path runs_;    ///< the runs folder
    std::filesystem::path program_; ///< program that jobs call as weft; empty: what scripts name
    SlurmQueue queue_;              ///< asks Slurm
};

} // namespace weft
