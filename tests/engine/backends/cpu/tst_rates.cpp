// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"
#include "ops/ops.h"
#include "run/measure/calibrate.h"
#include <weft/error.h>

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;

class TestRates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuresEveryRateOfTheDevice() {
        BackendList backends;
        backends::fill(backends);
        OpList ops;
        ops::fill(ops);
        const Backend& cpu = *backends.find("cpu");
        const auto device = cpu.open("cpu:0", 1);
        const DeviceSheet sheet = measureRates(*device, cpu, ops);
        QCOMPARE(sheet.name, device->sheet().name);
        QCOMPARE(sheet.model, device->sheet().model);
        QVERIFY(std::isfinite(sheet.flopsPerSecond) && sheet.flopsPerSecond > 0);
        QVERIFY(std::isfinite(sheet.bytesPerSecond) && sheet.bytesPerSecond > 0);
        QVERIFY(sheet.overhead.count > 0);
        for (const char* op : {"linear", "linear_dx", "max_pool2d", "attention", "gelu"}) {
            QVERIFY2(sheet.efficiency.contains(op), op);
        }
        QVERIFY(sheet.streamSpread.low > 0 && sheet.streamSpread.low <= 1);
        QVERIFY(sheet.streamSpread.high >= 1);
        QCOMPARE(sheet.opSpread.size(), sheet.efficiency.size());
        for (const auto& [op, spread] : sheet.opSpread) {
            QVERIFY2(spread.low > 0 && spread.low <= 1 && spread.high >= 1, op.c_str());
        }
        for (const auto& [op, share] : sheet.efficiency) {
            QVERIFY2(std::isfinite(share) && share > 0, op.c_str());
        }
    }

    /// By the kernels that round, where this machine has what they compute with. These compute all
    /// four times.
    void measuresWhatRounds() {
        BackendList backends;
        backends::fill(backends);
        OpList ops;
        ops::fill(ops);
        Backend cpu = *backends.find("cpu");
        const auto device = cpu.open("cpu:0", 1);
        KernelMaker maker = cpu.kernels.of("linear").front();
        maker.choose = [exact = maker.choose](const KernelRequest& request) {
            ChoiceOrRefusal choice = exact(request);
            choice->make = [make = choice->make] {
                const std::shared_ptr<Kernel> kernel = make();
                return makeKernel([kernel](const KernelArguments& arguments) {
                    for (int turn = 0; turn < 4; ++turn) {
                        kernel->run(arguments);
                    }
                });
            };
            return choice;
        };
        maker.lacks = [] { return std::string("there is no library"); };
        cpu.rounding[Precision::tf32].add(maker);
        QCOMPARE(measureRates(*device, cpu, ops).tf32FlopsPerSecond, 0.0);
        cpu.rounding = {};
        maker.lacks = {};
        cpu.rounding[Precision::tf32].add(maker);
        const DeviceSheet sheet = measureRates(*device, cpu, ops);
        QVERIFY(sheet.tf32FlopsPerSecond > 0);
        QVERIFY(sheet.tf32FlopsPerSecond < sheet.flopsPerSecond / 2);
        QCOMPARE(sheet.bf16FlopsPerSecond, 0.0);
        cpu.rounding = {};
        cpu.rounding[Precision::bf16].add(maker);
        const DeviceSheet halving = measureRates(*device, cpu, ops);
        QVERIFY(halving.bf16FlopsPerSecond > 0);
        QCOMPARE(halving.tf32FlopsPerSecond, 0.0);
        QCOMPARE(sheet.efficiency.at("linear"), 1.0);
    }

    void stopsBetweenTwoKernelsWhenToldTo() {
        BackendList backends;
        backends::fill(backends);
        OpList ops;
        ops::fill(ops);
        const Backend& cpu = *backends.find("cpu");
        const auto device = cpu.open("cpu:0", 1);
        std::vector<double> told;
        const auto progress = [&told](double done) {
            told.push_back(done);
            return told.size() < 5;
        };
        try {
            (void)measureRates(*device, cpu, ops, progress);
            QFAIL("went on although it was told to stop");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::stopped);
        }
        QCOMPARE(told.size(), std::size_t{5});
        QVERIFY(std::ranges::is_sorted(told));
        QVERIFY(told.front() >= 0 && told.back() < 1);
    }

    void theMiddleAndItsQuartilesAreKept() {
        const MeasuredTime time = middleOf({9, 2, 4, 100, 1});
        QCOMPARE(time.seconds, 4.0);
        QCOMPARE(time.spread, (TimeDeviation{0.5, 2.25}));
        QCOMPARE(middleOf({3}).spread, TimeDeviation{});
    }
};

std::unique_ptr<QObject> makeTestRates() { return std::make_unique<TestRates>(); }

#include "tst_rates.moc"
