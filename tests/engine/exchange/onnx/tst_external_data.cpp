// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/onnx/written_model.h"
#include "support/refusal.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <fstream>

using namespace weft;
using namespace weft::test;

namespace fs = std::filesystem;

class TestExternalData : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] fs::path here() const { return folder_.path().toStdString(); }

    /// Imports a dense layer whose weight lies in another file.
    [[nodiscard]] Import importFrom(const std::string& location, const std::string& offset = "",
                                    const std::string& length = "") const {
        WrittenModel model;
        model.input("x", {0, 2});
        onnx::wire::Tensor& tensor = *model.graph().add_initializer();
        tensor.set_name("weight");
        tensor.set_data_type(1);
        tensor.add_dims(2);
        tensor.add_dims(1);
        tensor.set_data_location(1);
        const auto entry = [&](const char* key, const std::string& value) {
            if (!value.empty()) {
                onnx::wire::Entry& made = *tensor.add_external_data();
                made.set_key(key);
                made.set_value(value);
            }
        };
        entry("location", location);
        entry("offset", offset);
        entry("length", length);
        model.node("MatMul", {"x", "weight"}, "y");
        model.output("y");
        model.save(here() / "inside" / "model.onnx");
        return importOnnx({.file = here() / "inside" / "model.onnx"});
    }

private Q_SLOTS:
    void initTestCase() {
        fs::create_directories(here() / "inside" / "data");
        const std::array<float, 3> numbers = {1, 2, 3};
        for (const fs::path& file : {here() / "secret", here() / "inside" / "data" / "weights"}) {
            std::ofstream(file, std::ios::binary)
                .write(reinterpret_cast<const char*>(numbers.data()), sizeof(numbers));
        }
        fs::create_symlink(here() / "secret", here() / "inside" / "link");
        fs::create_symlink(here(), here() / "inside" / "up");
        QCOMPARE(::mkfifo((here() / "inside" / "pipe").c_str(), 0600), 0);
    }

    void isReadInsideTheFolder() {
        QCOMPARE(importFrom("data/weights", "4", "8").weights.front().numbers,
                 (std::vector<float>{2, 3}));
        QCOMPARE(importFrom("./data/weights").weights.front().numbers, (std::vector<float>{1, 2}));
    }

    void isRefusedElsewhere_data() {
        QTest::addColumn<QString>("location");
        QTest::addColumn<QString>("offset");
        QTest::addColumn<QString>("length");
        const auto row = [](const char* name, const QString& location, const QString& offset = "",
                            const QString& length = "") {
            QTest::newRow(name) << location << offset << length;
        };
        row("parent", "../secret");
        row("parent within", "data/../../secret");
        row("absolute", QString::fromStdString((here() / "secret").string()));
        row("device", "/dev/zero");
        row("link", "link");
        row("linked folder", "up/secret");
        row("pipe", "pipe");
        row("folder", "data");
        row("nothing", "");
        row("missing", "data/other");
        row("beyond the end", "data/weights", "8");
        row("far beyond the end", "data/weights", "999999999999999999");
        row("negative", "data/weights", "-4");
        row("overflow", "data/weights", "99999999999999999999999");
        row("other length", "data/weights", "0", "4");
        row("long length", "data/weights", "0", "999999999999");
    }
    void isRefusedElsewhere() {
        QFETCH(const QString, location);
        QFETCH(const QString, offset);
        QFETCH(const QString, length);
        const std::string text = refusalOf(
            [&] {
                (void)importFrom(location.toStdString(), offset.toStdString(),
                                 length.toStdString());
            },
            ErrorCode::format);
        QVERIFY2(text.find("model.onnx") != std::string::npos &&
                     text.find("tensor weight") != std::string::npos,
                 text.c_str());
    }
};

std::unique_ptr<QObject> makeTestExternalData() { return std::make_unique<TestExternalData>(); }
#include "tst_external_data.moc"
