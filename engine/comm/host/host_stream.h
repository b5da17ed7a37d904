// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small messages over a socket that never waits: a word and a text, framed. One thread owns a
// stream.

#include "base/files.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class HostWord : std::uint8_t {
    challenge = 1, ///< hub: what to prove the secret with
    proof,         ///< rank: its number, what it drew and its proof
    welcome,       ///< hub: its own proof
    identity,      ///< rank: host, process
    beat,          ///< both, every second
    fingerprint,   ///< rank: of its plan
    agreed,        ///< hub: all have the same
    folder,        ///< rank: where the run is kept
    where,         ///< hub: what do you wait for?
    stand,         ///< rank: this
    failure,       ///< both; the hub's first one is that of all
    stop,          ///< hub: finish the step, save, end
    farewell,      ///< both: no more from here, and all is well with that
    askTime,       ///< hub: what does your clock say?
    time,          ///< rank: this
    clock          ///< hub: what makes a time of yours one of rank 0's
};

struct HostMessage {
    HostWord word = HostWord::beat;
    std::string text = {};
};

class HostStream {
public:
    HostStream() = default;
    /// The socket does not block. Longer texts than `longest` end the stream.
    explicit HostStream(FileHandle socket, std::size_t longest = std::size_t{64} << 10U);

    [[nodiscard]] int descriptor() const { return socket_.get(); }
    [[nodiscard]] bool isOpen() const { return socket_.isOpen(); }
    [[nodiscard]] bool wantsToWrite() const { return !out_.empty(); }
    void setLongest(std::size_t bytes) { longest_ = bytes; }

    /// Writes what goes out at once; the rest waits for `write`.
    void send(HostWord word, std::string_view text = {});
    /// Appends what has come; false once the other side is gone or talks nonsense.
    [[nodiscard]] bool read(std::vector<HostMessage>& into);
    [[nodiscard]] bool write();
    void close() { socket_ = FileHandle(); }

private:
    [[nodiscard]] bool takeMessages(std::vector<HostMessage>& into);

    FileHandle socket_;
    std::size_t longest_ = 0;
    std::string in_;
    std::string out_;
};

} // namespace weft
