// SPDX-License-Identifier: Apache-2.0
#include "command_line/signals.h"

#include <atomic>
#include <csignal>

namespace weft {

namespace {

std::atomic<int> seen = 0;

void onSignal(int) { seen.fetch_add(1); }

} // namespace

void countSignals() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // With SIGXFSZ ignored, a file that exceeds the size limit becomes a failed write, which names
    // the path and a remedy.
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, nullptr);
}

int signalCount() { return seen.load(); }

} // namespace weft
