// SPDX-License-Identifier: Apache-2.0
#pragma once
// One end of a line to another host: packets out by one descriptor, in by another. Never waits but
// in `turn`; what the other side does not take yet is kept. Belongs to one thread.

#include "base/files.h"
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

    void send(const Packet& packet);
    /// Bytes that are still to go.
    [[nodiscard]] std::size_t unsent() const { return out_.size() - sent_; }

    /// Writes what goes and reads what has come; sleeps until there is one or the other, one of the
    /// descriptors beside has something to read, or so long. Does not sleep once all has gone that
    /// was to go.
    void turn(std::chrono::milliseconds limit, const std::vector<int>& beside = {});
    /// A packet that has come. Error{format} for what is none.
    [[nodiscard]] std::optional<Packet> receive() { return reader_.next(); }
    /// The other side reads no more, or has nothing more to say.
    [[nodiscard]] bool hasEnded() const { return hasEnded_; }
    /// Bytes have come since it was asked last.
    [[nodiscard]] bool hasHeard() { return std::exchange(hasHeard_, false); }
    /// What came before the first packet.
    [[nodiscard]] const std::string& before() const { return reader_.before(); }

private:
    void write();
    void read();

    FileHandle in_;
    FileHandle outFile_;
    std::string out_;
    std::size_t sent_ = 0; ///< of `out_`
    PacketReader reader_;
    bool hasEnded_ = false;
    bool hasHeard_ = false;
};

} // namespace weft
