// SPDX-License-Identifier: Apache-2.0
#include "run/measure/calibrate.h"
#include "stages.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <thread>

namespace weft::proof {

namespace {

void describe(Case& trial, const DeviceSheet& sheet) {
    trial.note("model", sheet.model);
    trial.note("mib", sheet.memory.count >> 20);
    trial.note("tflops", sheet.flopsPerSecond * 1e-12);
    trial.note("tflops_in_tf32", sheet.tf32FlopsPerSecond * 1e-12);
    trial.note("tflops_in_bf16", sheet.bf16FlopsPerSecond * 1e-12);
    trial.note("gigabytes_per_second", sheet.bytesPerSecond * 1e-9);
    trial.note("overhead_ns", sheet.overhead.count);
    trial.note("measured", sheet.isMeasured);
}

void copy(Case& trial, const Proved& on, std::int64_t elements) {
    const auto device = on.backend->open(on.device, 1);
    std::vector<std::int32_t> out(static_cast<std::size_t>(elements));
    std::iota(out.begin(), out.end(), 1);
    std::vector<std::int32_t> back(out.size());
    const Bytes bytes{elements * static_cast<std::int64_t>(sizeof(std::int32_t))};
    const auto arena = device->allocate(bytes);
    device->copyOut(back.data(), arena->address(), bytes);
    trial.require(std::accumulate(back.begin(), back.end(), std::int64_t{0}) == 0,
                  "new memory is not zero");
    const std::int64_t begin = nowNanoseconds();
    device->copyIn(arena->address(), out.data(), bytes);
    const std::int64_t middle = nowNanoseconds();
    device->copyOut(back.data(), arena->address(), bytes);
    const std::int64_t end = nowNanoseconds();
    trial.require(out == back, "comes back with other bits");
    if (on.hasTimes) {
        const auto size = static_cast<double>(bytes.count);
        trial.note("gigabytes_per_second_in", size / static_cast<double>(middle - begin));
        trial.note("gigabytes_per_second_out", size / static_cast<double>(end - middle));
    }
}

void measure(Case& trial, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    trial.require(device->sheet().bus.has_value(), "has memory of its own and no bus to it");
    const LinkSheet bus = measureBus(*device, device->sheet().bus.value_or(LinkSheet{}));
    trial.require(bus.isMeasured && bus.bytesPerSecond > 0, "carries nothing");
    if (on.hasTimes) {
        trial.note("published_gigabytes_per_second", device->sheet().bus->bytesPerSecond * 1e-9);
        trial.note("gigabytes_per_second", bus.bytesPerSecond * 1e-9);
        trial.note("latency_ns", bus.latency.count);
    }
}

/// New memory is zeroed by the time that it is handed out, not later, over what was put there.
void putIntoNew(Case& trial, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    const std::int64_t whole = on.hasTimes ? std::int64_t{1} << 31 : std::int64_t{1} << 20;
    constexpr Bytes bytes{1 << 12};
    const std::vector<std::byte> out(static_cast<std::size_t>(bytes.count), std::byte{0xA5});
    std::vector<std::byte> back(out.size());
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto arena = device->allocate({whole});
        auto* const last = static_cast<std::byte*>(arena->address()) + whole - bytes.count;
        device->copyIn(last, out.data(), bytes);
        std::this_thread::sleep_for(std::chrono::milliseconds(on.hasTimes ? 20 : 0));
        device->copyOut(back.data(), last, bytes);
        trial.require(out == back, "what was put into new memory did not stay");
    }
}

void refuse(Case& trial, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    try {
        static_cast<void>(device->allocate({std::int64_t{1} << 60}));
        trial.fail("more memory than there is was handed out");
    } catch (const Error& error) {
        trial.require(error.code() == ErrorCode::memory, error.what());
    }
    static_cast<void>(device->allocate({1 << 20}));
}

/// A stream's clock goes on, and is the host's to a few milliseconds.
void tellTime(Case& trial, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    const auto stream = device->makeUnboundStream(0);
    const auto first = stream->makeEvent();
    const auto second = stream->makeEvent();
    const std::int64_t before = nowNanoseconds();
    stream->leave(*first);
    stream->call([] {});
    stream->leave(*second);
    stream->finish();
    const std::int64_t after = nowNanoseconds();
    constexpr std::int64_t margin = 5'000'000;
    trial.require(first->hasEnded() && second->hasEnded(),
                  "a stream that was waited for has not ended");
    trial.require(first->time() <= second->time(), "a later mark has an earlier time");
    trial.require(first->time() > before - margin && second->time() < after + margin,
                  fmt::format("marks lie {} ns before and {} ns behind what the host saw",
                              before - first->time(), second->time() - after));
}

/// An exception in a host call is reported to the waiting thread, and the device continues.
void callThatThrows(Case& trial, const Proved& on) {
    const auto device = on.backend->open(on.device, 1);
    const auto stream = device->makeUnboundStream(0);
    bool isTold = false;
    stream->call([] { throw Error(ErrorCode::numerics, {}, "planted", "nothing is wrong"); });
    try {
        stream->finish();
    } catch (const Error& error) {
        isTold = error.code() == ErrorCode::numerics;
    }
    trial.require(isTold, "what a call of the host throws is told to nobody");
}

} // namespace

void proveDevice(const Proved& on, Report& report) {
    report.run("is there",
               [&](Case& trial) { describe(trial, on.backend->open(on.device, 1)->sheet()); });
    report.run("4 KiB out and back", [&](Case& trial) { copy(trial, on, 1 << 10); });
    report.run("64 MiB out and back", [&](Case& trial) { copy(trial, on, 1 << 24); });
    report.run("its bus", [&](Case& trial) { measure(trial, on); });
    report.run("put into new memory", [&](Case& trial) { putIntoNew(trial, on); });
    report.run("more memory than there is", [&](Case& trial) { refuse(trial, on); });
    report.run("marks tell the time", [&](Case& trial) { tellTime(trial, on); });
    report.run("a call of the host that throws", [&](Case& trial) { callThatThrows(trial, on); });
}

} // namespace weft::proof
