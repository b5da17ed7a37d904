// SPDX-License-Identifier: Apache-2.0
#include "base/text/mending.h"
#include <weft/error.h>
#include <weft/settings.h>

#include <QTest>
#include <memory>

using namespace weft;

/// Texts of problems: the word that was meant, and nothing that steers a terminal.
class TestMending : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheWordThatWasMeant() {
        const std::vector<std::string> words = {"conv2d", "dense", "max_pool", "relu"};
        QCOMPARE(nearestWord("con2d", words), std::string("conv2d"));
        QCOMPARE(nearestWord("Dense", words), std::string("dense"));
        QCOMPARE(nearestWord("maxpool", words), std::string("max_pool"));
        QCOMPARE(nearestWord("transformer", words), std::string());
    }

    void knowsAChoiceByItsOtherNames() {
        const std::vector<SettingInfo> all = settings();
        const AttributeSpec& spec = findSetting(all, "training.precision")->spec;
        for (const char* word : {"f32", "FP32", "float32", "single"}) {
            QCOMPARE(nearestChoice(word, spec), std::string("exact"));
        }
        QCOMPARE(nearestChoice("bfloat16", spec), std::string("bf16"));
        QCOMPARE(nearestChoice("tf3", spec), std::string("tf32"));
        for (const char* word : {"f16", "fp16", "half", "float16", "f64"}) {
            QCOMPARE(nearestChoice(word, spec), std::string());
        }
    }

    void spellsOutWhatSteersATerminal_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& shown) {
            QTest::newRow(name) << text << shown;
        };
        row("plain", "conv1 (größer, 層)", "conv1 (größer, 層)");
        row("escape", "a\x1b[31mred", R"(a\x1b[31mred)");
        row("null", QByteArray("a\0b", 3), R"(a\x00b)");
        row("lines", "a\nb\tc\r", R"(a\nb\tc\x0d)");
        row("escape of eight bits",
            "a\xc2\x9b"
            "31m",
            R"(a\u009b31m)");
        row("no UTF-8", "a\xff\xc3", R"(a\xff\xc3)");
        row("longer than need be", "\xc0\xaf", R"(\xc0\xaf)");
        row("half a pair", "\xed\xa0\x80", R"(\xed\xa0\x80)");
        row("turned round", QByteArray::fromHex("61e280ae62"), R"(a\u202eb)");
    }
    void spellsOutWhatSteersATerminal() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
    }

    void keepsLinesWhereTheyAreWanted() {
        QCOMPARE(printable("a\n\tb\x1b", true), std::string("a\n\tb\\x1b"));
    }

    void cutsNoMessageAtANull() {
        const Error error(ErrorCode::file, Where{.file = std::string("a\0b", 3)}, "is\nnot there",
                          "");
        QCOMPARE(QByteArray(error.what()), QByteArray("a\\x00b: is\\nnot there"));
    }
};

std::unique_ptr<QObject> makeTestMending() { return std::make_unique<TestMending>(); }
#include "tst_mending.moc"
