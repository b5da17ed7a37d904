// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"
#include "engine/data/real_data.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::writeBytes;

class TestCifar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsRecordsOfSeveralFiles();
    void readsCoarseAndFineLabels();
    void refusesWhatIsNoWholeRecord();
    void refusesLabelsBeyondTheClasses();
    void readsTheRealFiles();

private:
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_.filePath(name).toStdString();
    }
    [[nodiscard]] Data open(Attributes attributes) const {
        DataSettings settings;
        settings.source = "cifar";
        attributes.set("scale", 1.0);
        if (!attributes.has("test")) {
            attributes.set("test", std::string());
        }
        settings.attributes = std::move(attributes);
        return openData(settings, {.base = folder_.path().toStdString()}, sourceKinds());
    }
    QTemporaryDir folder_;
};

namespace {

/// A record whose red, green and blue are r, r + 1, r + 2 all over.
std::string record(const std::string& labels, int red) {
    std::string bytes = labels;
    for (int channel = 0; channel < 3; ++channel) {
        bytes += std::string(1024, static_cast<char>(red + channel));
    }
    return bytes;
}

} // namespace

void TestCifar::readsRecordsOfSeveralFiles() {
    writeBytes(path("a.bin"), record("\3", 10) + record("\1", 20));
    writeBytes(path("b.bin"), record("\7", 253));
    writeBytes(path("t.bin"), record("\2", 1));
    const Data data =
        open({{"train", std::string("a.bin, b.bin")}, {"test", std::string("t.bin")}});
    QCOMPARE(data.training->size(), std::int64_t{3});
    QCOMPARE(data.test->size(), std::int64_t{1});
    QCOMPARE(data.classNames.at(3), std::string("cat"));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {2, 0, 1}),
             (std::vector<std::int32_t>{7, 3, 1}));
    const auto pictures = fieldOf<float>(*data.training, "images", {2, 1});
    QCOMPARE(pictures[0], 253.0F);
    QCOMPARE(pictures[3071], 255.0F);
    QCOMPARE(pictures[3072 + 1024], 21.0F);
}

void TestCifar::readsCoarseAndFineLabels() {
    writeBytes(path("c.bin"),
               record(std::string("\x13\x63", 2), 5) + record(std::string("\0\1", 2), 6));
    const Data data = open({{"train", std::string("c.bin")}, {"variant", std::string("cifar100")}});
    QCOMPARE(data.training->size(), std::int64_t{2});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "coarse_labels", {0, 1}),
             (std::vector<std::int32_t>{19, 0}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0, 1}),
             (std::vector<std::int32_t>{99, 1}));
    QCOMPARE(fieldOf<float>(*data.training, "images", {1})[0], 6.0F);
}

void TestCifar::refusesWhatIsNoWholeRecord() {
    for (const std::string& content :
         {std::string(), std::string("x"), record("\1", 1) + "x", record("\1", 1).substr(1)}) {
        writeBytes(path("odd.bin"), content);
        const auto error = errorOf([&] { (void)open({{"train", std::string("odd.bin")}}); });
        QVERIFY(error.has_value());
        QCOMPARE(error->code(), ErrorCode::format);
        QCOMPARE(error->where().file, path("odd.bin").string());
        QVERIFY(error->where().offset >= 0);
    }
    QCOMPARE(errorOf([&] {
                 (void)open({{"train", std::string(" , ")}});
             })->code(),
             ErrorCode::design);
}

void TestCifar::refusesLabelsBeyondTheClasses() {
    writeBytes(path("bad.bin"), record("\1", 1) + record("\x0A", 1));
    const Data data = open({{"train", std::string("bad.bin")}});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0})[0], 1);
    const auto error = errorOf([&] { (void)fieldOf<std::int32_t>(*data.training, "labels", {1}); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::format);
    QCOMPARE(error->where().offset, std::int64_t{3073});
}

void TestCifar::readsTheRealFiles() {
    const auto folder = test::realData("cifar10");
    if (!folder) {
        QSKIP("CIFAR-10 is not here: set WEFT_DATA to the folder that holds cifar10/");
    }
    const Data data = open({{"folder", folder->string()},
                            {"train", std::string("data_batch_1.bin")},
                            {"test", std::string("test_batch_first1000.bin")}});
    QCOMPARE(data.training->size(), std::int64_t{10000});
    QCOMPARE(data.test->size(), std::int64_t{1000});
    // The first of the training batch is a frog, of the test batch a cat and a ship.
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0})[0], 6);
    QCOMPARE(fieldOf<std::int32_t>(*data.test, "labels", {0, 1}),
             (std::vector<std::int32_t>{3, 8}));
}

} // namespace weft

std::unique_ptr<QObject> makeTestCifar() { return std::make_unique<weft::TestCifar>(); }
#include "tst_cifar.moc"
