// SPDX-License-Identifier: Apache-2.0
#include "remote/line/remote_shell.h"

#include "exchange/quoting.h"
#include "remote/line/line_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t mostKept = std::size_t{64} << 10U;

/// Reads what has arrived and keeps only the end of long text. True if anything arrived.
bool hearInto(FileHandle& from, std::string& text) {
    std::array<char, 16384> part{};
    const ssize_t got = ::read(from.get(), part.data(), part.size());
    if (got == 0) {
        from = FileHandle();
    }
    text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    text.erase(0, text.size() - std::min(text.size(), mostKept));
    return got > 0;
}

} // namespace

RemoteShell::RemoteShell(const Host& host, std::string_view script, bool mayAsk) {
    // A socket, so that writing to a closed end can avoid SIGPIPE.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throwFileError("a socket", "make", errno);
    }
    input_ = FileHandle(ends[0]);
    const FileHandle theirs(ends[1]);
    Pipe said = makePipe();
    Pipe aside = makePipe();
    // Works with any login shell, which passes the script to sh.
    child_.emplace(
        SpawnRequest{.hasOwnSession = !mayAsk,
                     .words = lineCommand(host, "exec sh -c " + shellWord(script), mayAsk),
                     .in = theirs.get(),
                     .out = said.in.get(),
                     .error = aside.in.get()});
    for (const int descriptor : {input_.get(), said.out.get(), aside.out.get()}) {
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    }
    output_ = std::move(said.out);
    errors_ = std::move(aside.out);
}

RemoteShell::~RemoteShell() {
    input_ = FileHandle();
    // When its input ends, the script ends by itself and cleans up.
    child_->endsWithin(std::chrono::milliseconds(500));
}

void RemoteShell::queueInput(std::string_view bytes) {
    unsentInput_.erase(0, std::exchange(sent_, 0));
    unsentInput_ += bytes;
}

bool RemoteShell::sendSome() {
    if (!input_.isOpen() || unsent() == 0) {
        return false;
    }
    const ssize_t gone = ::send(input_.get(), unsentInput_.data() + sent_, unsent(), MSG_NOSIGNAL);
    if (gone < 0 && errno != EAGAIN && errno != EINTR) {
        input_ = FileHandle(); // the script has closed its input, and says why
    }
    sent_ += static_cast<std::size_t>(std::max<ssize_t>(gone, 0));
    return gone > 0;
}

bool RemoteShell::receiveOutput() {
    const bool hasSaid = hearInto(output_, lines_);
    return hearInto(errors_, asideText_) || hasSaid;
}

void RemoteShell::checkForEnd() {
    if (!hasEnded_ && child_->hasEnded()) {
        hasEnded_ = true;
        // Other processes may hold its outputs open, such as ssh's shared connection.
        while (receiveOutput()) {
        }
    }
}

bool RemoteShell::transfer(std::chrono::milliseconds limit) {
    // The end of the child is found by polling.
    constexpr std::chrono::milliseconds look{20};
    std::array<pollfd, 3> all{{{output_.get(), POLLIN, 0},
                               {errors_.get(), POLLIN, 0},
                               {input_.isOpen() && unsent() > 0 ? input_.get() : -1, POLLOUT, 0}}};
    ::poll(all.data(), all.size(), static_cast<int>(std::min(limit, look).count()));
    const bool hasSent = sendSome();
    const bool hasHeard = receiveOutput();
    if (isInputWhole_ && unsent() == 0) {
        input_ = FileHandle();
    }
    checkForEnd();
    return hasSent || hasHeard;
}

std::optional<std::string> RemoteShell::nextLine() {
    const std::size_t end = lines_.find('\n');
    if (end == std::string::npos) {
        return std::nullopt;
    }
    std::string line = lines_.substr(0, end);
    lines_.erase(0, end + 1);
    return line;
}

} // namespace weft
