// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npy.h"
#include "engine/data/raises.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft {

using test::bytesOf;
using test::errorOf;
using test::numbersOf;
using test::readBytes;
using test::writeBytes;

class TestNpy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatItWrites();
    void startsElementsOn64Bytes();
    void readsWhatNumpyWrites();
    void turnsFortranOrder();
    void widensBrainFloats();
    void refusesHostileHeaders_data();
    void refusesHostileHeaders();
    void namesTheElementThatDoesNotFit();

private:
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_.filePath(name).toStdString();
    }
    QTemporaryDir folder_;
};

namespace {

std::string npy(const std::string& dictionary, const std::string& bytes) {
    std::string header = dictionary + "\n";
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() & 0xFFU) +
           static_cast<char>(header.size() >> 8U) + header + bytes;
}

} // namespace

void TestNpy::readsWhatItWrites() {
    const std::vector<float> x = {1, 2, 3, 4, 5, 6};
    const auto file = path("x.npy");
    for (const Shape& shape : {Shape{2, 3}, Shape{6}, Shape{1, 6, 1}}) {
        writeNpy(file, DType::f32, shape, bytesOf(x));
        QCOMPARE(readNpy(file), (Array{DType::f32, shape, bytesOf(x)}));
    }
    const std::vector<std::int64_t> scalar = {-7};
    writeNpy(file, DType::i64, {}, bytesOf(scalar));
    QCOMPARE(readNpy(file), (Array{DType::i64, {}, bytesOf(scalar)}));
    writeNpy(file, DType::u8, {0, 3}, {});
    QCOMPARE(readNpy(file), (Array{DType::u8, {0, 3}, {}}));
}

void TestNpy::startsElementsOn64Bytes() {
    const auto file = path("aligned.npy");
    const std::vector<std::byte> bytes(360);
    writeNpy(file, DType::f32, {2, 3, 15}, bytes);
    QCOMPARE(readNpyHeader(FileBytes(file)).dataOffset % 64, 0);
}

void TestNpy::readsWhatNumpyWrites() {
    const auto file = path("numpy.npy");
    writeBytes(file, npy("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }",
                         std::string("\x01\x00\xFF\xFF", 4)));
    QCOMPARE(numbersOf<std::int32_t>(readNpy(file).bytes), (std::vector<std::int32_t>{256, -1}));
    writeBytes(file, npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2), }",
                         std::string("\x00\x01", 2)));
    const Array truths = readNpy(file, DType::f32);
    QCOMPARE(truths.shape, (Shape{1, 2}));
    QCOMPARE(numbersOf<float>(truths.bytes), (std::vector<float>{0, 1}));
}

void TestNpy::turnsFortranOrder() {
    const auto file = path("fortran.npy");
    writeBytes(file, npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }",
                         std::string("\x00\x06\x02\x08\x04\x0A\x01\x07\x03\x09\x05\x0B", 12)));
    QCOMPARE(numbersOf<std::uint8_t>(readNpy(file).bytes),
             (std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

void TestNpy::widensBrainFloats() {
    const auto file = path("brain.npy");
    const std::vector<std::uint16_t> brain = {0x3FC0, 0xC000};
    writeNpy(file, DType::bf16, {2}, bytesOf(brain));
    const Array wide = readNpy(file);
    QCOMPARE(wide.dtype, DType::f32);
    QCOMPARE(numbersOf<float>(wide.bytes), (std::vector<float>{1.5F, -2.0F}));
}

void TestNpy::refusesHostileHeaders_data() {
    QTest::addColumn<QByteArray>("content");
    const auto row = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QByteArray::fromStdString(content);
    };
    row("empty", "");
    row("other file", std::string(100, 'x'));
    row("unknown version", std::string("\x93NUMPY\x07\x00\x10\x00", 10));
    row("header beyond the end", std::string("\x93NUMPY\x01\x00\xFF\xFF{", 11));
    row("giant header", std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{", 13));
    row("size overflows", npy("{'descr': '<f8', 'fortran_order': False, "
                              "'shape': (4294967296, 4294967296), }",
                              ""));
    row("zero hides overflow", npy("{'descr': '<f8', 'fortran_order': False, "
                                   "'shape': (0, 4294967296, 4294967296), }",
                                   ""));
    row("number too long", npy("{'descr': '<f8', 'fortran_order': False, "
                               "'shape': (99999999999999999999,), }",
                               ""));
    row("negative size", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (-1,), }", ""));
    row("short data", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234567"));
    row("long data", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "123"));
    row("objects", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "12345678"));
    row("records",
        npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"));
    row("complex", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "12345678"));
    row("key missing", npy("{'descr': '|u1', 'fortran_order': False}", ""));
    row("key twice",
        npy("{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': ()}", "1"));
    row("open quote", npy("{'descr", ""));
    row("words after", npy("{'descr': '|u1', 'fortran_order': False, 'shape': ()} x", "1"));
}

void TestNpy::refusesHostileHeaders() {
    QFETCH(QByteArray, content);
    const auto file = path("hostile.npy");
    writeBytes(file, content.toStdString());
    const auto error = errorOf([&] { (void)readNpy(file); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::format);
    QCOMPARE(error->where().file, file.string());
    QVERIFY(error->where().offset >= 0);
    QVERIFY(!error->remedy().empty());
}

void TestNpy::namesTheElementThatDoesNotFit() {
    const auto file = path("large.npy");
    const std::vector<std::int64_t> values = {1, 2, std::int64_t{1} << 40U};
    writeNpy(file, DType::i64, {3}, bytesOf(values));
    const auto error = errorOf([&] { (void)readNpy(file, DType::i32); });
    QVERIFY(error.has_value());
    QCOMPARE(error->where().offset, std::int64_t{128 + 16});
}

} // namespace weft

std::unique_ptr<QObject> makeTestNpy() { return std::make_unique<weft::TestNpy>(); }
#include "tst_npy.moc"
