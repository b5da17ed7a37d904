// SPDX-License-Identifier: Apache-2.0
#include "remote/line/line_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t keptAside = 4096;

} // namespace

LineProcess::LineProcess(const std::vector<std::string>& words, bool hasOwnSession) {
    Pipe toIt = makePipe();
    Pipe fromIt = makePipe();
    Pipe aside = makePipe();
    child_.emplace(SpawnRequest{.hasOwnSession = hasOwnSession,
                                .words = words,
                                .in = toIt.out.get(),
                                .out = fromIt.in.get(),
                                .error = aside.in.get()});
    ::fcntl(aside.out.get(), F_SETFL, O_NONBLOCK);
    errors_ = std::move(aside.out);
    pipe_ = std::make_unique<PacketPipe>(std::move(fromIt.out), std::move(toIt.in));
}

LineProcess::~LineProcess() {
    pipe_.reset(); // ends the program's input
    if (!child_->endsWithin(std::chrono::milliseconds(300))) {
        child_->signal(SIGTERM);
        child_->endsWithin(std::chrono::milliseconds(700));
    }
}

const std::string& LineProcess::errorText() {
    std::array<char, 1024> bytes{};
    for (ssize_t got = 1; got > 0;) {
        got = ::read(errors_.get(), bytes.data(), bytes.size());
        errorText_.append(bytes.data(), static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0) {
            errors_ = FileHandle();
        }
    }
    if (errorText_.size() > keptAside) {
        errorText_.erase(0, errorText_.size() - keptAside);
    }
    return errorText_;
}

int LineProcess::code() {
    return child_->endsWithin(std::chrono::milliseconds(500)) ? child_->code() : -1;
}

} // namespace weft
