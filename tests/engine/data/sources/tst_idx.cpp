// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"
#include "engine/data/real_data.h"
#include "support/packed.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::packed;
using test::writeBytes;

class TestIdx : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsPicturesAndLabels();
    void readsPackedFiles();
    void readsWideElements();
    void normalisesPerChannel();
    void describesWithoutUnpacking();
    void saysWhereItLookedForMissingFiles();
    void refusesHostileFiles_data();
    void refusesHostileFiles();
    void refusesBombs();
    void refusesLabelsThatDoNotFit();
    void readsMnist();

private:
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_->filePath(name).toStdString();
    }
    [[nodiscard]] Data open(const DataSettings& settings) const {
        return openData(settings, {.base = folder_->path().toStdString()}, kinds_);
    }
    static DataSettings settings() {
        DataSettings data;
        data.source = "idx";
        data.attributes = {{"train_images", std::string("images")},
                           {"train_labels", std::string("labels")},
                           {"test_images", std::string()},
                           {"scale", 1.0}};
        return data;
    }
    const SourceList kinds_ = sourceKinds();
    std::unique_ptr<QTemporaryDir> folder_;
};

namespace {

std::string idx(unsigned char type, const std::vector<std::uint32_t>& sizes,
                const std::string& bytes) {
    std::string file = {'\0', '\0', static_cast<char>(type), static_cast<char>(sizes.size())};
    for (const std::uint32_t size : sizes) {
        for (const unsigned shift : {24U, 16U, 8U, 0U}) {
            file += static_cast<char>(size >> shift & 0xFFU);
        }
    }
    return file + bytes;
}

} // namespace

void TestIdx::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    writeBytes(path("images"), idx(8, {3, 1, 2}, std::string("\0\1\2\3\xFE\xFF", 6)));
    writeBytes(path("labels"), idx(8, {3}, std::string("\4\0\2", 3)));
}

void TestIdx::readsPicturesAndLabels() {
    const Data data = open(settings());
    QCOMPARE(data.training->size(), std::int64_t{3});
    QVERIFY(data.test == nullptr && data.validation == nullptr);
    QCOMPARE(data.training->fields()[0].shape, (Shape{1, 1, 2}));
    QCOMPARE(data.training->fields()[1].classes, std::int64_t{5});
    QCOMPARE(fieldOf<float>(*data.training, "images", {2, 0}),
             (std::vector<float>{254, 255, 0, 1}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0, 1, 2}),
             (std::vector<std::int32_t>{4, 0, 2}));
}

void TestIdx::readsPackedFiles() {
    const std::string labels = test::readBytes(path("labels"));
    std::filesystem::remove(path("labels"));
    // Two members one after another are one file, as for gunzip.
    writeBytes(path("labels.gz"), packed(labels.substr(0, 9)) + packed(labels.substr(9)));
    DataSettings asIs = settings();
    asIs.attributes.set("label_dtype", std::string("i64"));
    QCOMPARE(fieldOf<std::int64_t>(*open(asIs).training, "labels", {0, 2}),
             (std::vector<std::int64_t>{4, 2}));
}

void TestIdx::readsWideElements() {
    writeBytes(path("images"), idx(0x0B, {1, 2}, std::string("\x01\x00\xFF\xFE", 4)));
    writeBytes(path("labels"), idx(0x0C, {1}, std::string("\0\0\1\0", 4)));
    const Data data = open(settings());
    QCOMPARE(data.training->fields()[0].shape, (Shape{2}));
    QCOMPARE(fieldOf<float>(*data.training, "images", {0}), (std::vector<float>{256, -2}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0}),
             (std::vector<std::int32_t>{256}));
}

void TestIdx::normalisesPerChannel() {
    writeBytes(path("images"), idx(8, {3, 2, 1, 1}, std::string("\0\1\2\3\4\5", 6)));
    DataSettings data = settings();
    data.attributes.set("scale", 2.0);
    data.attributes.set("mean", std::vector<double>{1, 2});
    data.attributes.set("std", std::vector<std::int64_t>{1, 4});
    QCOMPARE(fieldOf<float>(*open(data).training, "images", {2, 1}),
             (std::vector<float>{7, 2, 3, 1}));
    data.attributes.set("mean", std::vector<double>{1, 2, 3});
    QCOMPARE(errorOf([&] { (void)open(data); })->code(), ErrorCode::design);
    data.attributes.set("mean", 0.5);
    data.attributes.set("std", 0.0);
    QCOMPARE(errorOf([&] { (void)open(data); })->code(), ErrorCode::design);
}

void TestIdx::describesWithoutUnpacking() {
    // Large and packed, and damaged behind its head: describing does not see that, opening does.
    std::string noise(3'000'000, '\0');
    std::uint32_t state = 1;
    for (char& byte : noise) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<char>(state >> 24U);
    }
    std::string file = packed(idx(8, {3, 1000, 1000}, noise));
    file.resize(file.size() - 100);
    writeBytes(path("images"), file);
    const DataDescription description =
        describeData(settings(), {.base = folder_->path().toStdString()}, kinds_);
    QCOMPARE(description.fields[0].shape, (Shape{1, 1000, 1000}));
    QCOMPARE(description.fields[1].classes, std::int64_t{5});
    QCOMPARE(description.training, std::int64_t{3});
    QCOMPARE(errorOf([&] { (void)open(settings()); })->code(), ErrorCode::format);
}

void TestIdx::saysWhereItLookedForMissingFiles() {
    DataSettings data = settings();
    data.attributes.set("folder", std::string("mnist"));
    const DataFolders folders = {.base = "/no/such", .others = {"/nor/this"}};
    const auto error = errorOf([&] { (void)openData(data, folders, kinds_); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::file);
    const std::string text = error->what();
    for (const char* part :
         {"/no/such/mnist/images", "/nor/this/mnist/images", "https://", "folder"}) {
        QVERIFY2(text.find(part) != std::string::npos, error->what());
    }
}

void TestIdx::refusesHostileFiles_data() {
    QTest::addColumn<QByteArray>("content");
    const auto row = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QByteArray::fromStdString(content);
    };
    row("empty", "");
    row("other file", "P5 28 28 255");
    row("unknown type", idx(7, {1}, "1"));
    row("no dims", idx(8, {}, "1"));
    row("many dims", idx(8, {1, 1, 1, 1, 1}, "1"));
    row("head cut off", idx(8, {1, 2}, "").substr(0, 9));
    row("giant", idx(8, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "1"));
    row("overflows", idx(14, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "1"));
    row("empty pictures", idx(8, {3, 0, 2}, ""));
    row("short", idx(8, {3, 1, 2}, "12345"));
    row("long", idx(8, {3, 1, 2}, "1234567"));
    row("packed and short", packed(idx(8, {3, 1, 2}, "12345")));
    row("packed and long", packed(idx(8, {3, 1, 2}, "1234567")));
    row("packed and cut off", packed(idx(8, {3, 1, 2}, "123456")).substr(0, 20));
    row("packed with a bad sum", [] {
        std::string file = packed(idx(8, {3, 1, 2}, "123456"));
        file[file.size() - 6] = static_cast<char>(file[file.size() - 6] ^ 1);
        return file;
    }());
}

void TestIdx::refusesHostileFiles() {
    QFETCH(QByteArray, content);
    writeBytes(path("images"), content.toStdString());
    const auto error = errorOf([&] { (void)open(settings()); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::format);
    QCOMPARE(error->where().file, path("images").string());
    QVERIFY(error->where().offset >= 0);
    QVERIFY(!error->remedy().empty());
}

void TestIdx::refusesBombs() {
    // 200 MB of zeros pack into 200 kB; they are refused by what the head claims, before memory is
    // taken.
    writeBytes(path("images"), packed(idx(8, {200, 1000, 1000}, std::string(100'000, '\0'))));
    const auto error = errorOf([&] { (void)open(settings()); });
    QVERIFY(error.has_value());
    QVERIFY(error->remedy().find("gunzip") != std::string::npos);
}

void TestIdx::refusesLabelsThatDoNotFit() {
    writeBytes(path("labels"), idx(8, {2}, "12"));
    QCOMPARE(errorOf([&] { (void)open(settings()); })->code(), ErrorCode::format);
    writeBytes(path("labels"), idx(9, {3}, std::string("\1\xFF\2", 3)));
    const auto negative = errorOf([&] { (void)open(settings()); });
    QCOMPARE(negative->code(), ErrorCode::format);
    QCOMPARE(negative->where().offset, std::int64_t{9});
    writeBytes(path("labels"), idx(8, {3, 1}, "123"));
    QCOMPARE(errorOf([&] { (void)open(settings()); })->code(), ErrorCode::format);
}

void TestIdx::readsMnist() {
    const auto folder = test::realData("mnist");
    if (!folder) {
        QSKIP("MNIST is not here: set WEFT_DATA to the folder that holds mnist/");
    }
    DataSettings data;
    data.source = "idx";
    data.attributes = {{"folder", folder->string()}};
    data.validation = 0.1;
    const Data mnist = open(data);
    QCOMPARE(mnist.training->size(), std::int64_t{54000});
    QCOMPARE(mnist.validation->size(), std::int64_t{6000});
    QCOMPARE(mnist.test->size(), std::int64_t{10000});
    QCOMPARE(mnist.test->fields()[0].shape, (Shape{1, 28, 28}));
    QCOMPARE(mnist.test->fields()[1].classes, std::int64_t{10});
    QCOMPARE(fieldOf<std::int32_t>(*mnist.test, "labels", {0, 1, 2, 3, 4}),
             (std::vector<std::int32_t>{7, 2, 1, 0, 4}));
    data.validation = 0;
    const Data whole = open(data);
    QCOMPARE(fieldOf<std::int32_t>(*whole.training, "labels", {0, 1, 2, 3, 4}),
             (std::vector<std::int32_t>{5, 0, 4, 1, 9}));
    const std::vector<float> first = fieldOf<float>(*whole.training, "images", {0});
    QCOMPARE(*std::max_element(first.begin(), first.end()), 1.0F);
    QCOMPARE(first[5 * 28 + 12], 3.0F / 255);
}

} // namespace weft

std::unique_ptr<QObject> makeTestIdx() { return std::make_unique<weft::TestIdx>(); }
#include "tst_idx.moc"
