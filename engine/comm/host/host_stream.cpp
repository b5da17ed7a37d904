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
    : socket_(std::move(socket)), longest_(longest) {}

void HostStream::send(HostWord word, std::string_view text) {
    if (!isOpen()) {
        return;
    }
    text = text.substr(0, longest_);
    for (int shift = 0; shift < 32; shift += 8) {
        out_ += static_cast<char>((text.size() >> static_cast<unsigned>(shift)) & 0xFFU);
    }
    out_ += static_cast<char>(word);
    out_ += text;
    // The loss of the peer is noticed by the next read.
    static_cast<void>(write());
}

bool HostStream::write() {
    while (!out_.empty()) {
        const ssize_t sent =
            ::send(socket_.get(), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            return isLater(errno);
        }
        out_.erase(0, static_cast<std::size_t>(sent));
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
        in_.append(part.data(), static_cast<std::size_t>(got));
        if (!takeMessages(into)) {
            return false;
        }
    }
}

bool HostStream::takeMessages(std::vector<HostMessage>& into) {
    std::size_t at = 0;
    while (in_.size() - at >= headSize) {
        std::size_t length = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            length |= std::size_t{static_cast<unsigned char>(in_[at + k])} << (8 * k);
        }
        if (length > longest_) {
            return false;
        }
        if (in_.size() - at < headSize + length) {
            break;
        }
        into.push_back({static_cast<HostWord>(in_[at + 4]), in_.substr(at + headSize, length)});
        at += headSize + length;
    }
    in_.erase(0, at);
    return true;
}

} // namespace weft
