// SPDX-License-Identifier: Apache-2.0
#include "base/process/threads.h"

#include <weft/error.h>

#include <pthread.h>

namespace weft {

void nameThisThread(const std::string& name) {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

void refuseThread(const std::string& name) {
    throw Error(ErrorCode::memory, {},
                "this process may have no more threads: there is none for " + name,
                "use fewer devices or streams, or raise the limits that ulimit -a shows");
}

} // namespace weft
