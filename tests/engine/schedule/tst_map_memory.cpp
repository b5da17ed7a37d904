// SPDX-License-Identifier: Apache-2.0
// The map of a program's memory: what lives at one moment shares no byte, whatever a step makes
// lies in a block that lives then, and what lives at the peak is what the plan says.
#include "backends/backends.h"
#include "networks.h"
#include "schedule/memory/map_memory.h"
#include "schedule/memory/predict.h"
#include "schedule/schedule.h"

#include <QTest>
#include <numeric>

using namespace weft;
using namespace weft::test;

namespace {

/// The programs of all devices, with what they were made of.
struct Made {
    std::vector<Program> programs;
};

std::unique_ptr<SmallNetwork> networkNamed(const QString& name) {
    return name == "branches"   ? branchedNetwork("adam")
           : name == "residual" ? residualNetwork()
                                : convolutionNetwork();
}

Made programsOf(const SmallNetwork& net, const std::string& backend, std::uint32_t devices,
                const std::string& words, const std::string& order, int streams) {
    const BackendList backends = [] {
        BackendList made;
        backends::fill(made);
        return made;
    }();
    PlacementRequest request;
    for (std::uint32_t k = 0; k < devices; ++k) {
        request.devices.push_back(backend + ":" + std::to_string(k));
    }
    request.fallback = SmallNetwork::assignment(words);
    const auto plan = std::make_shared<const Plan>(
        place(std::make_shared<const Graph>(net.graph()), net.ops(), request).plan);
    Made made;
    ScheduleRequest wanted{.order = order, .streams = streams, .cores = streams};
    wanted.fallback = &backends.find("reference")->kernels;
    for (std::uint32_t k = 0; k < devices; ++k) {
        const Backend& own = *backends.find(backend);
        const auto device = own.open(request.devices[k], streams);
        made.programs.push_back(schedule(plan, DeviceId{k}, own, device->sheet(), wanted));
    }
    return made;
}

bool overlap(const MemoryBlock& a, const MemoryBlock& b) {
    return a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes.count &&
           b.offset < a.offset + a.bytes.count;
}

std::int64_t sumOf(const std::array<Bytes, blockKinds>& held) {
    return std::accumulate(held.begin(), held.end(), Bytes{}).count;
}

std::int64_t bytesOfSlots(const Program& program) {
    std::int64_t bytes = 0;
    for (const SlotBuffer& slot : program.slots) {
        bytes += slot.isHeld ? slot.buffer.size.count : 0;
    }
    return bytes;
}

void addPrograms() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("backend");
    QTest::addColumn<int>("devices");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("streams");
    const auto row = [](const char* net, const char* backend, int devices, const char* words,
                        int streams) {
        QTest::addRow("%s, %s, %d devices, %s, %d streams", net, backend, devices, words, streams)
            << net << backend << devices << words << streams;
    };
    row("convolutions", "reference", 1, "data", 1);
    row("convolutions", "cpu", 2, "data", 2);
    row("convolutions", "reference", 3, "model.stack", 1);
    row("branches", "cpu", 1, "data", 3);
    row("branches", "reference", 2, "model.add", 2);
    row("residual", "cpu", 2, "data", 1);
}

} // namespace

class TestMapMemory : public QObject {
    Q_OBJECT

    /// Calls `check` for every program of the row.
    static void eachProgram(const std::function<void(const Program&, const MemoryMap&)>& check) {
        QFETCH(const QString, net);
        QFETCH(const QString, backend);
        QFETCH(const int, devices);
        QFETCH(const QString, words);
        QFETCH(const int, streams);
        const auto built = networkNamed(net);
        const Made made =
            programsOf(*built, backend.toStdString(), static_cast<std::uint32_t>(devices),
                       words.toStdString(), "dataflow", streams);
        QCOMPARE(made.programs.size(), static_cast<std::size_t>(devices));
        for (const Program& program : made.programs) {
            check(program, mapMemory(program));
        }
    }

private Q_SLOTS:
    void whatLivesAtOneMomentSharesNoByte_data() { addPrograms(); }
    void whatLivesAtOneMomentSharesNoByte() {
        eachProgram([](const Program& program, const MemoryMap& map) {
            QCOMPARE(map.steps.size(), program.steps.size());
            for (std::size_t a = 0; a < map.blocks.size(); ++a) {
                for (std::size_t b = a + 1; b < map.blocks.size(); ++b) {
                    const std::string both = map.blocks[a].name + " and " + map.blocks[b].name;
                    QVERIFY2(!overlap(map.blocks[a], map.blocks[b]), both.c_str());
                }
            }
        });
    }

    void everyBufferIsInABlockThatLives_data() { addPrograms(); }
    void everyBufferIsInABlockThatLives() {
        eachProgram([](const Program& program, const MemoryMap& map) {
            const auto isHeld = [&](const Buffer& buffer, std::size_t step) {
                const std::int64_t base =
                    buffer.arena == ArenaKind::slot ? 0 : program.slotSize.count;
                return buffer.size.count == 0 ||
                       std::ranges::any_of(map.blocks, [&](const MemoryBlock& block) {
                           return block.first <= step && step <= block.last &&
                                  block.offset <= base + buffer.offset &&
                                  base + buffer.offset + buffer.size.count <=
                                      block.offset + block.bytes.count;
                       });
            };
            for (std::size_t k = 0; k < program.steps.size(); ++k) {
                const Step& step = program.steps[k];
                for (const Buffer& output : step.outputs) {
                    QVERIFY2(isHeld(output, k), step.name.c_str());
                }
                QVERIFY2(isHeld(step.scratch, k), step.name.c_str());
            }
        });
    }

    void thePeakIsThePlans_data() { addPrograms(); }
    void thePeakIsThePlans() {
        eachProgram([](const Program& program, const MemoryMap& map) {
            const MemoryPeak peak = peakOf(program);
            QCOMPARE(map.peakStep, static_cast<std::uint32_t>(peak.step));
            QCOMPARE(map.peak.count, peak.alive.count + bytesOfSlots(program));
            QCOMPARE(map.kept.count, program.slotSize.count);
            QCOMPARE(map.size.count, (program.slotSize + program.workSize).count);
            for (std::uint32_t step = 0; step < map.steps.size(); ++step) {
                QVERIFY(sumOf(map.heldAt(step)) <= map.peak.count);
            }
            for (const MemoryBlock& block : map.blocks) {
                QVERIFY(block.offset >= 0 && block.offset + block.bytes.count <= map.size.count);
            }
        });
    }

    void kindsSumToTheWhole_data() { addPrograms(); }
    void kindsSumToTheWhole() {
        eachProgram([](const Program& program, const MemoryMap& map) {
            const auto held = map.heldAt(map.peakStep);
            QCOMPARE(sumOf(held), map.peak.count);
            Bytes weights;
            for (const SlotBuffer& slot : program.slots) {
                const bool isWeight =
                    program.plan->graph->at(slot.slot).kind == SlotKind::parameter;
                weights += slot.isHeld && isWeight ? slot.buffer.size : Bytes{};
            }
            QCOMPARE(held[std::size_t(BlockKind::weights)].count, weights.count);
            std::array<Bytes, blockKinds> made = {};
            for (const MemoryBlock& block : map.blocks) {
                made.at(static_cast<std::size_t>(block.kind)) += block.bytes;
            }
            for (const BlockKind kind : {BlockKind::gradients, BlockKind::activations}) {
                QVERIFY(made.at(static_cast<std::size_t>(kind)).count > 0);
            }
        });
    }

    void adamKeepsStateAndGathersBringBuffers() {
        const auto net = branchedNetwork("adam");
        const Made made = programsOf(*net, "reference", 2, "model.stack", "dataflow", 1);
        const MemoryMap map = mapMemory(made.programs.front());
        const auto held = map.heldAt(0);
        // Two moments of every weight, and what counts the steps.
        QVERIFY(held[std::size_t(BlockKind::state)].count >=
                2 * held[std::size_t(BlockKind::weights)].count);
        const auto gathered = std::ranges::find_if(map.blocks, [](const MemoryBlock& block) {
            return block.kind == BlockKind::buffers &&
                   block.name.find("all-gather") != std::string::npos;
        });
        QVERIFY(gathered != map.blocks.end());
    }

    void namesTheFirstBlockBeyondWhatThereIs() {
        const auto net = convolutionNetwork();
        const Made made = programsOf(*net, "reference", 1, "data", "sequential", 1);
        MemoryMap map = mapMemory(made.programs.front());
        QVERIFY(map.overflow() == nullptr);
        map.available = map.size;
        QVERIFY(map.overflow() == nullptr);
        map.available = {map.kept.count + (map.size.count - map.kept.count) / 2};
        const MemoryBlock* first = map.overflow();
        QVERIFY(first != nullptr);
        QVERIFY(first->offset + first->bytes.count > map.available.count);
        for (const MemoryBlock& block : map.blocks) {
            QVERIFY(block.first >= first->first ||
                    block.offset + block.bytes.count <= map.available.count);
        }
    }
};

std::unique_ptr<QObject> makeTestMapMemory() { return std::make_unique<TestMapMemory>(); }

#include "tst_map_memory.moc"
