// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npy.h"
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"

#include <QTemporaryDir>
#include <QTest>

namespace weft {

using test::bytesOf;
using test::errorOf;
using test::fieldOf;
using test::writeBytes;

class TestNpySource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void readsSeveralInputsAndTargets();
    void keepsOrConvertsDtypes();
    void normalisesFloatingInputsAlone();
    void turnsFortranOrder();
    void matchesTestFieldsByName();
    void refusesWhatDoesNotBelongTogether();
    void saysWhichValueDoesNotFit();

private:
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_.filePath(name).toStdString();
    }
    [[nodiscard]] Data open(const Attributes& attributes) const {
        DataSettings settings;
        settings.source = "npy";
        settings.attributes = attributes;
        return openData(settings, {.base = folder_.path().toStdString()}, sourceKinds());
    }
    QTemporaryDir folder_;
};

void TestNpySource::initTestCase() {
    writeNpy(path("x.npy"), DType::f64, {3, 2}, bytesOf<double>({0, 1, 2, 3, 4, 5}));
    writeNpy(path("depth.npy"), DType::u8, {3, 1}, bytesOf<std::uint8_t>({7, 8, 9}));
    writeNpy(path("y.npy"), DType::i64, {3}, bytesOf<std::int64_t>({2, 0, 1}));
    writeNpy(path("x_test.npy"), DType::f64, {1, 2}, bytesOf<double>({6, 7}));
    writeNpy(path("y_test.npy"), DType::i64, {1}, bytesOf<std::int64_t>({2}));
}

void TestNpySource::readsSeveralInputsAndTargets() {
    const Data data =
        open({{"inputs", std::string("x.npy, mask=depth.npy")}, {"targets", std::string("y.npy")}});
    QCOMPARE(data.training->size(), std::int64_t{3});
    QCOMPARE(data.training->fields().size(), std::size_t{3});
    QCOMPARE(data.training->fields()[1].name, std::string("mask"));
    QCOMPARE(data.training->fields()[1].shape, (Shape{1}));
    QCOMPARE(data.training->fields()[2].shape, (Shape{}));
    QCOMPARE(fieldOf<float>(*data.training, "x", {2, 0}), (std::vector<float>{4, 5, 0, 1}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "mask", {1}), (std::vector<std::int32_t>{8}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "y", {0, 1, 2}),
             (std::vector<std::int32_t>{2, 0, 1}));
}

void TestNpySource::keepsOrConvertsDtypes() {
    const Data kept = open({{"inputs", std::string("x.npy, depth.npy, y.npy")},
                            {"floating", std::string("keep")},
                            {"integer", std::string("keep")}});
    QCOMPARE(kept.training->fields()[0].dtype, DType::f64);
    QCOMPARE(kept.training->fields()[1].dtype, DType::u8);
    QCOMPARE(kept.training->fields()[2].dtype, DType::i64);
    QCOMPARE(fieldOf<double>(*kept.training, "x", {1}), (std::vector<double>{2, 3}));
    const Data floats =
        open({{"inputs", std::string("depth.npy")}, {"integer", std::string("f32")}});
    QCOMPARE(fieldOf<float>(*floats.training, "depth", {2}), (std::vector<float>{9}));
}

void TestNpySource::normalisesFloatingInputsAlone() {
    const Data data = open({{"inputs", std::string("x.npy, depth.npy")},
                            {"targets", std::string("goal=x.npy")},
                            {"scale", 2.0},
                            {"mean", 1.0}});
    QCOMPARE(fieldOf<float>(*data.training, "x", {1}), (std::vector<float>{3, 5}));
    QCOMPARE(fieldOf<float>(*data.training, "goal", {1}), (std::vector<float>{2, 3}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "depth", {1}), (std::vector<std::int32_t>{8}));
}

void TestNpySource::turnsFortranOrder() {
    std::string header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n";
    writeBytes(path("fortran.npy"), std::string("\x93NUMPY\x01\x00", 8) +
                                        static_cast<char>(header.size()) + '\0' + header +
                                        std::string("\x00\x03\x01\x04\x02\x05", 6));
    const Data data = open({{"inputs", std::string("fortran.npy")}});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "fortran", {1, 0}),
             (std::vector<std::int32_t>{3, 4, 5, 0, 1, 2}));
}

void TestNpySource::matchesTestFieldsByName() {
    const Data data = open({{"inputs", std::string("x.npy")},
                            {"targets", std::string("y.npy")},
                            {"test_inputs", std::string("x=x_test.npy")},
                            {"test_targets", std::string("y=y_test.npy")}});
    QCOMPARE(data.test->size(), std::int64_t{1});
    QCOMPARE(fieldOf<float>(*data.test, "x", {0}), (std::vector<float>{6, 7}));
    QCOMPARE(errorOf([&] {
                 (void)open({{"inputs", std::string("x.npy")},
                             {"test_inputs", std::string("x_test.npy")}});
             })->code(),
             ErrorCode::design);
}

void TestNpySource::refusesWhatDoesNotBelongTogether() {
    QCOMPARE(errorOf([&] {
                 (void)open({{"inputs", std::string("x.npy, x_test.npy")}});
             })->code(),
             ErrorCode::format);
    QCOMPARE(errorOf([&] {
                 (void)open({{"inputs", std::string("x.npy, x=y.npy")}});
             })->code(),
             ErrorCode::design);
    QCOMPARE(errorOf([&] {
                 (void)open({{"inputs", std::string("")}});
             })->code(),
             ErrorCode::design);
    QCOMPARE(errorOf([&] {
                 (void)open({{"inputs", std::string("absent.npy")}});
             })->code(),
             ErrorCode::file);
    writeNpy(path("scalar.npy"), DType::f32, {}, bytesOf<float>({1}));
    writeNpy(path("none.npy"), DType::f32, {0, 4}, {});
    writeNpy(path("hollow.npy"), DType::f32, {4, 0}, {});
    for (const char* name : {"scalar.npy", "none.npy", "hollow.npy"}) {
        QCOMPARE(errorOf([&] {
                     (void)open({{"inputs", std::string(name)}});
                 })->code(),
                 ErrorCode::format);
    }
}

void TestNpySource::saysWhichValueDoesNotFit() {
    writeNpy(path("wide.npy"), DType::i64, {2}, bytesOf<std::int64_t>({1, std::int64_t{1} << 40U}));
    const Data data = open({{"inputs", std::string("wide.npy")}});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "wide", {0})[0], 1);
    const auto error = errorOf([&] { (void)fieldOf<std::int32_t>(*data.training, "wide", {1}); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code(), ErrorCode::format);
    QCOMPARE(error->where().offset % 64, std::int64_t{8});
}

} // namespace weft

std::unique_ptr<QObject> makeTestNpySource() { return std::make_unique<weft::TestNpySource>(); }
#include "tst_npy_source.moc"
