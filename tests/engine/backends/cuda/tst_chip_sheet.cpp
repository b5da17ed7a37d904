// SPDX-License-Identifier: Apache-2.0
// The sheet derived from the driver's information about a chip, compared with the chip's data
// sheet.
#include "backends/cuda/cudnn/plan_table.h"
#include "backends/cuda/runtime/chip_sheet.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;

class TestChipSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comesToWhatIsPublished_data() {
        QTest::addColumn<QString>("sheet");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("generation");
        QTest::addColumn<int>("processors");
        QTest::addColumn<double>("gigahertz");
        const auto row = [](const char* sheet, const char* name, int generation, int processors,
                            double gigahertz) {
            QTest::newRow(sheet) << sheet << name << generation << processors << gigahertz;
        };
        row("b200", "NVIDIA B200", 100, 148, 1.965);
        row("h200", "NVIDIA H200", 90, 132, 1.98);
        row("h100", "NVIDIA H100 80GB HBM3", 90, 132, 1.98);
        row("h100-pcie", "NVIDIA H100 PCIe", 90, 114, 1.755);
        row("a100", "NVIDIA A100-SXM4-80GB", 80, 108, 1.41);
        row("l40s", "NVIDIA L40S", 89, 142, 2.52);
        row("l4", "NVIDIA L4", 89, 58, 2.04);
        row("t4", "Tesla T4", 75, 40, 1.59);
        row("rtx5090", "NVIDIA GeForce RTX 5090", 120, 170, 2.407);
        row("rtx4090", "NVIDIA GeForce RTX 4090", 89, 128, 2.52);
        row("rtx3090", "NVIDIA GeForce RTX 3090", 86, 82, 1.695);
    }
    /// Tensor units of some run at another clock than is told.
    void comesToWhatIsPublished() {
        QFETCH(QString, sheet);
        QFETCH(QString, name);
        QFETCH(int, generation);
        QFETCH(int, processors);
        QFETCH(double, gigahertz);
        const std::vector<DeviceSheet> all = dataSheets();
        const DeviceSheet& published =
            *std::ranges::find(all, sheet.toStdString(), &DeviceSheet::name);
        const DeviceSheet made = cuda::sheetOf({.name = name.toStdString(),
                                                .major = generation / 10,
                                                .minor = generation % 10,
                                                .processors = processors,
                                                .cyclesPerSecond = gigahertz * 1e9},
                                               3);
        const auto isNear = [](double one, double other) {
            return std::abs(one - other) <= 0.09 * other;
        };
        QVERIFY(isNear(made.flopsPerSecond, published.flopsPerSecond));
        QVERIFY(isNear(made.tf32FlopsPerSecond, published.tf32FlopsPerSecond));
        QVERIFY(isNear(made.bf16FlopsPerSecond, published.bf16FlopsPerSecond));
        QCOMPARE(made.threads, published.threads);
        QCOMPARE(made.bus, published.bus);
        QCOMPARE(made.peer, published.peer);
        QCOMPARE(made.name, std::string("cuda:3"));
        QCOMPARE(made.generation, published.generation);
    }

    /// Uses rows for generations 8.0 and 9.0, the latter in two versions.
    void isTakenByTheNearestRowsOfPlans_data() {
        QTest::addColumn<int>("generation");
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("taken");
        QTest::newRow("its own") << 90 << "9.19.0"
                                 << "90/9.19.0";
        QTest::newRow("its own, later") << 90 << "9.20.1"
                                        << "90/9.20.1";
        QTest::newRow("between versions") << 90 << "9.20.0"
                                          << "90/9.19.0";
        QTest::newRow("later than all") << 120 << "9.100.0"
                                        << "90/9.20.1";
        QTest::newRow("between generations") << 89 << "9.20.1"
                                             << "80/9.19.0";
        QTest::newRow("before all") << 75 << "9.8.0"
                                    << "80/9.19.0";
        QTest::newRow("of no version") << 90 << ""
                                       << "90/9.20.1";
        QTest::newRow("of no generation") << 0 << "9.20.1"
                                          << "80/9.19.0 90/9.20.1";
    }
    void isTakenByTheNearestRowsOfPlans() {
        QFETCH(const int, generation);
        QFETCH(const QString, version);
        const std::vector<cuda::PlanRow> rows = {
            {cuda::ConvolutionPass::forward, Precision::exact, 80, "9.19.0", {}},
            {cuda::ConvolutionPass::forward, Precision::exact, 90, "9.19.0", {}},
            {cuda::ConvolutionPass::forward, Precision::exact, 90, "9.20.1", {}}};
        QStringList taken;
        for (const cuda::PlanRow& row : cuda::rowsFor({generation, version.toStdString()}, rows)) {
            taken << QString("%1/%2").arg(row.generation).arg(row.version);
        }
        QTEST(taken.join(' '), "taken");
    }

    /// A chip is given what its own rows say, one that nobody knows the most of all.
    void givesPlansWhatTheirChipWants() {
        cuda::PlannedConvolution planned{.precision = Precision::tf32};
        planned.of = {.batch = 32, .inputs = 64, .outputs = 64, .rows = 56, .columns = 56};
        planned.of.windowRows = planned.of.windowColumns = 56;
        const auto given = [&](int generation) {
            return *cuda::workspaceFor(planned, {generation, ""});
        };
        QVERIFY(given(90) < given(80));
        QCOMPARE(given(89), given(80));
        QCOMPARE(given(75), given(80));
        QCOMPARE(given(120), given(90));
        QCOMPARE(given(0), given(80));
    }

    void whatTheTableOfPlansLacksIsSaid() {
        const std::string known = cuda::planRows().front().version;
        const auto ends = [&](const ChipKind& chip, const std::string& end) {
            return cuda::remarkOnMissingRows(chip).ends_with(
                known + " on GPUs of compute capability " + end);
        };
        QCOMPARE(cuda::remarkOnMissingRows({80, known}), std::string());
        QCOMPARE(cuda::remarkOnMissingRows({90, known}), std::string());
        QCOMPARE(cuda::remarkOnMissingRows({90, ""}), std::string()); // no library to speak of
        QVERIFY(ends({89, known}, "8.0"));
        QVERIFY(ends({75, ""}, "8.0"));
        QVERIFY(ends({120, known}, "9.0"));
        QVERIFY(ends({0, known}, "8.0 and 9.0"));
        QVERIFY(ends({90, "99.1.0"}, "9.0; 99.1.0 is installed"));
    }
};

std::unique_ptr<QObject> makeTestChipSheet() { return std::make_unique<TestChipSheet>(); }
#include "tst_chip_sheet.moc"
