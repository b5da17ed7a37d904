// SPDX-License-Identifier: Apache-2.0
#include "base/threads.h"

#include <pthread.h>

namespace weft {

void nameThisThread(const std::string& name) {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

} // namespace weft
