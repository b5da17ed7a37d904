// SPDX-License-Identifier: Apache-2.0
// Advice on data and settings: it names the file that is at fault, and what it advises is accepted.
#include "cli/weft_process.h"
#include "data/arrays/npy.h"
#include "support/test_main.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <span>
#include <vector>

using namespace weft;
using namespace weft::test;

class TestAdvice : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QString here() const { return folder_.path(); }

    void writeArray(const QString& name, DType dtype, const Shape& shape) const {
        const std::vector<std::byte> zeros(static_cast<std::size_t>(elementsOf(shape)) *
                                           byteSize(dtype));
        writeNpy(folder_.filePath(name).toStdString(), dtype, shape, zeros);
    }
    /// The small design on arrays of its own.
    void writeOnArrays(const QString& inputs) const {
        writeDesign(here() + "/arrays.weft", {.steps = 2});
        QByteArray text = bytesOf(here() + "/arrays.weft");
        text.replace(R"({"kind": "digits", "with": {"count": 300, "test_count": 20}})",
                     R"({"kind": "npy", "with": {"inputs": "images=)" + inputs.toUtf8() +
                         R"(", "targets": "labels=labels.npy"}})");
        writeBytes(here() + "/arrays.weft", text);
    }

private Q_SLOTS:
    void initTestCase() {
        writeArray("labels.npy", DType::i64, {40});
        writeArray("right.npy", DType::f32, {40, 1, 28, 28});
        writeArray("numbers.npy", DType::f32, {40});
        writeArray("small.npy", DType::f32, {40, 1, 8, 8});
    }

    void namesTheFileWhoseShapeIsWrong_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("has");
        QTest::newRow("one number") << QString("numbers.npy") << QString("has one number");
        QTest::newRow("small") << QString("small.npy") << QString("has [1, 8, 8]");
    }
    void namesTheFileWhoseShapeIsWrong() {
        QFETCH(QString, file);
        QFETCH(QString, has);
        writeOnArrays(file);
        const Ended ended = test::weft({"check", "arrays.weft"}, here());
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.out.contains(file) && ended.out.contains(has) &&
                     ended.out.contains("choose a file with [1, 28, 28] per example"),
                 qPrintable(ended.out));
        QVERIFY2(!ended.out.contains("shape to []"), qPrintable(ended.out));
        // Following the advice makes the design valid.
        writeOnArrays("right.npy");
        const Ended right = test::weft({"check", "arrays.weft"}, here());
        QVERIFY2(right.code == 0, qPrintable(right.out));
    }

    void feedsTheFieldThatFits() {
        writeOnArrays("right.npy");
        QByteArray text = bytesOf(here() + "/arrays.weft");
        text.replace(R"("picture": "images")", R"("picture": "labels")");
        writeBytes(here() + "/arrays.weft", text);
        const Ended ended = test::weft({"check", "arrays.weft"}, here());
        QVERIFY2(ended.code == 3 &&
                     ended.out.contains("set its entry in data.feeds to the field images"),
                 qPrintable(ended.out));
    }

    void advisesNumbersThatAreAccepted_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("number");
        QTest::addColumn<QString>("advised");
        QTest::newRow("batch") << "\"batch\": "
                               << "1099511627776"
                               << "set it back to 32";
        QTest::newRow("rate") << "\"learning_rate\": "
                              << "1e39"
                              << "set it back to 0.01";
        QTest::newRow("filters") << "\"filters\": "
                                 << "1099511627776"
                                 << "set filters to ";
    }
    void advisesNumbersThatAreAccepted() {
        QFETCH(QString, setting);
        QFETCH(QString, number);
        QFETCH(QString, advised);
        writeDesign(here() + "/small.weft", {.steps = 2});
        const auto checked = [&](const QString& value) {
            QString text = bytesOf(here() + "/small.weft");
            text.replace(QRegularExpression(setting + "[0-9.]+"), setting + value);
            writeBytes(here() + "/changed.weft", text.toUtf8());
            return test::weft({"check", "changed.weft"}, here());
        };
        const Ended refused = checked(number);
        QVERIFY2(refused.code == 3 && refused.out.contains(advised), qPrintable(refused.out));
        const auto said =
            QRegularExpression("set (?:it back|filters) to ([0-9.]+)").match(refused.out);
        const Ended accepted = checked(said.captured(1));
        QVERIFY2(accepted.code == 0, qPrintable(said.captured(1) + ": " + accepted.out));
    }
};

std::unique_ptr<QObject> makeTestAdvice() { return std::make_unique<TestAdvice>(); }
#include "tst_advice.moc"
