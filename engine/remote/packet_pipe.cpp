// SPDX-License-Identifier: Apache-2.0
#include "remote/packet_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace weft {

namespace {

void makeNonBlocking(int file) { ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) | O_NONBLOCK); }

bool isForLater(int number) { return number == EAGAIN || number == EWOULDBLOCK || number == EINTR; }

} // namespace

PacketPipe::PacketPipe(FileHandle in, FileHandle out)
    : in_(std::move(in)), outFile_(std::move(out)) {
    makeNonBlocking(in_.get());
    makeNonBlocking(outFile_.get());
}

void PacketPipe::send(const Packet& packet) {
    if (sent_ == out_.size()) {
        out_.clear();
        sent_ = 0;
    } else if (sent_ > out_.size() / 2) {
        out_.erase(0, sent_);
        sent_ = 0;
    }
    out_ += packetBytes(packet);
}

void PacketPipe::write() {
    while (unsent() > 0 && outFile_.isOpen()) {
        const ssize_t written = ::write(outFile_.get(), out_.data() + sent_, unsent());
        if (written < 0) {
            // The other side has closed its input. (The process ignores SIGPIPE.)
            hasEnded_ = hasEnded_ || !isForLater(errno);
            return;
        }
        sent_ += static_cast<std::size_t>(written);
    }
}

void PacketPipe::read() {
    std::vector<char> bytes(std::size_t{256} << 10U);
    // One buffer per turn, so that a fast sender does not starve the caller.
    const ssize_t got = ::read(in_.get(), bytes.data(), bytes.size());
    if (got > 0) {
        hasHeard_ = true;
        reader_.take({bytes.data(), static_cast<std::size_t>(got)});
    } else {
        hasEnded_ = hasEnded_ || got == 0 || !isForLater(errno);
    }
}

void PacketPipe::transfer(std::chrono::milliseconds limit, const std::vector<int>& beside) {
    const bool hadMore = unsent() > 0;
    write();
    if (hadMore && unsent() == 0) {
        limit = {}; // the caller may have more to send
    }
    std::vector<pollfd> waiting{{in_.get(), POLLIN, 0},
                                {unsent() > 0 ? outFile_.get() : -1, POLLOUT, 0}};
    for (const int file : beside) {
        waiting.push_back({file, POLLIN, 0});
    }
    if (hasEnded_) {
        return;
    }
    ::poll(waiting.data(), waiting.size(), static_cast<int>(limit.count()));
    if (waiting[0].revents != 0) {
        read();
    }
    if (waiting[1].revents != 0) {
        write();
    }
}

} // namespace weft
