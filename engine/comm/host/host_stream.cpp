// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_stream.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t headSize = 5; // length of the text (four bytes) and the word

bool isLater(int number) { return number == EAGAIN || number == EWOULDBLOCK || number == EINTR; }

} // namespace

HostStream::HostStream(FileHandle socket, std::size_t longest)
    : socket_(std::move(socket)), maxTextBytes_(longest) {}

void HostStream::send(HostMessageKind kind, std::string_view text) {
    if (!isOpen()) {
        return;
    }
    text = text.substr(0, maxTextBytes_);
    for (int shift = 0; shift < 32; shift += 8) {
        unsent_ += static_cast<char>((text.size() >> static_cast<unsigned>(shift)) & 0xFFU);
    }
    unsent_ += static_cast<char>(kind);
    unsent_ += text;
    // The loss of the peer is noticed by the next read.
    static_cast<void>(write());
}

bool HostStream::write() {
    while (!unsent_.empty()) {
        const ssize_t sent =
            ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            return isLater(errno);
        }
        unsent_.erase(0, static_cast<std::size_t>(sent));
    }
    return true;
}

bool HostStream::read(std::vector<HostMessage>& into) {
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t got = ::recv(socket_.get(), part.data(), part.size(), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && !isLater(errno))) {
            return false;
        }
        if (got < 0) {
            return true;
        }
        received_.append(part.data(), static_cast<std::size_t>(got));
        if (!takeMessages(into)) {
            return false;
        }
    }
}

bool HostStream::takeMessages(std::vector<HostMessage>& into) {
    std::size_t at = 0;
    while (received_.size() - at >= headSize) {
        std::size_t length = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            length |= std::size_t{static_cast<unsigned char>(received_[at + k])} << (8 * k);
        }
        if (length > maxTextBytes_) {
            return false;
        }
        if (received_.size() - at < headSize + length) {
            break;
        }
        into.push_back({static_cast<HostMessageKind>(received_[at + 4]),
                        received_.substr(at + headSize, length)});
        at += headSize + length;
    }
    received_.erase(0, at);
    return true;
}

} // namespace weft
