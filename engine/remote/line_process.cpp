// SPDX-License-Identifier: Apache-2.0
#include "remote/line_process.h"

#include "remote/spawned.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t keptAside = 4096;

} // namespace

LineProcess::LineProcess(const std::vector<std::string>& words, bool isApart) {
    Pipe toIt = makePipe();
    Pipe fromIt = makePipe();
    Pipe aside = makePipe();
    process_ = spawned({.isApart = isApart,
                        .words = words,
                        .in = toIt.out.get(),
                        .out = fromIt.in.get(),
                        .error = aside.in.get()});
    ::fcntl(aside.out.get(), F_SETFL, O_NONBLOCK);
    aside_ = std::move(aside.out);
    pipe_ = std::make_unique<LetterPipe>(std::move(fromIt.out), std::move(toIt.in));
}

LineProcess::~LineProcess() {
    pipe_.reset(); // its input ends
    using namespace std::chrono;
    const auto begin = steady_clock::now();
    for (int signal = SIGTERM; !hasEnded(); signal = SIGKILL) {
        const auto limit = signal == SIGTERM ? milliseconds(300) : milliseconds(1000);
        while (!hasEnded() && steady_clock::now() - begin < limit) {
            ::poll(nullptr, 0, 5);
        }
        if (!hasEnded()) {
            ::kill(process_, signal);
        }
    }
}

bool LineProcess::hasEnded() {
    if (!isReaped_) {
        isReaped_ = ::waitpid(process_, &status_, WNOHANG) != 0;
    }
    return isReaped_;
}

const std::string& LineProcess::saidAside() {
    std::array<char, 1024> bytes{};
    for (ssize_t got = 1; got > 0;) {
        got = ::read(aside_.get(), bytes.data(), bytes.size());
        said_.append(bytes.data(), static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0) {
            aside_ = FileHandle();
        }
    }
    if (said_.size() > keptAside) {
        said_.erase(0, said_.size() - keptAside);
    }
    return said_;
}

int LineProcess::code() {
    for (int look = 0; look < 100 && !hasEnded(); ++look) {
        ::poll(nullptr, 0, 5);
    }
    if (!isReaped_) {
        return -1;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

} // namespace weft
