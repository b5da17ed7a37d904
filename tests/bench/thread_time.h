// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long something takes of the thread that does it.

#include <ctime>

namespace weft::bench {

/// Returns the processor time of this thread, independent of the machine's other load.
template <class Run>
double millisecondsOf(const Run& run) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    };
    const double begin = now();
    run();
    return now() - begin;
}

} // namespace weft::bench
