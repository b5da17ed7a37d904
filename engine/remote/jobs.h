// SPDX-License-Identifier: Apache-2.0
#pragma once
// The jobs of a runs folder, each in <runs>/.jobs/<run>: begun by its script, as a process of this
// host or by its Slurm, and known again by whoever comes later. Nothing is written outside the runs
// folder, whatever an order says. Several processes may look after one folder; an object of this
// belongs to one thread.

#include "base/files.h"
#include "base/waiting.h"
#include "remote/job_process.h"
#include "remote/job_word.h"
#include "remote/slurm_queue.h"
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

/// One that has come into the runs folder's store.
struct StoredFile {
    std::string name; ///< in the job's folder, as its design has it; may have folders
    std::string hash;
    bool operator==(const StoredFile&) const = default;
};

struct JobOrder {
    std::string run; ///< its name
    std::string key; ///< an order that comes twice has the same and is done once
    JobStart start = JobStart::here;
    /// The run is there, and goes on from its last checkpoint. Its job, if it has one, has ended.
    bool goesOn = false;
    bool isAsBefore = false; ///< by the script that it has, where it has one of that sort
    std::vector<ExportedFile> files = {}; ///< run.sh or job.sbatch among them
    std::vector<StoredFile> stored = {};
};

class Jobs {
public:
    static constexpr std::chrono::seconds longestAnswer{10}; ///< of Slurm, where it is waited for

    /// `program`: what jobs call as weft; empty: what their scripts name. Slurm is asked so often
    /// at most.
    explicit Jobs(const std::filesystem::path& runs, std::filesystem::path program = {},
                  std::chrono::milliseconds betweenLooks = std::chrono::seconds(2));

    /// The name that the run has: the order's, with a number behind where that is taken. Waits for
    /// Slurm, half a minute at most. Error where it isn't begun; only what is Error{timeout} may
    /// be: the same order again finds it out.
    std::string begin(const JobOrder& order);
    /// Never waits. Error{format} where the job's own notes can't be read.
    [[nodiscard]] JobWord state(const std::string& run);
    /// Waits until Slurm has said it or failed, no longer than that.
    [[nodiscard]] JobWord knownState(const std::string& run,
                                     const Deadline& deadline = Deadline(longestAnswer));
    /// The job is asked to end; half a minute later, or asked again, it is ended. One that has
    /// ended stays as it is. Error{usage} where there is none.
    void cancel(const std::string& run);
    /// What is left of jobs that ended so long ago and whose runs are not there, or not any more,
    /// goes.
    void prune(std::chrono::hours unused);
    /// In order.
    [[nodiscard]] std::vector<std::string> runs() const;
    /// Where the design lies as it was sent, with its script.
    [[nodiscard]] std::filesystem::path folderOf(const std::string& run) const;

private:
    /// What job.json says.
    struct Notes {
        std::string key;
        bool isOfSlurm = false;
        std::int64_t asked = 0; ///< seconds of Unix time
        bool isCancelled = false;
        std::optional<ProcessMark> process{}; ///< either, once it was begun
        std::string number{};
    };

    [[nodiscard]] std::optional<Notes> notesOf(const std::string& run) const;
    static void keep(const std::filesystem::path& folder, const Notes& notes);
    [[nodiscard]] static Notes notesFor(const JobOrder& order);
    [[nodiscard]] std::optional<std::string> runWithKey(const std::string& key) const;
    [[nodiscard]] FileHandle lock() const;

    [[nodiscard]] std::string newJob(const JobOrder& order) const;
    [[nodiscard]] std::string furtherJob(const JobOrder& order);
    void forget(const std::string& run, const JobOrder& order,
                const std::optional<Notes>& before) const;
    void fill(const std::filesystem::path& folder, const JobOrder& order) const;
    void start(const std::string& run);
    void startProcess(const std::string& run, Notes& notes) const;
    void submit(const std::string& run, Notes& notes);
    [[nodiscard]] std::string numberNotKept(const std::string& run) const;
    [[nodiscard]] std::vector<std::pair<std::string, std::string>>
    variablesOf(const std::string& run) const;
    [[nodiscard]] JobWord wordOf(const std::string& run, const Notes& notes);

    std::filesystem::path runs_;
    std::filesystem::path program_;
    SlurmQueue queue_;
};

} // namespace weft
