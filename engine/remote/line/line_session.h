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

class LineSession {
public:
    explicit LineSession(Host host) : host_(std::move(host)) {}

    // Thread-safe:
    /// Returns the future answer to a request. After a lost connection a request is sent again, so
    /// the host must execute repeated requests only once. A fetched file counts as the answer when
    /// it has arrived.
    std::future<Json> ask(Json head, std::string body = {});
    /// Starts to mirror the run and returns the mirror's folder.
    std::filesystem::path follow(const std::string& run, bool withSpans);
    /// Stops mirroring the run.
    void leave(const std::string& run); ///< stops mirroring
    /// Marks the mirror as incomplete, after something was started.
    void markIncomplete(const std::string& run); ///< asks again what the run has
    /// Returns true once the mirror has everything that the run had when last asked, false after
    /// the time limit. Throws an Error if the host refuses the run.
    bool waitForAll(const std::string& run, std::chrono::milliseconds limit);
    /// Refuses all requests, present and future.
    void close(const Error& why); ///< refuses all requests

    // Only on the connection's thread:
    /// Starts a new connection: all open requests will be sent on it.
    void begin(); ///< a new connection
    /// Sends the requests that were not sent yet.
    void send(PacketPipe& pipe);                       ///< unsent requests
    void take(const Packet& packet, PacketPipe& pipe); ///< handles a packet of the host
    /// Marks all mirrors as disconnected, with the reason. Returns true if a piece of a mirror or
    /// an answer had arrived.
    bool lose(const std::string& why, std::int64_t since);

private:
    struct Question {
        Packet packet;              ///< the request
        std::promise<Json> answer;  ///< fulfilled when the host has answered
        Json pages = Json::array(); ///< pages of a long list so far
        bool isSent = false;        ///< on the present connection
    };
    struct Copy {
        Mirror mirror;                     ///< writes the local copy
        bool withSpans = true;             ///< also mirror the spans of steps
        bool isAsked = false;              ///< requested from the host on this connection
        bool hasAll = false;               ///< it has everything that the run had when last asked
        int misfits = 0;                   ///< number of pieces that did not fit
        std::optional<Error> trouble = {}; ///< why the host refuses the run; none: it does not
    };

    void askForCopies(PacketPipe& pipe);                   ///< for each copy not requested yet
    void takePart(const Packet& packet, PacketPipe& pipe); ///< a piece of a mirrored file
    void takeStatus(const Json& head);                     ///< the run's state
    void takeAnswer(const Json& head);
    [[nodiscard]] Packet continuingRequest(const Packet& fetch);
    void takeFetched(const std::string& run, const FilePart& part); ///< adds a piece
    [[nodiscard]] bool isFetched(const std::string& run, const std::string& path) const;
    void answerFileRequests(const std::string& run, const std::string& path,
                            const std::optional<Error>& why = {});
    Copy* copyOf(const std::string& run);

    Host host_;                                       ///< the host at the other end
    std::mutex mutex_;                                ///< guards the members below
    std::condition_variable changed_;                 ///< any answer or mirror has changed
    std::int64_t lastId_ = 0;                         ///< id of the last request
    std::map<std::int64_t, Question> questions_ = {}; ///< requests without an answer, by id
    std::map<std::string, Copy> copies_ = {};         ///< mirrors that this process updates, by run
    /// Files for mirrors that other processes update.
    std::map<std::string, ComingFiles> fetched_ = {}; ///< requested files, by run
    bool hasReceived_ = false;           ///< true: a piece or an answer arrived on this connection
    std::set<std::string> stopped_ = {}; ///< mirrors that the host must be told to stop
    std::optional<Error> closed_ = {};   ///< why all requests are refused; none: open
};

/// Returns the same error with the host's name at the begin of its message.
[[nodiscard]] Error namingHost(const Error& error, const std::string& host);
/// Returns a failure that the host reports, with the host's name.
[[nodiscard]] Error refusalFrom(const std::string& text, const std::string& host);

} // namespace weft
