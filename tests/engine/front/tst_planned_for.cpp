// SPDX-License-Identifier: Apache-2.0
// What is shown is what is run: plan and programs of a run are those that a prediction is made of,
// whatever the rates of the machine are.
#include "front/prepared.h"
#include "run/party.h"
#include "run/training_run.h"
#include "support/places.h"
#include <weft/design_file.h>
#include <weft/devices.h>

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
    Both(const std::string& sample, int devices)
        : registry_(makeRegistry()),
          design_(loadDesign(weft::test::sourceFolder() / "projects" / sample / "bench.weft",
                             registry_->kinds)
                      .design) {
        for (int k = 0; k < devices; ++k) {
            devices_.push_back("cpu:" + std::to_string(k));
        }
    }

    Shown predicted(const MachineSheet& machine) const {
        const Study studied = study({.design = &design_,
                                     .registry = registry_.get(),
                                     .devices = devices_,
                                     .machine = machine});
        const Prepared prepared =
            prepare(studied, {.design = &design_, .registry = registry_.get(), .machine = machine});
        Shown shown{.plan = print(*studied.plan)};
        std::ranges::for_each(prepared.programs, [&](const auto& each) { shown.add(each); });
        return shown;
    }

    Shown run(const MachineSheet& machine) const {
        const auto world = makeLoneWorld(false);
        const RankSpread spread = spreadOver(devices_, 1, 0);
        const Party party = partyOf(*world, spread, machine);
        RunRequest wanted{
            .design = &design_, .registry = registry_.get(), .devices = spread.devices};
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        wanted.party = &party;
        TrainingRun run(std::move(wanted));
        Shown shown{.plan = print(*run.family().members.front().plan)};
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

} // namespace

class TestPlannedFor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsWhatWasPredicted_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<int>("devices");
        QTest::newRow("a chain on one device") << "mlp" << 1;
        QTest::newRow("two branches on two devices") << "two-tower-fusion" << 2;
        QTest::newRow("more devices than cores") << "mlp" << 4;
    }
    void aRunIsWhatWasPredicted() {
        QFETCH(QString, sample);
        QFETCH(int, devices);
        const Both both(sample.toStdString(), devices);
        MachineSheet machine = thisMachine();
        std::ranges::find(machine.devices, "cpu", &DeviceSheet::backend)->cores = 2;
        const Shown usual = both.predicted(machine);
        for (const MachineSheet& one : {machine, absurd(machine)}) {
            const Shown predicted = both.predicted(one);
            const Shown run = both.run(one);
            QCOMPARE(run.plan, predicted.plan);
            QCOMPARE(run.programs, predicted.programs);
            QVERIFY(run.times == predicted.times);
            QCOMPARE(predicted.times != usual.times, one != machine);
        }
    }
};

std::unique_ptr<QObject> makeTestPlannedFor() { return std::make_unique<TestPlannedFor>(); }

#include "tst_planned_for.moc"
