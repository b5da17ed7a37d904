// SPDX-License-Identifier: Apache-2.0
#include "base/copy_team.h"

#include "base/threads.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace weft {

CopyTeam::CopyTeam(int threads) {
    threads_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
    for (int k = 1; k < threads; ++k) {
        threads_.push_back(startThread("copies", [this, k] { work(static_cast<std::size_t>(k)); }));
    }
}

CopyTeam::~CopyTeam() {
    isStopped_ = true;
    ++round_;
    round_.notify_all();
}

int CopyTeam::usualThreads() {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency() / 4), 1, 4);
}

void CopyTeam::copy(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t worthATeam = std::size_t{1} << 20U;
    if (threads_.empty() || bytes < worthATeam) {
        std::memcpy(to, from, bytes);
        return;
    }
    to_ = static_cast<std::byte*>(to);
    from_ = static_cast<const std::byte*>(from);
    bytes_ = bytes;
    busy_ = static_cast<std::uint32_t>(threads_.size());
    ++round_;
    round_.notify_all();
    copyPart(0);
    for (std::uint32_t busy = busy_; busy != 0; busy = busy_) {
        busy_.wait(busy);
    }
}

namespace {

/// The caller may be bound to one core, which its team would only share with it: threads of the
/// team run on all cores of the process, which are those of its first thread.
void useCoresOfProcess() {
    cpu_set_t cores;
    if (sched_getaffinity(getpid(), sizeof cores, &cores) == 0) {
        (void)sched_setaffinity(0, sizeof cores, &cores);
    }
}

} // namespace

void CopyTeam::work(std::size_t part) {
    useCoresOfProcess();
    for (std::uint32_t seen = 0;;) {
        round_.wait(seen);
        seen = round_;
        if (isStopped_) {
            return;
        }
        copyPart(part);
        if (--busy_ == 0) {
            busy_.notify_all();
        }
    }
}

/// Parts are whole pages, so that no two threads write to one.
void CopyTeam::copyPart(std::size_t part) const {
    constexpr std::size_t page = 4096;
    const std::size_t parts = threads_.size() + 1;
    const std::size_t each = (bytes_ / parts + page - 1) / page * page;
    const std::size_t begin = std::min(part * each, bytes_);
    const std::size_t end = part + 1 == parts ? bytes_ : std::min(begin + each, bytes_);
    std::memcpy(to_ + begin, from_ + begin, end - begin);
}

} // namespace weft
