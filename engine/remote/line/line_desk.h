// SPDX-License-Identifier: Apache-2.0
#pragma once
// The work of a connection: requests with the futures of their answers, and the mirrors of runs
// that it updates. Only the first functions are thread-safe; the others belong to the connection's
// thread.

#include "remote/mirror/mirror.h"
#include "remote/packet_pipe.h"
#include <weft/hosts.h>

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weft {

class LineDesk {
public:
    explicit LineDesk(Host host) : host_(std::move(host)) {}

    // Thread-safe:
    /// Returns the future answer to a request. After a lost connection a request is sent again, so
    /// the host must execute repeated requests only once. A fetched file counts as the answer when
    /// it has arrived.
    std::future<Json> ask(Json head, std::string body = {});
    /// Starts to mirror the run and returns the mirror's folder.
    std::filesystem::path follow(const std::string& run, bool withSpans);
    /// Stops mirroring the run.
    void leave(const std::string& run);
    /// Marks the mirror as incomplete, after something was started.
    void askAnew(const std::string& run);
    /// Returns true once the mirror has everything that the run had when last asked, false after
    /// the time limit. Throws an Error if the host refuses the run.
    bool waitForAll(const std::string& run, std::chrono::milliseconds limit);
    /// Refuses all requests, present and future.
    void close(const Error& why);

    // Only on the connection's thread:
    /// Starts a new connection: all open requests will be sent on it.
    void begin();
    /// Sends the requests that were not sent yet.
    void send(PacketPipe& pipe);
    void take(const Packet& packet, PacketPipe& pipe);
    /// Marks all mirrors as disconnected, with the reason. Returns true if a piece of a mirror or
    /// an answer had arrived.
    bool lose(const std::string& why, std::int64_t since);

private:
    struct Question {
        Packet packet;
        std::promise<Json> answer;
        Json pages = Json::array(); ///< pages of a long list so far
        bool isSent = false;
    };
    struct Copy {
        Mirror mirror;
        bool withSpans = true;
        bool isAsked = false; ///< requested from the host on this connection
        bool hasAll = false;
        int strange = 0; ///< number of pieces that did not fit
        std::optional<Error> trouble = {};
    };

    void askForCopies(PacketPipe& pipe);
    void takePart(const Packet& packet, PacketPipe& pipe);
    void takeWord(const Json& head);
    void takeAnswer(const Json& head);
    [[nodiscard]] Packet goingOn(const Packet& fetch);
    void takeFetched(const std::string& run, const FilePart& part);
    [[nodiscard]] bool isFetched(const std::string& run, const std::string& path) const;
    void tellOfFile(const std::string& run, const std::string& path,
                    const std::optional<Error>& why = {});
    Copy* copyOf(const std::string& run);

    Host host_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::int64_t lastId_ = 0;
    std::map<std::int64_t, Question> questions_ = {};
    std::map<std::string, Copy> copies_ = {};
    /// Files for mirrors that other processes update.
    std::map<std::string, ComingFiles> fetched_ = {};
    bool hasBrought_ = false;
    std::set<std::string> left_ = {}; ///< mirrors that the host must be told to stop
    std::optional<Error> closed_ = {};
};

/// Returns the same error with the host's name at the begin of its message.
[[nodiscard]] Error namingHost(const Error& error, const std::string& host);
/// Returns a failure that the host reports, with the host's name.
[[nodiscard]] Error refusalFrom(const std::string& text, const std::string& host);

} // namespace weft
