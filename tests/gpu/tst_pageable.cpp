// SPDX-License-Identifier: Apache-2.0
// The stand-in copies from and to pageable memory as CUDA's driver does: a source is read when the
// copy is enqueued, and the caller waits for a destination. From and to pinned memory it copies in
// the stream's turn. And what the engine stages for a device lies in pinned memory.

#include "device/staged.h"
#include "run/execute/executor.h"
#include "support/sim/sim_backend.h"
#include <weft/error.h>

#include <QTest>
#include <array>
#include <vector>

using namespace weft;

namespace {

using Four = std::array<float, 4>;
constexpr Bytes fourBytes{sizeof(Four)};

struct Chip {
    Backend backend = sim::simBackend();
    std::unique_ptr<Device> device = backend.open("sim:0", 1);
    std::unique_ptr<Stream> stream = device->makeUnboundStream(0);
    std::unique_ptr<Arena> arena = device->allocate(fourBytes);
    std::unique_ptr<Arena> pinned = device->allocatePinned(fourBytes);

    ~Chip() {
        try {
            stream->finish();
        } catch (const Error&) { // a test has provoked it
        }
    }
    Chip() = default;
    Chip(const Chip&) = delete;
    Chip& operator=(const Chip&) = delete;

    [[nodiscard]] Four& numbers() const { return *static_cast<Four*>(pinned->address()); }
    /// Once the stream has come to its end.
    [[nodiscard]] Four onDevice() const {
        stream->finish();
        Four numbers{};
        device->copyOut(numbers.data(), arena->address(), fourBytes);
        return numbers;
    }
    /// Returns the device's value after the host has written 2 in stream order; `source` held 1
    /// when the copy was enqueued.
    [[nodiscard]] Four copiedFrom(Four& source) const {
        source.fill(1);
        stream->call([&source] { source.fill(2); });
        stream->copyIn(arena->address(), source.data(), fourBytes);
        return onDevice();
    }
    void capture(const std::function<void()>& enqueue) const { (void)stream->capture(enqueue); }
};

constexpr Four filled(float value) { return {value, value, value, value}; }

} // namespace

class TestPageable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPageableSourceIsReadWhenTheCopyIsEnqueued() {
        const Chip chip;
        Four source{};
        chip.stream->finish();
        const Four there = chip.copiedFrom(source);
        // The host's call may have run by then: whatever the order, the source was read at once.
        QVERIFY(there == filled(1) || there == filled(2));
        int stale = 0;
        for (int k = 0; k < 50; ++k) {
            stale += chip.copiedFrom(source) == filled(1) ? 1 : 0;
        }
        QVERIFY2(stale > 0, "no order of the stand-in shows that the source was read at once");
    }

    void aPinnedSourceIsReadInItsTurn() {
        const Chip chip;
        for (int k = 0; k < 50; ++k) {
            QVERIFY(chip.copiedFrom(chip.numbers()) == filled(2));
        }
    }

    void aPageableDestinationIsWaitedFor() {
        const Chip chip;
        for (int k = 1; k <= 20; ++k) {
            const Four wanted = filled(static_cast<float>(k));
            chip.numbers() = wanted;
            chip.stream->copyIn(chip.arena->address(), chip.pinned->address(), fourBytes);
            Four destination{};
            chip.stream->copyOut(destination.data(), chip.arena->address(), fourBytes);
            QVERIFY(destination == wanted);
        }
    }

    void aCaptureRefusesPageableMemory() {
        for (const bool isSource : {true, false}) {
            const Chip chip;
            Four host{};
            QVERIFY_THROWS_EXCEPTION(Error, chip.capture([&] {
                isSource ? chip.stream->copyIn(chip.arena->address(), host.data(), fourBytes)
                         : chip.stream->copyOut(host.data(), chip.arena->address(), fourBytes);
            }));
        }
    }

    void aCaptureReadsPinnedMemoryEachTime() {
        const Chip chip;
        const auto captured = chip.stream->capture(
            [&] { chip.stream->copyIn(chip.arena->address(), chip.pinned->address(), fourBytes); });
        for (int k = 1; k <= 3; ++k) {
            chip.numbers().fill(static_cast<float>(k));
            captured->run(*chip.stream);
            QVERIFY(chip.onDevice() == filled(static_cast<float>(k)));
        }
    }

    /// The device reads the host's results of the same run.
    void theHostsResultsAreThoseOfTheSameRun() {
        const Chip chip;
        const TensorPart part{.shape = {4}, .begin = {0}, .whole = {4}};
        const KernelRequest request{.op = "twice", .inputs = {part}, .outputs = {part}};
        KernelChoice host{.implementation = "test", .scratch = {100}};
        host.make = [] {
            return makeKernel([](const KernelArguments& arguments) {
                const auto& x = *static_cast<const Four*>(arguments.inputs[0]);
                auto& y = *static_cast<Four*>(arguments.outputs[0]);
                static_cast<std::byte*>(arguments.scratch)[99] =
                    std::byte{1}; // the host's, all of it
                for (std::size_t k = 0; k < x.size(); ++k) {
                    y[k] = 2 * x[k];
                }
            });
        };
        const KernelChoice choice = staged(host, request);
        QCOMPARE(choice.staged.count, 2 * fourBytes.count);
        QVERIFY(choice.staging >= choice.staged + host.scratch);
        QCOMPARE(choice.scratch.count, 0);
        const auto staging = chip.device->allocatePinned(choice.staging);
        const auto kernel = choice.make();
        chip.numbers() = filled(1);
        chip.stream->copyIn(chip.arena->address(), chip.pinned->address(), fourBytes);
        const std::vector<const void*> inputs{chip.arena->address()};
        const std::vector<void*> outputs{chip.arena->address()};
        for (int k = 0; k < 20; ++k) {
            kernel->run({inputs, outputs, nullptr, chip.stream.get(), {}, staging->address()});
        }
        QVERIFY(chip.onDevice() == filled(1 << 20));
    }

    /// Steps of one stream share their staging memory, streams do not.
    void stagingIsThatOfTheLargestStepOfEachLane() {
        const auto choiceOf = [](std::int64_t staging) {
            KernelChoice choice;
            choice.staging = {staging};
            return std::make_shared<const KernelChoice>(choice);
        };
        Program program;
        program.streams = {{"compute 0"}, {"compute 1"}, {"compute 2"}};
        program.choices = {choiceOf(100), choiceOf(5000), choiceOf(0), choiceOf(300)};
        for (const std::uint32_t stream : {0U, 0U, 1U, 2U}) {
            Step step;
            step.stream = stream;
            step.kernelOrCollective = static_cast<std::uint32_t>(program.steps.size());
            program.steps.push_back(step);
        }
        const StreamStaging staging = stagingOf(program);
        QCOMPARE(staging.streams, (std::vector<std::int64_t>{0, 8192, 8192}));
        QCOMPARE(staging.size.count, 8192 + 4096);
    }
};

std::unique_ptr<QObject> makeTestPageable() { return std::make_unique<TestPageable>(); }
#include "tst_pageable.moc"
