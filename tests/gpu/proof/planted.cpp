// SPDX-License-Identifier: Apache-2.0
#include "stages.h"
#include <weft/error.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace weft::proof {

void breakOnPurpose(const Proved& /*on*/, Report& report) {
    report.run("holds", [](Case&) {});
    report.run("differs", [](Case& trial) { trial.fail("planted"); });
    report.run("loses the device",
               [](Case&) { throw Error(ErrorCode::device, {}, "planted", "nothing is wrong"); });
    report.run("ends the process", [](Case&) {
        const rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        std::abort();
    });
    report.run("hangs", [](Case&) { std::this_thread::sleep_for(std::chrono::hours(1)); });
    report.run("holds again", [](Case&) {});
}

} // namespace weft::proof
