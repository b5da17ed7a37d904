// SPDX-License-Identifier: Apache-2.0
// A run uses the plan and the programs of its prediction, whatever the rates of the machine.
#include "front/preview/compile_step.h"
#include "run/train/party.h"
#include "run/train/training_run.h"
#include "schedule/predict/simulate.h"
#include "support/places.h"
#include <weft/design_file.h>
#include <weft/devices.h>
#include <weft/preview.h>

#include <QTest>
#include <algorithm>

using namespace weft;

namespace {

/// A machine whose devices are as slow at one thing as they are fast at another.
MachineSheet absurd(MachineSheet machine) {
    for (DeviceSheet& sheet : machine.devices) {
        sheet.flopsPerSecond = 1e5;
        sheet.bytesPerSecond = 1e15;
        sheet.overhead = {7};
        sheet.efficiency = {{"relu", 1e-6}};
    }
    machine.withinProcess.latency = {90'000'000};
    machine.withinProcess.bytesPerSecond = 3e3;
    return machine;
}

struct Shown {
    std::string plan;
    std::vector<std::string> programs;
    std::vector<Nanoseconds> times;

    void add(const Program& program) {
        programs.push_back(print(program) + printKernels(program) + printMemory(program));
        for (const Step& step : program.steps) {
            times.push_back(step.predicted);
        }
    }
};

class Both {
public:
    Both(const std::string& sample, int devices, AxisWord word)
        : registry_(makeRegistry()),
          design_(loadDesign(weft::test::sourceFolder() / "projects" / sample / "bench.weft",
                             registry_->kinds)
                      .design) {
        for (int k = 0; k < devices; ++k) {
            devices_.push_back("cpu:" + std::to_string(k));
        }
        if (word != AxisWord::follow) {
            design_.assignment.words = {word};
        }
    }

    Shown predicted(const MachineSheet& machine) const {
        const Study studied = study({.design = &design_,
                                     .registry = registry_.get(),
                                     .devices = devices_,
                                     .machine = machine});
        const CompileRequest wanted{
            .design = &design_, .registry = registry_.get(), .machine = machine};
        const CompiledStep each = compileEachDevice(studied, wanted);
        Shown shown{.plan = print(*studied.plan)};
        std::ranges::for_each(each.programs, [&](const auto& one) { shown.add(one); });
        requireAlike(compileSteps(studied, studyDevices(studied, wanted), wanted)->front(), each);
        return shown;
    }

    /// Each device does what the one does that stands for it.
    static void requireAlike(const CompiledStep& shown, const CompiledStep& each) {
        for (const Program& own : each.programs) {
            const Program& of = shown.programOf(own.device);
            bool isAlike = of.slotSize == own.slotSize && of.workSize == own.workSize &&
                           of.steps.size() == own.steps.size() &&
                           of.streams.size() == own.streams.size();
            for (std::size_t k = 0; isAlike && k < own.steps.size(); ++k) {
                const Step& a = of.steps[k];
                const Step& b = own.steps[k];
                isAlike =
                    a.node == b.node && a.stream == b.stream && a.position == b.position &&
                    a.inputs == b.inputs && a.outputs == b.outputs && a.scratch == b.scratch &&
                    a.waits == b.waits && a.predicted == b.predicted && a.traffic == b.traffic &&
                    a.implementation == b.implementation && a.members.size() == b.members.size();
            }
            QVERIFY2(isAlike, each.devices.sheets[own.device.value].name.c_str());
        }
        const Timeline one = simulate(shown.programPointers(), shown.alike);
        QCOMPARE(one.length().count, simulate(each.programPointers(), each.alike).length().count);
    }

    /// By device, as the preview has it.
    std::vector<Bytes> taken(const MachineSheet& machine) const {
        PreviewCache cache;
        const auto made = preview(design_, cache,
                                  {.devices = devices_,
                                   .machine = machine,
                                   .data = PreviewData{},
                                   .until = PreviewPart::run});
        std::vector<Bytes> all;
        for (const DevicePreview& device : made->devices) {
            all.push_back(device.run->takes);
        }
        return all;
    }

    Shown run(const MachineSheet& machine, std::vector<Bytes>* given = nullptr) const {
        const auto world = makeLoneWorld(false);
        const RankSpread spread = spreadOver(devices_, 1, 0);
        const RunParticipant party = participantOf(*world, spread, machine);
        RunRequest wanted{
            .design = &design_, .registry = registry_.get(), .devices = spread.devices};
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        wanted.party = &party;
        wanted.preparesObserved = given != nullptr;
        TrainingRun run(std::move(wanted));
        for (std::size_t w = 0; given != nullptr && w < run.pool().size(); ++w) {
            Bytes kept;
            Bytes work;
            for (std::size_t m = 0; m < run.pool().variantCount(); ++m) {
                kept = std::max(kept, run.pool().program(w, m).program().slotSize);
                work = std::max(work, run.pool().program(w, m).program().workSize);
            }
            given->push_back(kept + work);
        }
        Shown shown{.plan = print(*run.programSet().members.front().plan)};
        for (std::size_t w = 0; w < run.pool().size(); ++w) {
            shown.add(run.pool().program(w, 0).program());
        }
        return shown;
    }

private:
    std::unique_ptr<const Registry> registry_;
    Design design_;
    std::vector<std::string> devices_;
};

/// Compares a run with its prediction.
void requireSame(const Shown& run, const Shown& predicted) {
    QCOMPARE(run.plan, predicted.plan);
    QCOMPARE(run.programs, predicted.programs);
    QVERIFY(run.times == predicted.times);
}

} // namespace

class TestPlannedFor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsWhatWasPredicted_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<int>("devices");
        QTest::addColumn<AxisWord>("word");
        const AxisWord own = AxisWord::follow; // the design's own assignment
        QTest::newRow("a chain on one device") << "mlp" << 1 << own;
        QTest::newRow("two branches on two devices") << "two-tower-fusion" << 2 << own;
        QTest::newRow("more devices than cores") << "mlp" << 4 << own;
        QTest::newRow("parts that are not even") << "lenet-mnist" << 3 << own;
        QTest::newRow("attention") << "tiny-gpt" << 2 << own;
        QTest::newRow("groups and their norms") << "resnet18-cifar" << 2 << own;
        QTest::newRow("convolutions side by side") << "googlenet" << 2 << own;
        QTest::newRow("weights that are cut") << "lenet-mnist" << 4 << AxisWord::modelStack;
        QTest::newRow("weights that are added") << "mlp" << 3 << AxisWord::modelAdd;
        QTest::newRow("poolings over the edge") << "cifar-quick" << 2 << own;
        QTest::newRow("one weird trick") << "alexnet-one-weird-trick" << 2 << own;
        QTest::newRow("rounds of a code") << "lca" << 2 << own;
    }
    void aRunIsWhatWasPredicted() {
        QFETCH(QString, sample);
        QFETCH(int, devices);
        QFETCH(AxisWord, word);
        const Both both(sample.toStdString(), devices, word);
        MachineSheet machine = thisMachine();
        std::ranges::find(machine.devices, "cpu", &DeviceSheet::backend)->cores = 2;
        const Shown usual = both.predicted(machine);
        std::vector<Bytes> given;
        requireSame(both.run(machine, &given), usual);
        QCOMPARE(both.taken(machine), given);
        if (sample == "mlp" || sample == "two-tower-fusion") {
            const Shown other = both.predicted(absurd(machine));
            requireSame(both.run(absurd(machine)), other);
            QVERIFY(other.times != usual.times);
        }
    }
};

std::unique_ptr<QObject> makeTestPlannedFor() { return std::make_unique<TestPlannedFor>(); }

#include "tst_planned_for.moc"
