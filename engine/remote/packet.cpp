// SPDX-License-Identifier: Apache-2.0
#include "remote/packet.h"

#include "base/hash.h"
#include <weft/error.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace weft {

namespace {

constexpr std::string_view magic = "weftline";
constexpr std::size_t mostBefore = std::size_t{64} << 10U;
constexpr std::size_t keptBefore = 4096;

/// The layout in a frame, after the magic number.
struct Sizes {
    std::uint32_t head = 0;
    std::uint32_t body = 0;
    std::uint64_t checksum = 0; ///< covers head, body and their sizes
};

std::uint64_t checksumOf(const Sizes& sizes, std::string_view content) {
    return hash64(content, (std::uint64_t{sizes.head} << 32U) | sizes.body);
}

constexpr std::size_t frameSize = magic.size() + sizeof(Sizes);

[[noreturn]] void throwGarbled(const char* what) {
    throw Error(
        ErrorCode::format, Where{}, what,
        "the connection transmits text that is not from Weft: try its command in a terminal");
}

} // namespace

std::string packetBytes(const Packet& packet) {
    const std::string head = jsonText(packet.head);
    if (head.size() > largestPacketHead || packet.body.size() > largestPacketBody) {
        throw Error(ErrorCode::bug, {}, "a message is larger than the protocol allows",
                    "this is a fault of Weft: please report it");
    }
    Sizes sizes{static_cast<std::uint32_t>(head.size()),
                static_cast<std::uint32_t>(packet.body.size())};
    std::string content = head + packet.body;
    sizes.checksum = checksumOf(sizes, content);
    std::string bytes(magic);
    bytes.append(reinterpret_cast<const char*>(&sizes), sizeof(sizes));
    return bytes += content;
}

void PacketReader::take(std::string_view bytes) {
    if (position_ == buffer_.size()) {
        buffer_.clear();
        position_ = 0;
    } else if (position_ > buffer_.size() / 2) {
        buffer_.erase(0, position_);
        position_ = 0;
    }
    buffer_.append(bytes);
}

bool PacketReader::findFirst() {
    const std::size_t found = buffer_.find(magic, position_);
    // The end of the text may be the begin of the magic number.
    const std::size_t end =
        found != std::string::npos
            ? found
            : std::max(position_, buffer_.size() - std::min(buffer_.size(), magic.size() - 1));
    skipped_ += end - position_;
    before_.append(buffer_, position_, end - position_);
    if (before_.size() > keptBefore) {
        before_.erase(0, before_.size() - keptBefore);
    }
    position_ = end;
    hasBegun_ = found != std::string::npos;
    if (!hasBegun_ && skipped_ > mostBefore) {
        throwGarbled("64 KiB arrived without a message of Weft");
    }
    return hasBegun_;
}

std::optional<Packet> PacketReader::next() {
    if (!hasBegun_ && !findFirst()) {
        return std::nullopt;
    }
    const std::string_view there = std::string_view(buffer_).substr(position_);
    const std::size_t known = std::min(there.size(), magic.size());
    if (there.substr(0, known) != magic.substr(0, known)) {
        throwGarbled("bytes between two messages");
    }
    if (there.size() < frameSize) {
        return std::nullopt;
    }
    Sizes sizes;
    std::memcpy(&sizes, there.data() + magic.size(), sizeof(sizes));
    if (sizes.head > largestPacketHead || sizes.body > largestPacketBody) {
        throwGarbled("a message that is longer than the protocol allows");
    }
    const std::size_t length = std::size_t{sizes.head} + sizes.body;
    if (there.size() < frameSize + length) {
        return std::nullopt;
    }
    const std::string_view content = there.substr(frameSize, length);
    if (checksumOf(sizes, content) != sizes.checksum) {
        throwGarbled("a message with a wrong checksum");
    }
    Packet packet;
    packet.head = parseJson(content.substr(0, sizes.head), "a letter",
                            {.bytes = largestPacketHead, .depth = 64});
    if (!packet.head.is_object()) {
        throwGarbled("an empty message");
    }
    packet.body = content.substr(sizes.head);
    position_ += frameSize + length;
    return packet;
}

} // namespace weft
