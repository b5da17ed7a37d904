// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a line has to do: questions on their way with those who wait for their answers, and the
// copies of runs that it makes grow. Belongs to the line's thread, but for asking.

#include "remote/mirror.h"
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

    // Any thread.
    /// A future answer. What is said twice must be done once: after a lost line it is asked again.
    /// What is fetched has been answered when it is there.
    std::future<Json> ask(Json head, std::string body = {});
    /// The run's copy is to grow; its folder.
    std::filesystem::path follow(const std::string& run, bool withSpans);
    /// The copy is to grow no more.
    void leave(const std::string& run);
    /// What the copy has is not all any more, once something was begun.
    void askAnew(const std::string& run);
    /// True once the copy has all that the run had when it was last asked about; Error as the host
    /// refuses the run. False: not yet, after so long.
    bool waitForAll(const std::string& run, std::chrono::milliseconds limit);
    /// Whoever waits is refused, now and later.
    void close(const Error& why);

    // The line's thread.
    /// A line is new: all that is asked is to be asked on it.
    void begin();
    /// What has not been asked yet.
    void send(PacketPipe& pipe);
    void take(const Packet& packet, PacketPipe& pipe);
    /// The copies say that it is lost, and why. True if a piece of a copy or an answer had come.
    bool lose(const std::string& why, std::int64_t since);

private:
    struct Question {
        Packet packet;
        std::promise<Json> answer;
        Json pages = Json::array(); ///< of a long list, as far as it has come
        bool isSent = false;
    };
    struct Copy {
        Mirror mirror;
        bool withSpans = true;
        bool isAsked = false; ///< the host was asked for it on this line
        bool hasAll = false;
        int strange = 0; ///< pieces that did not fit
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
    std::map<std::string, ComingFiles> fetched_ = {}; ///< of copies that others make grow
    bool hasBrought_ = false;
    std::set<std::string> left_ = {}; ///< copies of which the host is still to be told
    std::optional<Error> closed_ = {};
};

/// The same error, with the host's name: its message begins with that.
[[nodiscard]] Error namingHost(const Error& error, const std::string& host);
/// A failure that the host tells, with its name.
[[nodiscard]] Error refusalFrom(const std::string& text, const std::string& host);

} // namespace weft
