// SPDX-License-Identifier: Apache-2.0
#pragma once
// The packets on a connection to another host: a JSON object that says what the packet is, and
// optional bytes. Framed with a magic number, lengths and a checksum; read without trust.

#include "base/text/json.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weft {

struct Packet {
    Json head = Json::object(); ///< says what the packet is
    std::string body = {};      ///< payload
};

inline constexpr std::size_t largestPacketHead = std::size_t{1} << 20U;
inline constexpr std::size_t largestPacketBody = (std::size_t{1} << 20U) + 4096;

/// Returns the framed packet. Throws Error{bug} if it exceeds the largest size.
[[nodiscard]] std::string packetBytes(const Packet& packet); ///< in its frame

/// Takes bytes in pieces of any size and returns packets.
class PacketReader {
public:
    void take(std::string_view bytes); ///< appends received bytes
    /// Returns none until a packet is complete. Throws Error{format} for invalid data; then nothing
    /// more can be read.
    [[nodiscard]] std::optional<Packet> next(); ///< none: not complete
    /// Returns the last 4096 bytes before the first packet, such as a shell's greeting. More than
    /// 64 KiB without a packet is Error{format}.
    [[nodiscard]] const std::string& before() const { return before_; }

private:
    [[nodiscard]] bool findFirst(); ///< magic number; false: not there yet

    std::string buffer_;       ///< received bytes
    std::size_t position_ = 0; ///< index in the buffer of the first byte that was not read yet
    std::string before_;       ///< the last 4096 bytes before the first packet
    std::size_t skipped_ = 0;  ///< number of bytes before the first packet
    bool hasBegun_ = false;    ///< the first packet was found
};

} // namespace weft
