// SPDX-License-Identifier: Apache-2.0
#pragma once
// What goes over a line to another host: packets, each a JSON object that says what it is and bytes
// that it brings. Framed with a magic, lengths and a checksum; read without trust.

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weft {

struct Packet {
    Json head = Json::object();
    std::string body = {}; ///< bytes
};

inline constexpr std::size_t largestPacketHead = std::size_t{1} << 20U;
inline constexpr std::size_t largestPacketBody = (std::size_t{1} << 20U) + 4096;

/// Framed. Error{bug} where it is larger than a packet may be.
[[nodiscard]] std::string packetBytes(const Packet& packet);

/// Takes bytes as they come, in any pieces, and gives packets.
class PacketReader {
public:
    void take(std::string_view bytes);
    /// Nothing while none is whole. Error{format} for what is no packet: nothing more can be read.
    [[nodiscard]] std::optional<Packet> next();
    /// What came before the first packet, as a shell's greeting: its last 4096 bytes. More than
    /// 64 KiB of it without a packet is Error{format}.
    [[nodiscard]] const std::string& before() const { return before_; }

private:
    [[nodiscard]] bool findFirst();

    std::string buffer_;
    std::size_t at_ = 0; ///< in the buffer: what is not read yet
    std::string before_;
    std::size_t skipped_ = 0;
    bool hasBegun_ = false;
};

} // namespace weft
