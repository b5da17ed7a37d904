// SPDX-License-Identifier: Apache-2.0
#include "written_run.h"

#include "base/files/files.h"
#include "remote/mirror/mirrored_file.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace weft::test {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t spanBytes = 60'000;

/// The spans of one worker's step as a channel puts them.
std::vector<std::byte> spansOf(std::int64_t step, std::int64_t now) {
    constexpr std::uint32_t count = 9;
    std::vector<std::byte> bytes(eventSize * (count + 1));
    const StepSpansEvent head{{EventKind::stepSpans}, step, count, 0};
    std::memcpy(bytes.data(), &head, eventSize);
    for (std::uint32_t i = 0; i < count; ++i) {
        SpanEvent span{{EventKind::span}, i + 1, static_cast<std::uint32_t>(step), 10, 0, 0};
        span.head.time = now;
        std::memcpy(bytes.data() + eventSize * (i + 1), &span, eventSize);
    }
    return bytes;
}

} // namespace

WrittenRun::WrittenRun(const fs::path& folder)
    : folder_(folder),
      directory_(RunDirectory::createAt(folder)),
      spans_(spansPath(folder, 0), 1, {.bytes = spanBytes, .keptBefore = 4}) {
    writeFileWhole(directory_->design(), R"({"weft": 1, "name": "small", "layers": []})");
    writeFileWhole(folder_ / "begin.json", "{}");
    open();
}

WrittenRun::~WrittenRun() = default;

void WrittenRun::open() {
    LogSettings settings;
    settings.attempt.number = directory_->attempt();
    settings.attempt.devices = {"cpu:0"};
    settings.firstSpanSteps = 0;
    log_ = std::make_unique<EventLog>(folder_, std::move(settings));
    channel_ = &log_->makeChannel("trainer");
    log_->flush(std::chrono::seconds(10)); // nothing of it comes later by itself
}

void WrittenRun::steps(int count) {
    std::ofstream lines(folder_ / "metrics.jsonl", std::ios::app);
    const NameIndex loss = log_->intern("loss", "", true);
    for (int i = 0; i < count; ++i) {
        channel_->metric(step_, loss, 1.0 / static_cast<double>(step_ + 1));
        channel_->step(step_, 0.001F, 0);
        lines << fmt::format("{{\"step\": {}}}\n", step_);
        spans_.append(spansOf(step_, channel_->now()), 1, 1);
        ++step_;
    }
    log_->flush(std::chrono::seconds(10));
}

void WrittenRun::end() {
    channel_->end(EndReason::done, step_, "");
    log_.reset();
    directory_.reset();
}

void WrittenRun::beginAgain() {
    log_.reset();
    directory_.reset();
    // A record that a kill has cut off.
    std::ofstream(logPath(folder_, 0), std::ios::app) << "WFT1 torn";
    std::ofstream(folder_ / "metrics.jsonl", std::ios::app) << "{\"step\": 1";
    directory_.emplace(RunDirectory::resume(RunDirectory::reserve(folder_)));
    fs::resize_file(folder_ / "metrics.jsonl", fs::file_size(folder_ / "metrics.jsonl") - 10);
    open();
}

std::string differenceOf(const fs::path& run, const fs::path& copy) {
    constexpr std::size_t most = std::size_t{64} << 20U;
    for (const auto& [from, to] : {std::pair(run, copy), std::pair(copy, run)}) {
        for (const auto& entry : fs::recursive_directory_iterator(from)) {
            const std::string path = entry.path().lexically_relative(from).generic_string();
            const auto file = mirroredFile(path);
            if (!file || file->growth == FileGrowth::asked) {
                continue;
            }
            if (!fs::exists(to / path) ||
                readFile(from / path, most) != readFile(to / path, most)) {
                return path;
            }
        }
    }
    return {};
}

} // namespace weft::test
