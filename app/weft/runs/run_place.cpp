// SPDX-License-Identifier: Apache-2.0
#include "runs/run_place.h"

#include "command_line/say.h"
#include <weft/error.h>

#include <unistd.h>

#include <chrono>

namespace weft {

namespace fs = std::filesystem;

RunPlace::RunPlace(const std::string& word, bool reconnects)
    : folder_(word), reconnects_(reconnects) {
    std::error_code ignored;
    const auto there = fs::exists(word, ignored) ? std::nullopt : remoteRunNamed(word);
    if (!there) {
        return;
    }
    folder_ = mirrorFolder(*there);
    run_ = there->run;
    line_ = std::make_unique<HostLine>(
        hostNamed(there->host),
        LineOptions{.mayAsk = ::isatty(STDERR_FILENO) == 1, .reconnects = reconnects});
}

void RunPlace::updateCopy(bool withSpans) {
    if (!line_) {
        return;
    }
    try {
        line_->waitUntilUp();
        if (reconnects_ && !reporter_.joinable()) { // the wait below may be long
            reporter_ =
                std::jthread([this](const std::stop_token& stop) { reportConnection(stop); });
        }
        line_->follow(run_, withSpans);
        line_->waitForAll(run_);
    } catch (const Error& error) {
        isLost_ = error.code() == ErrorCode::peer || error.code() == ErrorCode::timeout;
        std::error_code none;
        if (!isLost_ || !fs::exists(folder_ / "design.weft", none)) {
            throw;
        }
        warn("{}\nweft: showing the local copy of the run, which may be incomplete", error.what());
    }
}

/// Reports once that the connection is lost and once that it is back. "Back" is reported only after
/// the connection has lasted for a while, since a bad connection returns many times.
void RunPlace::reportConnection(const std::stop_token& stop) const {
    constexpr std::chrono::seconds steady{3};
    const std::string& host = line_->host().name;
    bool wasLost = false;
    while (!stop.stop_requested()) {
        const LineStatus word = line_->status();
        if (word.state == LineState::lost && !wasLost) {
            const std::string begin = host + ": ";
            const std::string_view why(word.why);
            warn("{}connection lost, reconnecting: {}", begin,
                 why.substr(why.starts_with(begin) ? begin.size() : 0));
            wasLost = true;
        } else if (wasLost && word.state == LineState::up && word.stands >= steady) {
            warn("{}: connected again", host);
            wasLost = false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    if (wasLost && line_->status().state == LineState::up) {
        warn("{}: connected again", host);
    }
}

void RunPlace::fetchFiles(const std::function<bool(const std::string& path)>& isWanted) {
    if (!line_ || isLost_) {
        return;
    }
    for (const RemoteFile& file : line_->files(run_)) {
        std::error_code gone;
        const auto here = fs::file_size(folder_ / file.path, gone);
        const bool isHere = !gone && static_cast<std::int64_t>(here) == file.bytes.count;
        if (!isHere && isWanted(file.path)) {
            line_->fetch(run_, file.path);
        }
    }
}

void RunPlace::fetchNewestCheckpoint() {
    std::string newest;
    fetchFiles([&](const std::string& path) {
        const bool isOne = path.starts_with("checkpoints/") && path.ends_with(".safetensors");
        newest = isOne ? std::max(newest, path) : newest;
        return false;
    });
    fetchFiles([&](const std::string& path) { return path == newest; });
}

} // namespace weft
