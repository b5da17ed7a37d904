// SPDX-License-Identifier: Apache-2.0
#include "events/segments.h"

#include "base/text/json.h"
#include "events/frame.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view ending = ".weftlog";

std::vector<std::byte> headerOf(const SegmentInfo& info) {
    const std::string text =
        jsonText(Json{{"spacing", info.spacing}, {"parts", info.parts}, {"covers", info.covers}});
    RunEvent event{};
    event.head.kind = EventKind::run;
    event.head.payload = static_cast<std::uint32_t>(text.size());
    event.attempt = info.attempt;
    event.protocol = protocolVersion;
    std::vector<std::byte> bytes(eventSize + paddedSize(text.size()));
    std::memcpy(bytes.data(), &event, sizeof(event));
    std::memcpy(bytes.data() + eventSize, text.data(), text.size());
    return bytes;
}

/// Returns the number in a segment's name; 0 for other files.
std::uint32_t numberOf(const fs::path& path) {
    const std::string name = path.filename().string();
    std::uint32_t number = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool isSegment =
        fault == std::errc() && std::string_view(end, name.data() + name.size()) == ending;
    return isSegment ? number : 0;
}

/// Reads the first event of a segment; nothing if there is none yet or it is invalid.
std::optional<SegmentInfo> readSegment(const fs::path& path) {
    try {
        SegmentInfo info{.number = numberOf(path), .bytes = fs::file_size(path)};
        FrameFile file(path, 1024);
        auto frame = file.next();
        if (!frame || info.number == 0) {
            return std::nullopt;
        }
        const EventView event = takeEvent(*frame);
        info.attempt = event.as<RunEvent>().attempt;
        const Json header = parseJson(event.text(), path.string(), {.bytes = 1 << 16, .depth = 4});
        info.spacing = std::max<std::int64_t>(1, header.value("spacing", std::int64_t{1}));
        info.parts = header.value("parts", std::uint32_t{1});
        info.covers = std::max(info.number, header.value("covers", info.number));
        return info;
    } catch (const std::exception&) {
        return std::nullopt; // written by another program, or removed meanwhile
    }
}

std::int64_t stepOf(const EventView& event) {
    switch (event.head.kind) {
    case EventKind::span: return event.as<SpanEvent>().step;
    case EventKind::stepSpans: return event.as<StepSpansEvent>().step;
    default: return -1;
    }
}

} // namespace

fs::path segmentPath(const fs::path& folder, std::uint32_t number) {
    return folder / fmt::format("{:04}{}", number, ending);
}

std::uint32_t lastSegment(const fs::path& folder) {
    std::uint32_t last = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        last = std::max(last, numberOf(entry.path()));
    }
    return last;
}

std::vector<SegmentInfo> segmentsIn(const fs::path& folder) {
    std::vector<SegmentInfo> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (const auto info = readSegment(entry.path())) {
            found.push_back(*info);
        }
    }
    std::sort(found.begin(), found.end(),
              [](const SegmentInfo& a, const SegmentInfo& b) { return a.number < b.number; });
    std::uint32_t covered = 0;
    std::erase_if(found, [&](const SegmentInfo& info) {
        const bool isCovered = info.number <= covered;
        covered = std::max(covered, info.covers);
        return isCovered;
    });
    return found;
}

SpanSegments::SpanSegments(fs::path folder, std::uint32_t attempt, Limits limits)
    : folder_(std::move(folder)),
      attempt_(attempt),
      limits_(limits),
      segmentBytes_(std::max<std::uint64_t>(limits.bytes / 32, 4096)),
      segments_(segmentsIn(folder_)) {}

std::uint64_t SpanSegments::bytes() const {
    std::uint64_t sum = 0;
    for (const SegmentInfo& segment : segments_) {
        sum += segment.bytes;
    }
    return sum;
}

void SpanSegments::begin(std::int64_t spacing, std::uint32_t parts) {
    makeFolder(folder_);
    SegmentInfo info{.number = segments_.empty() ? 1 : segments_.back().covers + 1,
                     .attempt = attempt_,
                     .spacing = spacing,
                     .parts = parts};
    FileHandle file;
    fs::path path;
    // Skips numbers of existing files that could not be read.
    do {
        path = segmentPath(folder_, info.number);
        file = FileHandle(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    } while (!file.isOpen() && errno == EEXIST && ++info.number > 0);
    if (!file.isOpen()) {
        throwFileError(path, "write", errno);
    }
    info.covers = info.number;
    file_ = std::move(file);
    segments_.push_back(info);
    frames_.clear();
    appendFrames(frames_, headerOf(info));
    write(frames_);
}

void SpanSegments::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            const int number = errno;
            // A torn write ends this segment; the next append begins a new one.
            file_ = FileHandle();
            throwFileError(segmentPath(folder_, segments_.back().number), "write", number);
        }
        const auto count = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
        segments_.back().bytes += count;
        bytes = bytes.subspan(count);
    }
}

void SpanSegments::append(std::span<const std::byte> events, std::int64_t spacing,
                          std::uint32_t parts) {
    if (events.empty()) {
        return;
    }
    const bool isFitting = file_.isOpen() && segments_.back().spacing == spacing &&
                           segments_.back().parts == parts &&
                           segments_.back().bytes < segmentBytes_;
    if (!isFitting) {
        begin(spacing, parts);
    }
    frames_.clear();
    appendFrames(frames_, events);
    write(frames_);
    thin();
}

void SpanSegments::thin() {
    // The last two segments stay unchanged: a reader may be following them.
    while (bytes() > limits_.bytes && segments_.size() > 3) {
        std::size_t best = segments_.size();
        for (std::size_t i = 0; i + 3 < segments_.size(); ++i) {
            const SegmentInfo& a = segments_[i];
            const SegmentInfo& b = segments_[i + 1];
            const bool canMerge = a.attempt == b.attempt && a.parts == b.parts;
            const auto spacingAt = [&](std::size_t j) {
                return std::max(segments_[j].spacing, segments_[j + 1].spacing);
            };
            if (canMerge && (best == segments_.size() || spacingAt(i) < spacingAt(best))) {
                best = i;
            }
        }
        if (best == segments_.size()) {
            // Attempts are not merged; with many short ones, the oldest is removed.
            fs::remove(segmentPath(folder_, segments_.front().number));
            segments_.erase(segments_.begin());
        } else {
            merge(best);
        }
    }
}

void SpanSegments::merge(std::size_t first) {
    SegmentInfo merged = segments_[first];
    const SegmentInfo second = segments_[first + 1];
    merged.spacing = 2 * std::max(merged.spacing, second.spacing);
    merged.covers = second.covers;
    std::vector<std::byte> kept = headerOf(merged);
    for (const std::uint32_t number : {merged.number, second.number}) {
        FrameFile file(segmentPath(folder_, number));
        while (auto frame = file.next()) {
            while (!frame->empty()) {
                const EventView event = takeEvent(*frame);
                const std::int64_t step = stepOf(event);
                if (step >= 0 && (step < limits_.keptBefore || step % merged.spacing == 0)) {
                    kept.insert(kept.end(), event.bytes.begin(), event.bytes.end());
                }
            }
        }
    }
    std::vector<std::byte> frames;
    appendFrames(frames, kept);
    writeFileWhole(segmentPath(folder_, merged.number), frames);
    fs::remove(segmentPath(folder_, second.number));
    merged.bytes = frames.size();
    segments_[first] = merged;
    segments_.erase(segments_.begin() + static_cast<std::ptrdiff_t>(first) + 1);
}

} // namespace weft
