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

LineProcess::LineProcess(const std::vector<std::string>& words, bool isApart) {
    Pipe toIt = makePipe();
    Pipe fromIt = makePipe();
    Pipe aside = makePipe();
    child_.emplace(SpawnRequest{.isApart = isApart,
                                .words = words,
                                .in = toIt.out.get(),
                                .out = fromIt.in.get(),
                                .error = aside.in.get()});
    ::fcntl(aside.out.get(), F_SETFL, O_NONBLOCK);
    aside_ = std::move(aside.out);
    pipe_ = std::make_unique<PacketPipe>(std::move(fromIt.out), std::move(toIt.in));
}

LineProcess::~LineProcess() {
    pipe_.reset(); // ends its input
    if (!child_->endsWithin(std::chrono::milliseconds(300))) {
        child_->signal(SIGTERM);
        child_->endsWithin(std::chrono::milliseconds(700));
    }
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
    return child_->endsWithin(std::chrono::milliseconds(500)) ? child_->code() : -1;
}

} // namespace weft
