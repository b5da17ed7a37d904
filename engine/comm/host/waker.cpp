// SPDX-License-Identifier: Apache-2.0
#include "comm/host/waker.h"

#include <weft/error.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

namespace weft {

Waker::Waker() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_.isOpen()) {
        throw Error(ErrorCode::device, {},
                    std::string("cannot create an eventfd for the connection between ranks: ") +
                        std::strerror(errno),
                    "raise the limit on open files (ulimit -n)");
    }
}

void Waker::wake() const {
    const std::uint64_t one = 1;
    // The write fails only if the eventfd is at its maximum, and then a wake-up is pending.
    static_cast<void>(!::write(event_.get(), &one, sizeof(one)));
}

void Waker::clear() const {
    std::uint64_t count = 0;
    static_cast<void>(!::read(event_.get(), &count, sizeof(count)));
}

} // namespace weft
