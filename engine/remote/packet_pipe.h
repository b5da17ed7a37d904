// SPDX-License-Identifier: Apache-2.0
#pragma once
// One end of a connection to another host: writes packets to one descriptor and reads them from
// another. Only `transfer` waits; data that the other side does not accept yet is kept. Not
// thread-safe.

#include "base/files/files.h"
#include "remote/packet.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

class PacketPipe {
public:
    PacketPipe(FileHandle in, FileHandle out);

    void send(const Packet& packet); ///< queues it for `transfer`
    /// Returns the number of bytes that are not sent yet.
    [[nodiscard]] std::size_t unsent() const { return out_.size() - sent_; }

    /// Writes and reads what is possible. Sleeps until something is possible, a descriptor of
    /// `beside` is readable, or the time is over. Does not sleep once everything has been sent.
    void transfer(std::chrono::milliseconds limit, const std::vector<int>& beside = {});
    /// Returns a received packet. Throws Error{format} for invalid data.
    [[nodiscard]] std::optional<Packet> receive() { return reader_.next(); }
    /// True if the other side has closed its input or output.
    [[nodiscard]] bool hasEnded() const { return hasEnded_; }
    /// True if bytes have arrived since the last call.
    [[nodiscard]] bool hasHeard() { return std::exchange(hasHeard_, false); }
    /// Returns what arrived before the first packet.
    [[nodiscard]] const std::string& before() const { return reader_.before(); }

private:
    void write(); ///< as much as the other side accepts
    void read();  ///< what has arrived

    FileHandle in_;         ///< descriptor to read from
    FileHandle outFile_;    ///< descriptor to write to
    std::string out_;       ///< framed packets to write
    std::size_t sent_ = 0;  ///< bytes of `out_` that are sent
    PacketReader reader_;   ///< parses received bytes
    bool hasEnded_ = false; ///< the other side has closed
    bool hasHeard_ = false; ///< bytes have arrived since the last call of hasHeard
};

} // namespace weft
