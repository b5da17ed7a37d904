// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/safetensors.h"
#include "engine/data/raises.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft {

using test::bytesOf;
using test::errorOf;
using test::numbersOf;
using test::readBytes;
using test::writeBytes;

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatItWrites();
    void readsEveryDtypeOfPyTorch();
    void readsPartsOfATensor();
    void leavesNothingBehindUnfinished();
    void takesManyTensors();
    void refusesHostileHeaders_data();
    void refusesHostileHeaders();

private:
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_.filePath(name).toStdString();
    }
    QTemporaryDir folder_;
};

namespace {

std::string file(const std::string& header, const std::string& bytes) {
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        length[i] = static_cast<char>(header.size() >> (8 * i) & 0xFFU);
    }
    return length + header + bytes;
}

} // namespace

void TestSafetensors::readsWhatItWrites() {
    const std::vector<float> weight = {1, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> step = {12345678901};
    const auto name = path("whole.safetensors");
    SafetensorsWriter writer(name,
                             {{"conv1.weight", DType::f32, {2, 3}},
                              {"empty", DType::bf16, {0, 4}},
                              {"step", DType::i64, {}}},
                             {{"format", "weft"}, {"seed", "1"}});
    const auto bytes = bytesOf(weight);
    writer.write(std::span(bytes).first(10));
    writer.write(std::span(bytes).subspan(10));
    writer.write(bytesOf(step));
    writer.finish();

    const SafetensorsReader reader(name);
    QCOMPARE(reader.entries().size(), std::size_t{3});
    QCOMPARE(reader.metadata(),
             (std::map<std::string, std::string>{{"format", "weft"}, {"seed", "1"}}));
    const TensorEntry* entry = reader.find("conv1.weight");
    QVERIFY(entry != nullptr);
    QCOMPARE(entry->shape, (Shape{2, 3}));
    QCOMPARE(entry->begin % 8, 0);
    std::vector<std::byte> got(24);
    reader.read(*entry, got);
    QCOMPARE(numbersOf<float>(got), weight);
    got.resize(8);
    reader.read(*reader.find("step"), got);
    QCOMPARE(numbersOf<std::int64_t>(got), step);
    QCOMPARE(reader.find("empty")->dtype, DType::bf16);
    QVERIFY(reader.find("conv1") == nullptr);
}

void TestSafetensors::readsEveryDtypeOfPyTorch() {
    const auto name = path("dtypes.safetensors");
    writeBytes(name, file(R"({"__metadata__":{"format":"pt"},)"
                          R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
                          R"("b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]},)"
                          R"("c":{"dtype":"F32","shape":[1],"data_offsets":[16,20]},)"
                          R"("d":{"dtype":"I32","shape":[1],"data_offsets":[20,24]},)"
                          R"("e":{"dtype":"F16","shape":[1],"data_offsets":[24,26]},)"
                          R"("f":{"dtype":"BF16","shape":[1],"data_offsets":[26,28]},)"
                          R"("g":{"dtype":"U8","shape":[1],"data_offsets":[28,29]},)"
                          R"("h":{"dtype":"BOOL","shape":[2],"data_offsets":[29,31]}})"
                          "  ",
                          std::string(31, '\1')));
    const SafetensorsReader reader(name);
    const std::vector<DType> expected = {DType::f64, DType::i64,  DType::f32, DType::i32,
                                         DType::f16, DType::bf16, DType::u8,  DType::u8};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(reader.entries()[i].dtype, expected[i]);
    }
    QCOMPARE(reader.metadata().at("format"), std::string("pt"));
}

void TestSafetensors::readsPartsOfATensor() {
    const std::vector<float> numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto name = path("parts.safetensors");
    SafetensorsWriter writer(name, {{"first", DType::f32, {1}}, {"x", DType::f32, {4, 2}}});
    writer.write(std::vector<std::byte>(4));
    writer.write(bytesOf(numbers));
    writer.finish();
    const SafetensorsReader reader(name);
    std::vector<std::byte> row(8);
    reader.read(*reader.find("x"), 16, row);
    QCOMPARE(numbersOf<float>(row), (std::vector<float>{4, 5}));
}

void TestSafetensors::leavesNothingBehindUnfinished() {
    const auto name = path("unfinished.safetensors");
    writeBytes(name, "the last good one");
    {
        SafetensorsWriter writer(name, {{"x", DType::u8, {4}}});
        writer.write(std::vector<std::byte>(2));
    }
    QCOMPARE(readBytes(name), std::string("the last good one"));
    QCOMPARE(QDir(folder_.path()).entryList({"*unfinished*"}, QDir::Files | QDir::Hidden).size(),
             1);
}

void TestSafetensors::takesManyTensors() {
    constexpr int many = 20'000;
    std::vector<TensorHeading> tensors;
    tensors.reserve(many);
    for (int i = 0; i < many; ++i) {
        tensors.push_back({"layers." + std::to_string(i) + ".weight", DType::u8, {1}});
    }
    const auto name = path("many.safetensors");
    SafetensorsWriter writer(name, tensors);
    writer.write(std::vector<std::byte>(tensors.size(), std::byte(9)));
    writer.finish();
    const SafetensorsReader reader(name);
    QCOMPARE(reader.entries().size(), tensors.size());
    QVERIFY(reader.find("layers.19999.weight") != nullptr);
}

void TestSafetensors::refusesHostileHeaders_data() {
    QTest::addColumn<QByteArray>("content");
    const auto row = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QByteArray::fromStdString(content);
    };
    row("empty", "");
    row("shorter than its length", "abc");
    row("length beyond the file", std::string("\x10\0\0\0\0\0\0\0{}", 10));
    row("giant length", std::string(8, '\xFF') + "{}");
    row("not JSON", file("{\"a\":", ""));
    row("a list", file("[]", ""));
    row("blanks before", file("  {}", ""));
    row("deep", file("{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}", ""));
    row("no dtype", file(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", "1"));
    row("unknown dtype", file(R"({"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}})", "1"));
    row("dtype a number", file(R"({"a":{"dtype":8,"shape":[1],"data_offsets":[0,1]}})", "1"));
    row("more keys", file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"b":1}})", "1"));
    row("negative shape", file(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", "1"));
    row("fraction in shape",
        file(R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", "1"));
    row("shape overflows",
        file(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", ""));
    row("zero hides overflow",
        file(R"({"a":{"dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0]}})",
             ""));
    row("offsets beyond 2^63",
        file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551615,0]}})", "1"));
    row("offsets reversed", file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "1"));
    row("outside", file(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "123"));
    row("size and shape differ",
        file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,3]}})", "123"));
    row("overlap", file(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                        R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                        "123"));
    row("gap", file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                    R"("b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
                    "123"));
    row("bytes left over", file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "12"));
    row("a name twice", file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                             R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                             "12"));
    row("metadata a number", file(R"({"__metadata__":{"a":1}})", ""));
    row("metadata a list", file(R"({"__metadata__":[]})", ""));
}

void TestSafetensors::refusesHostileHeaders() {
    QFETCH(QByteArray, content);
    const auto name = path("hostile.safetensors");
    writeBytes(name, content.toStdString());
    const auto error = errorOf([&] { const SafetensorsReader reader(name); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::format);
    QCOMPARE(error->where().file, name.string());
    QVERIFY(error->where().offset >= 0);
    QVERIFY(!error->remedy().empty());
}

} // namespace weft

std::unique_ptr<QObject> makeTestSafetensors() { return std::make_unique<weft::TestSafetensors>(); }
#include "tst_safetensors.moc"
