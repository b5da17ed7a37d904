// SPDX-License-Identifier: Apache-2.0
#include "events/activity_page.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 8> magic{'w', 'e', 'f', 't', 's', 't', 'n', '1'};

struct StandingHead {
    std::array<char, 8> magic;
    std::uint32_t attempt;
    std::uint32_t streams;
};
static_assert(sizeof(StandingHead) <= sizeof(StreamActivity));
static_assert(std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<NameIndex>::is_always_lock_free);

constexpr std::size_t mostStreams = 4096;

fs::path standingPath(const fs::path& folder, int rank) {
    return folder / fmt::format("standing.{}", rank);
}

/// True if allocated bytes can be written through a mapping in any state of the disk. On other file
/// systems a full disk or a lost server would kill the process.
bool isSafeToMap(int file) {
    constexpr std::array<std::uint64_t, 4> safe{0xEF53 /* ext */, 0x58465342 /* xfs */,
                                                0x01021994 /* tmpfs */, 0x794C7630 /* overlay */};
    struct statfs facts {};
    return ::fstatfs(file, &facts) == 0 &&
           std::ranges::find(safe, static_cast<std::uint64_t>(facts.f_type)) != safe.end();
}

} // namespace

ActivityPage::ActivityPage(const fs::path& folder, int rank, std::uint32_t attempt,
                           std::span<const ActivityStream> streams)
    : path_(standingPath(folder, rank)) {
    if (streams.empty() || streams.size() > mostStreams) {
        return;
    }
    std::error_code ignored;
    fs::remove(path_, ignored); // left by a lost attempt, and possibly still mapped
    file_ = FileHandle(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    const std::size_t bytes = (1 + streams.size()) * sizeof(StreamActivity);
    if (!file_.isOpen() || !isSafeToMap(file_.get()) ||
        ::posix_fallocate(file_.get(), 0, static_cast<off_t>(bytes)) != 0) {
        return;
    }
    void* page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (page == MAP_FAILED) {
        return;
    }
    page_ = page;
    bytes_ = bytes;
    auto* first = static_cast<std::byte*>(page_) + sizeof(StreamActivity);
    StreamActivity* places = nullptr;
    for (std::size_t k = 0; k < streams.size(); ++k) {
        auto* place = new (first + k * sizeof(StreamActivity)) StreamActivity;
        place->device = streams[k].device;
        place->stream = streams[k].stream;
        places = k == 0 ? place : places;
    }
    places_ = {places, streams.size()};
    const StandingHead head{magic, attempt, static_cast<std::uint32_t>(streams.size())};
    std::memcpy(page_, &head, sizeof head);
}

ActivityPage::~ActivityPage() {
    if (page_ != nullptr) {
        ::munmap(page_, bytes_);
    }
    struct stat mine {};
    struct stat there {};
    // A later attempt may have taken the folder and made its own page.
    if (file_.isOpen() && ::fstat(file_.get(), &mine) == 0 && ::stat(path_.c_str(), &there) == 0 &&
        mine.st_ino == there.st_ino && mine.st_dev == there.st_dev) {
        ::unlink(path_.c_str());
    }
}

std::vector<ReadActivity> readActivity(const fs::path& folder, int rank, std::uint32_t attempt) {
    const FileHandle file(
        ::open(standingPath(folder, rank).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return {};
    }
    std::vector<std::byte> bytes(std::min<std::size_t>(static_cast<std::size_t>(facts.st_size),
                                                       (1 + mostStreams) * sizeof(StreamActivity)));
    const ssize_t count = ::pread(file.get(), bytes.data(), bytes.size(), 0);
    StandingHead head{};
    if (count < static_cast<ssize_t>(sizeof(StreamActivity))) {
        return {};
    }
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.magic != magic || head.attempt != attempt) {
        return {};
    }
    const std::size_t there = static_cast<std::size_t>(count) / sizeof(StreamActivity) - 1;
    std::vector<ReadActivity> marks;
    for (std::size_t k = 0; k < std::min<std::size_t>(head.streams, there); ++k) {
        // Copied as bytes, because another process wrote them.
        const std::byte* place = bytes.data() + (1 + k) * sizeof(StreamActivity);
        ReadActivity mark;
        std::memcpy(&mark.since, place + offsetof(StreamActivity, since), sizeof mark.since);
        std::memcpy(&mark.name, place + offsetof(StreamActivity, name), sizeof mark.name);
        std::memcpy(&mark.device, place + offsetof(StreamActivity, device), sizeof mark.device);
        std::memcpy(&mark.stream, place + offsetof(StreamActivity, stream), sizeof mark.stream);
        if (mark.name != 0) {
            marks.push_back(mark);
        }
    }
    return marks;
}

} // namespace weft
