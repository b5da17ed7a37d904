// SPDX-License-Identifier: Apache-2.0
#include "base/process/threads.h"

#include <weft/error.h>

#include <pthread.h>

namespace weft {

void nameThisThread(const std::string& name) {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

void throwThreadError(const std::string& name) {
    throw Error(ErrorCode::memory, {},
                "the system allows no more threads for this process: cannot start " + name,
                "use fewer devices or streams, or raise the limits that ulimit -a shows");
}

} // namespace weft
