// SPDX-License-Identifier: Apache-2.0
#include "run/measure/calibrate_link.h"

#include "device/backend.h"
#include "run/measure/calibrate.h"
#include <weft/error.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace weft {

namespace {

constexpr std::int64_t manyElements = std::int64_t{1} << 21;
constexpr std::int64_t longest = 20'000'000'000;

/// Waits like a communication stream: polls, and sleeps between polls after a while.
void waitFor(Collective& collective, std::int64_t since) {
    constexpr std::int64_t eager = 2'000'000;
    while (!collective.hasFinished()) {
        const std::int64_t waited = nowNanoseconds() - since;
        if (waited < eager) {
            std::this_thread::yield();
            continue;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        if (waited > longest) {
            throw Error(ErrorCode::timeout, {},
                        "the other rank of the measured link does not answer",
                        "check that two ranks run and that the network connects them");
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

MeasuredTime timeOf(int calls, Collective& collective, std::vector<float>& numbers) {
    const void* const input[] = {numbers.data()};
    void* const output[] = {numbers.data()};
    std::vector<double> seconds;
    for (int call = 0; call < calls; ++call) {
        const std::int64_t begin = nowNanoseconds();
        collective.start(input, output, nullptr);
        waitFor(collective, begin);
        seconds.push_back(static_cast<double>(nowNanoseconds() - begin) * 1e-9);
    }
    return middleOf(std::move(seconds));
}

} // namespace

LinkSheet measureLink(Communicator& communicator, DeviceId me, LinkSheet link) {
    constexpr int fewCalls = 9;
    constexpr int manyCalls = 301;
    const auto small = communicator.prepare(requestOf(1, 1), me);
    const auto large = communicator.prepare(requestOf(2, manyElements), me);
    std::vector<float> one(1);
    std::vector<float> many(static_cast<std::size_t>(manyElements));
    const MeasuredTime shortest = timeOf(manyCalls, *small, one);
    const MeasuredTime most = timeOf(fewCalls, *large, many);
    // The price of an all-reduce assumes two rounds; with two members each sends all its elements
    // once.
    link.latency = {std::max<std::int64_t>(1, static_cast<std::int64_t>(shortest.seconds * 5e8))};
    const double moving = std::max(1e-9, most.seconds - shortest.seconds);
    link.bytesPerSecond = static_cast<double>(manyElements) * sizeof(float) / moving;
    link.latencySpread = shortest.spread;
    link.bytesSpread = most.spread;
    link.isMeasured = true;
    return link;
}

} // namespace weft
