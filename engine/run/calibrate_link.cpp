// SPDX-License-Identifier: Apache-2.0
#include "run/calibrate_link.h"

#include "device/backend.h"
#include <weft/error.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace weft {

namespace {

constexpr std::int64_t manyElements = std::int64_t{1} << 21;
constexpr std::int64_t longest = 20'000'000'000;

/// As a communication lane waits: some looks, then short sleeps.
void waitFor(Collective& collective, std::int64_t since) {
    constexpr int looks = 200;
    for (int look = 0; !collective.hasFinished(); ++look) {
        if (look < looks) {
            std::this_thread::yield();
            continue;
        }
        look = 0;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        if (nowNanoseconds() - since > longest) {
            throw Error(ErrorCode::timeout, {}, "the other member of the link does not answer",
                        "see that two ranks run and reach each other");
        }
    }
}

CollectiveRequest requestOf(std::uint32_t number, std::int64_t elements) {
    CollectiveRequest request{.name = "calibration", .kind = "all-reduce", .origin = {}};
    request.number = number;
    request.members = {DeviceId{0}, DeviceId{1}};
    request.isAllReduce = true;
    request.elements = {elements};
    const auto bytes = static_cast<std::size_t>(elements) * sizeof(float);
    request.inputBytes = {{bytes}, {bytes}};
    request.outputBytes = request.inputBytes;
    return request;
}

/// The fastest of so many calls, in nanoseconds: what disturbs makes slower, never faster.
std::int64_t fastestOf(int calls, Collective& collective, std::vector<float>& numbers) {
    const void* const input[] = {numbers.data()};
    void* const output[] = {numbers.data()};
    std::int64_t fastest = longest;
    for (int call = 0; call < calls; ++call) {
        const std::int64_t begin = nowNanoseconds();
        collective.start(input, output);
        waitFor(collective, begin);
        fastest = std::min(fastest, nowNanoseconds() - begin);
    }
    return fastest;
}

} // namespace

LinkSheet measureLink(Room& room, DeviceId me, LinkSheet link) {
    constexpr int fewCalls = 9;
    constexpr int manyCalls = 301;
    const auto small = room.prepare(requestOf(1, 1), me);
    const auto large = room.prepare(requestOf(2, manyElements), me);
    std::vector<float> one(1);
    std::vector<float> many(static_cast<std::size_t>(manyElements));
    const std::int64_t shortest = fastestOf(manyCalls, *small, one);
    const std::int64_t longest = fastestOf(fewCalls, *large, many);
    // An all-reduce is priced as two messages; each member of two sends all its elements once.
    link.latency = {std::max<std::int64_t>(1, shortest / 2)};
    const auto moving = static_cast<double>(std::max<std::int64_t>(1, longest - shortest));
    link.bytesPerSecond = static_cast<double>(manyElements) * sizeof(float) / moving * 1e9;
    link.isMeasured = true;
    return link;
}

} // namespace weft
