// SPDX-License-Identifier: Apache-2.0
#pragma once
// The other end of a connection: answers requests of a Weft on another host, within the folder of
// runs that its greeting names, and ends with its input. One loop that answers one request at a
// time. Nothing of it outlives the process.

#include "events/mirror_status.h"
#include "remote/jobs/file_store.h"
#include "remote/jobs/jobs.h"
#include "remote/mirror/run_stream.h"
#include "remote/packet_pipe.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace weft {

/// Protocol version; both ends must agree.
inline constexpr int wireVersion = 1;

class HostAgent {
public:
    /// While an answer takes long, sends a sign of life at this interval.
    HostAgent(FileHandle in, FileHandle out,
              std::chrono::milliseconds aliveInterval = std::chrono::seconds(4));
    ~HostAgent();
    HostAgent(const HostAgent&) = delete;
    HostAgent& operator=(const HostAgent&) = delete;

    /// Serves until its input ends. Throws Error{format} if the other end is no Weft.
    void serve();

private:
    using Clock = std::chrono::steady_clock;

    /// A run that is mirrored at the other end.
    struct MirroredRun {
        RunStream stream;        ///< finds what the mirror lacks
        bool isForFiles = false; ///< only requested files, since another process updates the mirror
        Clock::time_point looked = {}; ///< when everything there was had been sent
        bool isAsked = true; ///< true: look for new data at once, without waiting for the interval
        /// State to be sent after all data that existed when it was read.
        std::optional<MirrorStatus> toSend = {};
        std::optional<MirrorStatus> lastSent = {}; ///< status that was sent last
        std::string complaint = {};                ///< why the run cannot be read; sent once
    };

    void take(const Packet& packet); ///< handles a packet and sends its answer
    Json answerAlive(const std::string& ask, const Packet& packet);
    Json answer(const std::string& ask, const Packet& packet); ///< `ask`: kind of the request
    /// Returns the state of a run, or of the job that will become the run.
    [[nodiscard]] MirrorStatus statusOf(const std::string& run);
    [[nodiscard]] MirrorStatus statusOrTrouble(const std::string& run, const Deadline& deadline);
    [[nodiscard]] std::vector<RunSummary> allRuns();
    Json greet(const Json& head);  ///< sets runs_
    Json survey(const Json& head); ///< surveys this host
    Json listRuns(const Json& head);
    Json listFiles(const Json& head);
    /// Sends a long list in several packets and returns the rest, which goes into the answer.
    Json lastPage(std::int64_t id, Json list); ///< the last part of a long list
    Json follow(const Json& head);             ///< starts to mirror a run
    Json leave(const Json& head);              ///< stops mirroring
    Json fetch(const Json& head);              ///< requests a file of a run
    Json tell(const Json& head);               ///< passes a command to a live run
    Json start(const Json& head);              ///< starts a job
    Json cancel(const Json& head);             ///< cancels a job
    Json askNodes(const Json& head);           ///< submits a job that surveys a node
    Json nodes(const Json& head);              ///< returns what that job found
    Json put(const Packet& packet);            ///< stores a piece of a file
    Json look(const Json& head);               ///< checks data in a folder

    /// Sends new data as far as the connection accepts it. Returns how long to wait before the next
    /// call.
    std::chrono::milliseconds pump(); ///< sends to all mirrors
    std::chrono::milliseconds pump(const std::string& run, MirroredRun& followed);
    std::chrono::milliseconds pumpFiles(const std::string& run, MirroredRun& followed);
    void send(const std::string& run, const FilePart& part); ///< in packets
    void sendStatus(const std::string& run, MirroredRun& followed);
    /// Returns the folder of a run that exists or whose job exists.
    [[nodiscard]] std::filesystem::path runFolder(const Json& head) const;

    PacketPipe pipe_;
    std::chrono::milliseconds aliveInterval_; ///< interval of signs of life
    std::filesystem::path runs_;              ///< empty before the greeting
    std::optional<Jobs> jobs_ = {};           ///< empty before the greeting
    std::optional<Jobs> nodes_ = {}; ///< jobs that ask the nodes of partitions, named after these
    std::optional<FileStore> files_ = {};              ///< files received for jobs
    std::map<std::string, MirroredRun> followed_ = {}; ///< keyed by run
    std::int64_t bytesPerSecond_ = 0;                  ///< limit for data of low priority; 0: none
    double allowance_ = 0;          ///< bytes that data of low priority may use now
    std::size_t longestPart_ = 512; ///< bytes of a file in the next packet
    Clock::time_point filled_ = {}; ///< when allowance_ was increased last
};

} // namespace weft
