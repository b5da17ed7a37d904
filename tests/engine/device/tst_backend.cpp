// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"
#include "device/backend.h"
#include "support/bug.h"
#include <weft/error.h>

#include <QTest>
#include <algorithm>
#include <cstdint>
#include <numeric>

using namespace weft;

class TestBackend : public QObject {
    Q_OBJECT

    BackendList backends_;

    void rowPerBackend() const {
        QTest::addColumn<QString>("name");
        for (const Backend& backend : backends_.all()) {
            QTest::newRow(backend.name.c_str()) << QString::fromStdString(backend.name);
        }
    }
    /// Nothing where this machine has no such device.
    [[nodiscard]] std::unique_ptr<Device> opened(const QString& name) const {
        const Backend& backend = *backends_.find(name.toStdString());
        const auto found = backend.find();
        return found.empty() ? nullptr : backend.open(found.front().name, 1);
    }

private Q_SLOTS:
    void initTestCase() { backends::fill(backends_); }

    void findsBackendsByName() {
        QVERIFY(backends_.find("reference") != nullptr);
        QVERIFY(backends_.find("abacus") == nullptr);
    }

    void namesOfChipsAndOfWorkersOnThem_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<int>("number");
        QTest::newRow("a chip") << "cuda:0" << 0;
        QTest::newRow("a worker") << "cuda:12/3" << 12;
        QTest::newRow("another backend's") << "cpu:0" << -1;
        QTest::newRow("a longer name") << "cudas:0" << -1;
        for (const char* none : {"cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:0/",
                                 "cuda:0/x", "cuda:/1", "cuda:0/1/2", "cuda:99999999999"}) {
            QTest::newRow(none) << none << -1;
        }
    }
    void namesOfChipsAndOfWorkersOnThem() {
        QFETCH(const QString, device);
        QTEST(chipNumber(device.toStdString(), "cuda"), "number");
    }

    void workersAreOnAChip() {
        QCOMPARE(chipOf("cuda:3/1"), std::string("cuda:3"));
        QCOMPARE(chipOf("cuda:3"), std::string("cuda:3"));
        QCOMPARE(backendOf("cuda:3/1"), std::string("cuda"));
    }

    void takesEachNameOnce() {
        QVERIFY(test::isBug([] {
            BackendList list;
            list.add({.name = "cpu"});
            list.add({.name = "cpu"});
        }));
    }

    void opensWhatItFinds_data() { rowPerBackend(); }
    void opensWhatItFinds() {
        QFETCH(QString, name);
        for (const DeviceSheet& sheet : backends_.find(name.toStdString())->find()) {
            QCOMPARE(sheet.backend, name.toStdString());
            QVERIFY(sheet.cores > 0);
            const auto device = backends_.find(name.toStdString())->open(sheet.name, 1);
            QCOMPARE(device->sheet().name, sheet.name);
        }
    }

    void refusesADeviceThatIsNotThere_data() { rowPerBackend(); }
    void refusesADeviceThatIsNotThere() {
        QFETCH(QString, name);
        const Backend& backend = *backends_.find(name.toStdString());
        try {
            (void)backend.open("abacus:0", 1);
            QFAIL("opened an abacus");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::device);
            QVERIFY(error.problem().find("abacus:0") != std::string::npos);
            QVERIFY(!error.remedy().empty());
        }
    }

    void givesZeroedAlignedMemory_data() { rowPerBackend(); }
    void givesZeroedAlignedMemory() {
        QFETCH(QString, name);
        const auto device = opened(name);
        if (device == nullptr) {
            QSKIP("this machine has no such device");
        }
        const std::size_t alignment = backends_.find(name.toStdString())->alignment;
        QVERIFY(alignment >= 64);
        const auto arena = device->allocate({1000});
        QVERIFY(arena->size().count >= 1000);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(arena->address()) % alignment, std::uintptr_t{0});
        std::vector<std::uint8_t> bytes(1000, 1);
        device->copyOut(bytes.data(), arena->address(), {1000});
        QVERIFY(std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; }));
    }

    void copiesInAndOut_data() { rowPerBackend(); }
    void copiesInAndOut() {
        QFETCH(QString, name);
        const auto device = opened(name);
        if (device == nullptr) {
            QSKIP("this machine has no such device");
        }
        const auto arena = device->allocate({256});
        std::vector<std::uint8_t> given(256);
        std::iota(given.begin(), given.end(), std::uint8_t{0});
        device->copyIn(arena->address(), given.data(), {256});
        std::vector<std::uint8_t> back(256);
        device->copyOut(back.data(), arena->address(), {256});
        QVERIFY(given == back);
    }

    void saysWhenMemoryIsNotToBeHad_data() { rowPerBackend(); }
    void saysWhenMemoryIsNotToBeHad() {
        QFETCH(QString, name);
        const auto device = opened(name);
        if (device == nullptr) {
            QSKIP("this machine has no such device");
        }
        try {
            (void)device->allocate({std::int64_t{1} << 60});
            QFAIL("gave an exabyte");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::memory);
        }
    }
};

std::unique_ptr<QObject> makeTestBackend() { return std::make_unique<TestBackend>(); }

#include "tst_backend.moc"
