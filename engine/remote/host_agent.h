// SPDX-License-Identifier: Apache-2.0
#pragma once
// The other end of a line: answers what a Weft elsewhere asks, inside the folder of runs that it
// was greeted with, and ends with its input. One loop, which waits for one answer at a time;
// nothing of it stays.

#include "events/mirror_word.h"
#include "remote/file_store.h"
#include "remote/jobs.h"
#include "remote/packet_pipe.h"
#include "remote/run_stream.h"

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
    /// While an answer takes long, the other end hears so often that the line lives.
    HostAgent(FileHandle in, FileHandle out,
              std::chrono::milliseconds betweenWords = std::chrono::seconds(4));
    ~HostAgent();
    HostAgent(const HostAgent&) = delete;
    HostAgent& operator=(const HostAgent&) = delete;

    /// Until its input ends. Error{format} where no Weft speaks there.
    void serve();

private:
    using Clock = std::chrono::steady_clock;

    /// A run whose copy grows elsewhere.
    struct Followed {
        RunStream stream;
        bool isForFiles = false; ///< that are asked for, alone: another process makes the copy grow
        Clock::time_point looked = {}; ///< when what there is was sent to its end
        bool isAsked = true;
        std::optional<MirrorWord> next = {}; ///< to be said when all that was there has gone
        std::optional<MirrorWord> said = {};
        std::string complaint = {}; ///< why it can't be read; said once
    };

    void take(const Packet& packet);
    Json answerAlive(const std::string& ask, const Packet& packet);
    Json answer(const std::string& ask, const Packet& packet);
    /// How a run stands, or the job that it will be of.
    [[nodiscard]] MirrorWord wordOf(const std::string& run);
    [[nodiscard]] MirrorWord wordOrTrouble(const std::string& run, const Deadline& deadline);
    [[nodiscard]] std::vector<RunSummary> allRuns();
    Json greet(const Json& head);
    Json survey(const Json& head);
    Json listRuns(const Json& head);
    Json listFiles(const Json& head);
    /// Long lists go in several packets, the last of which is the answer: what is left for that.
    Json lastPage(std::int64_t id, Json list);
    Json follow(const Json& head);
    Json leave(const Json& head);
    Json fetch(const Json& head);
    Json tell(const Json& head);
    Json start(const Json& head);
    Json cancel(const Json& head);
    Json askNodes(const Json& head);
    Json nodes(const Json& head);
    Json put(const Packet& packet);
    Json look(const Json& head);

    /// Sends what has grown, as much as the line takes; how long that need not be done again.
    std::chrono::milliseconds pump();
    std::chrono::milliseconds pump(const std::string& run, Followed& followed);
    std::chrono::milliseconds pumpFiles(const std::string& run, Followed& followed);
    void send(const std::string& run, const FilePart& part);
    void sendWord(const std::string& run, Followed& followed);
    /// Folder of a run that exists, or whose job exists.
    [[nodiscard]] std::filesystem::path runFolder(const Json& head) const;

    PacketPipe pipe_;
    std::chrono::milliseconds betweenWords_;
    std::filesystem::path runs_; ///< empty: it was not greeted yet
    std::optional<Jobs> jobs_ = {};
    std::optional<Jobs> nodes_ = {}; ///< that ask nodes of partitions, by whose names they go
    std::optional<FileStore> files_ = {};
    std::map<std::string, Followed> followed_ = {};
    std::int64_t bytesPerSecond_ = 0;
    double allowance_ = 0;          ///< bytes that what can wait may take now
    std::size_t longestPart_ = 512; ///< bytes of a file in the next packet
    Clock::time_point filled_ = {};
};

} // namespace weft
