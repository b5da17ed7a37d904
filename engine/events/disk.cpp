// SPDX-License-Identifier: Apache-2.0
#include "events/disk.h"

#include "base/process/waiting.h"
#include "events/channel.h"
#include "events/frame.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds retryAfter{1};
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t patience = 2 * second;

std::int64_t writeSomeOf(int descriptor, std::span<const std::byte> bytes, std::uint64_t offset) {
    return ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
}

/// Returns the offset after the last whole frame.
std::uint64_t wholeEnd(const fs::path& path) {
    FrameFile file(path);
    while (file.next()) {
    }
    return file.position();
}

} // namespace

LogDisk::LogDisk(fs::path path, SpanSegments segments, std::chrono::nanoseconds syncEvery,
                 WriteSome writeSome)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)),
      segments_(std::move(segments)),
      syncEvery_(syncEvery),
      writeSome_(writeSome ? std::move(writeSome) : writeSomeOf),
      syncedAt_(steadyNanoseconds()) {
    if (!file_.isOpen()) {
        throwFileError(path_, "write", errno);
    }
    offset_ = wholeEnd(path_);
    if (::ftruncate(file_.get(), static_cast<off_t>(offset_)) != 0) {
        throwFileError(path_, "write", errno);
    }
}

void LogDisk::enqueue(Batch batch) {
    const std::lock_guard lock(mutex_);
    queuedBytes_.fetch_add(batch.frames.size() + batch.spans.size(), std::memory_order_relaxed);
    if (queue_.empty() && waitingSince_ == 0) {
        waitingSince_ = steadyNanoseconds();
    }
    queue_.push_back(std::move(batch));
    ++enqueuedBatches_;
    changed_.notify_all();
}

LogDisk::Batch LogDisk::emptyBatch() {
    const std::lock_guard lock(mutex_);
    if (empty_.empty()) {
        return {};
    }
    Batch batch = std::move(empty_.back());
    empty_.pop_back();
    return batch;
}

void LogDisk::flush(std::chrono::nanoseconds limit) {
    std::unique_lock lock(mutex_);
    const std::uint64_t wanted = enqueuedBatches_;
    syncUpToBatch_ = std::max(syncUpToBatch_, wanted);
    changed_.notify_all();
    const Deadline deadline(limit);
    if (!changed_.wait_until(lock, deadline.end(), [&] { return syncedBatches_ >= wanted; })) {
        throwTimeout(fmt::format("the disk to write the log {}{}{}", path_.string(),
                                 reason_.empty() ? "" : "; the last error was: ", reason_),
                     limit, "free space on the disk of the log");
    }
}

void LogDisk::finish() {
    const std::lock_guard lock(mutex_);
    isFinishing_ = true;
    syncUpToBatch_ = enqueuedBatches_;
    changed_.notify_all();
}

void LogDisk::abandon() {
    const std::lock_guard lock(mutex_);
    isFinishing_ = true;
    isAbandoned_ = true;
    changed_.notify_all();
}

std::string LogDisk::stallReason() const {
    const std::lock_guard lock(mutex_);
    if (!reason_.empty()) {
        return reason_;
    }
    const std::int64_t since = stalledSince();
    return since == 0 ? std::string()
                      : fmt::format("the disk of {} has accepted no data for {}", path_.string(),
                                    toString(Nanoseconds{steadyNanoseconds() - since}));
}

void LogDisk::checkForStall(std::int64_t now) {
    const std::lock_guard lock(mutex_);
    if (stalledSince() == 0 && waitingSince_ != 0 && now - waitingSince_ > patience) {
        stalledSince_.store(waitingSince_, std::memory_order_relaxed);
    }
}

void LogDisk::stall(std::string reason) {
    const std::lock_guard lock(mutex_);
    reason_ = std::move(reason);
    if (stalledSince() == 0) {
        stalledSince_.store(steadyNanoseconds(), std::memory_order_relaxed);
    }
}

bool LogDisk::writeFrames(std::span<const std::byte> frames) {
    while (!frames.empty()) {
        const std::int64_t written = writeSome_(file_.get(), frames, offset_);
        if (written > 0) {
            offset_ += static_cast<std::uint64_t>(written);
            frames = frames.subspan(static_cast<std::size_t>(written));
            isDirty_ = true;
            continue;
        }
        if (written < 0 && errno == EINTR) {
            continue;
        }
        stall(fmt::format("cannot write {}: {}", path_.string(),
                          std::generic_category().message(written < 0 ? errno : ENOSPC)));
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, retryAfter, [&] { return isAbandoned_; });
        if (isAbandoned_) {
            return false;
        }
    }
    return true;
}

void LogDisk::writeSpans(const Batch& batch) {
    const std::int64_t now = steadyNanoseconds();
    // Spans may be lost: if they cannot be written, they are counted and the log continues.
    if (spansFailedAt_ != 0 && now - spansFailedAt_ < second) {
        droppedSpanBytes_.fetch_add(batch.spans.size(), std::memory_order_relaxed);
        return;
    }
    try {
        segments_.append(batch.spans, batch.spacing, batch.parts);
        spansFailedAt_ = 0;
    } catch (const std::exception&) {
        spansFailedAt_ = now;
        droppedSpanBytes_.fetch_add(batch.spans.size(), std::memory_order_relaxed);
    }
}

void LogDisk::sync() {
    if (isDirty_ && ::fdatasync(file_.get()) != 0 && errno != EINVAL) {
        stall(fmt::format("cannot sync {}: {}", path_.string(),
                          std::generic_category().message(errno)));
    }
    isDirty_ = false;
    syncedAt_ = steadyNanoseconds();
}

void LogDisk::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        const bool isWoken = changed_.wait_for(lock, syncEvery_, [&] {
            return !queue_.empty() || isFinishing_ || syncUpToBatch_ > syncedBatches_;
        });
        if (isAbandoned_) {
            return;
        }
        if (!queue_.empty()) {
            Batch batch = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            if (!writeFrames(batch.frames)) {
                return;
            }
            writeSpans(batch);
            queuedBytes_.fetch_sub(batch.frames.size() + batch.spans.size(),
                                   std::memory_order_relaxed);
            batch.frames.clear();
            batch.spans.clear();
            lock.lock();
            ++writtenBatches_;
            waitingSince_ = queue_.empty() ? 0 : steadyNanoseconds();
            if (queue_.empty()) {
                reason_.clear();
                stalledSince_.store(0, std::memory_order_relaxed);
            }
            if (empty_.size() < 4) {
                empty_.push_back(std::move(batch));
            }
        }
        const bool isDue = !isWoken || steadyNanoseconds() - syncedAt_ > syncEvery_.count();
        if (queue_.empty() && (isDue || syncUpToBatch_ > syncedBatches_)) {
            const std::uint64_t reached = writtenBatches_;
            lock.unlock();
            sync();
            lock.lock();
            syncedBatches_ = reached;
            changed_.notify_all();
        }
        if (isFinishing_ && queue_.empty() && syncedBatches_ >= enqueuedBatches_) {
            return;
        }
    }
}

} // namespace weft
