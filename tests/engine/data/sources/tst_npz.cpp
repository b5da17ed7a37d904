// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npz.h"
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"
#include "support/zipped.h"
#include <weft/samples.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::writeBytes;
using test::ZipPart;
using test::zipped;
using Names = std::vector<std::string>;

namespace {

std::string npy(const std::string& type, const std::string& shape, const std::string& elements) {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
           elements;
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    [[nodiscard]] std::filesystem::path file() const {
        return dir_.filePath("a.npz").toStdString();
    }
    void write(const std::vector<ZipPart>& parts) const { writeBytes(file(), zipped(parts)); }
    [[nodiscard]] DataSettings settings(Attributes attributes) const {
        attributes.set("file", std::string("a.npz"));
        DataSettings settings;
        settings.source = "npz";
        settings.attributes = std::move(attributes);
        return settings;
    }
    [[nodiscard]] DataFolders folders() const { return {.base = dir_.path().toStdString()}; }
    [[nodiscard]] Data open(const Attributes& attributes) const {
        return openData(settings(attributes), folders(), sourceKinds());
    }
    [[nodiscard]] std::optional<Error> refusal() const {
        return errorOf([&] { (void)open({{"inputs", std::string("x")}}); });
    }

private Q_SLOTS:
    void readsArraysThatAreDeflatedOrStored() {
        write({{"x_train.npy", npy("|u1", "3, 2", "\1\2\3\4\5\6")},
               {"y_train.npy", npy("|u1", "3,", "\2\1\3"), false},
               {"x_test.npy", npy("|u1", "1, 2", "\7\10")},
               {"y_test.npy", npy("|u1", "1,", "\4")},
               {"notes.txt", "none"}});
        const DataSettings known = recogniseData({file()});
        QCOMPARE(known.source, std::string("npz"));
        QCOMPARE(known.attributes.text("inputs"), std::string("x=x_train"));
        QCOMPARE(known.attributes.text("test_targets"), std::string("y=y_test"));
        const Data data = openData(known, folders(), sourceKinds());
        QCOMPARE(fieldOf<std::int32_t>(*data.training, "x", {2, 0}),
                 (std::vector<std::int32_t>{5, 6, 1, 2}));
        QCOMPARE(fieldOf<std::int32_t>(*data.training, "y", {1}), (std::vector<std::int32_t>{1}));
        QCOMPARE(fieldOf<std::int32_t>(*data.test, "x", {0}), (std::vector<std::int32_t>{7, 8}));
        QCOMPARE(npzNames(file()), (Names{"x_train", "y_train", "x_test", "y_test"}));
        QCOMPARE(describeData(known, folders(), sourceKinds()).training, std::int64_t{3});
    }

    void readsArraysLargerThanTheirHead() {
        std::string elements(300'000, '\0');
        elements.back() = '\11';
        write({{"x.npy", npy("|u1", "300000,", elements)}});
        const Data data = open({{"inputs", std::string("x")}});
        QCOMPARE(fieldOf<std::int32_t>(*data.training, "x", {299'999, 1}),
                 (std::vector<std::int32_t>{9, 0}));
    }

    void refusesPickledObjects() {
        write({{"x.npy", npy("|O", "1,", "12345678")}});
        QCOMPARE(refusal()->code(), ErrorCode::format);
    }

    void refusesSizesThatAreNotTrue() {
        const std::string x = npy("|u1", "4,", "abcd");
        write({{"x.npy", x, true, 1'000'000'000}});
        QCOMPARE(refusal()->code(), ErrorCode::format);
        write({{"x.npy", npy("|u1", "1000000000000,", "abcd")}});
        QCOMPARE(refusal()->code(), ErrorCode::format);
        write({{"x.npy", "no array"}});
        QCOMPARE(refusal()->code(), ErrorCode::format);
    }

    void namesTheArraysThatThereAre() {
        write({{"here.npy", npy("|u1", "1,", "a")}});
        const auto error = refusal();
        QVERIFY(error && error->remedy().find("here") != std::string::npos);
    }

    void refusesWhatIsCutOff() {
        const std::string whole = zipped({{"x.npy", npy("|u1", "4,", "abcd")}});
        for (std::size_t length = 0; length < whole.size(); length += 5) {
            writeBytes(file(), whole.substr(0, length));
            QVERIFY2(refusal(), qPrintable(QString::number(length)));
        }
        std::filesystem::remove(file());
        QCOMPARE(refusal()->code(), ErrorCode::file);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestNpz() { return std::make_unique<weft::TestNpz>(); }
#include "tst_npz.moc"
