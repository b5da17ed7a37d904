// SPDX-License-Identifier: Apache-2.0
#pragma once
// Framed messages, each a word and a text, over a non-blocking socket. A stream belongs to one
// thread.

#include "base/files/files.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class HostMessageKind : std::uint8_t {
    challenge = 1, ///< hub: a random text to be signed with the secret
    proof,         ///< rank: its number, its own challenge and its proof
    welcome,       ///< hub: its own proof
    identity,      ///< rank: host, process
    beat,          ///< both: heartbeat, every second
    fingerprint,   ///< rank: fingerprint of its plan
    agreed,        ///< hub: all plans are equal
    folder,        ///< rank: the run's folder
    where,         ///< hub: asks what the rank does or waits for
    stand,         ///< rank: the answer to `where`
    failure,       ///< both; the hub sends the run's first failure to all
    stop,          ///< hub: finish the step, save, end
    farewell,      ///< both: normal end, no more messages
    askTime,       ///< hub: asks for the rank's clock
    time,          ///< rank: the answer to `askTime`
    clock          ///< hub: the offset from the rank's clock to rank 0's
};

struct HostMessage {
    HostMessageKind kind = HostMessageKind::beat;
    std::string text = {};
};

class HostStream {
public:
    HostStream() = default;
    /// The socket must not block. A text longer than `longest` ends the stream.
    explicit HostStream(FileHandle socket, std::size_t longest = std::size_t{64} << 10U);

    [[nodiscard]] int descriptor() const { return socket_.get(); }
    [[nodiscard]] bool isOpen() const { return socket_.isOpen(); }
    [[nodiscard]] bool wantsToWrite() const { return !unsent_.empty(); }
    void setMaxTextBytes(std::size_t bytes) { maxTextBytes_ = bytes; }

    /// Sends what the socket accepts at once; `write` sends the rest.
    void send(HostMessageKind kind, std::string_view text = {});
    /// Appends the messages that have arrived. False if the other side is gone or sends invalid
    /// data.
    [[nodiscard]] bool read(std::vector<HostMessage>& into);
    [[nodiscard]] bool write(); ///< sends what is left; false: the other side is gone
    void close() { socket_ = FileHandle(); }

private:
    [[nodiscard]] bool takeMessages(std::vector<HostMessage>& into);

    FileHandle socket_;
    std::size_t maxTextBytes_ = 0; ///< a longer text ends the stream
    std::string received_;         ///< bytes that are not yet complete messages
    std::string unsent_;           ///< bytes that the socket has not accepted yet
};

} // namespace weft
