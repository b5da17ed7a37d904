// SPDX-License-Identifier: Apache-2.0
#include "support/sim/given.h"

#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <cstring>

namespace weft::sim {

namespace {

/// Memory in a file that a process has open.
struct Given {
    std::int64_t process = 0;
    std::int64_t file = 0;
    std::int64_t size = 0;
};

} // namespace

cuda::seam::Handle givenMemory(const HiddenArena& arena) {
    if (std::getenv("WEFT_SIM_GIVES") != nullptr) {
        throw Error(ErrorCode::device, {}, "this process gives no memory to others", "");
    }
    const Given given{getpid(), arena.file(), arena.size().count};
    cuda::seam::Handle handle{};
    std::memcpy(handle.data(), &given, sizeof(given));
    return handle;
}

std::unique_ptr<HiddenArena> takenMemory(const cuda::seam::Handle& handle) {
    Given given;
    std::memcpy(&given, handle.data(), sizeof(given));
    const std::string path = fmt::format("/proc/{}/fd/{}", given.process, given.file);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) {
        throw Error(ErrorCode::device, {}, "memory of another process cannot be opened", "");
    }
    return std::make_unique<HiddenArena>(Bytes{given.size}, file);
}

SharedEvent::SharedEvent()
    : memory_(std::make_unique<HiddenArena>(Bytes{sizeof(SharedEventCounts)})) {}

SharedEvent::SharedEvent(const cuda::seam::Handle& handle)
    : memory_(takenMemory(handle)), isTaken_(true) {}

SharedEventCounts& SharedEvent::counts() const {
    return *reinterpret_cast<SharedEventCounts*>(static_cast<std::byte*>(memory_->address()) +
                                                 memory_->delta());
}

} // namespace weft::sim
