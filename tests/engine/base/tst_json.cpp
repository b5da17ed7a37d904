// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <QTest>
#include <memory>

using namespace weft;

class TestJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void membersKeepTheirOrder() {
        const std::string text = R"({"z":1,"a":[true,null,2.5,"x"],"m":{"k":-3}})";
        QCOMPARE(jsonText(parseJson(text, "t")), text);
        QCOMPARE(parseJson("18446744073709551615", "t").get<std::uint64_t>(), ~std::uint64_t{0});
    }

    void saysFileLineAndByte_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("offset");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QByteArray& text, int line, int offset,
                            const char* part) {
            QTest::newRow(name) << text << line << offset << QString(part);
        };
        row("empty", "", 1, 0, "unexpected end");
        row("cut", "{\n\"a\": [1, 2", 2, 12, "unexpected end");
        row("stray comma", "[1,\n 2,\n]", 3, 8, "unexpected");
        row("key twice", "{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", 3, 21, "the key 'a' occurs twice");
        row("more text", "1 2", 1, 2, "expected end of input");
        row("not UTF-8", "[\"\xff\"]", 1, 2, "ill-formed UTF-8");
        row("huge number", "[1e999]", 1, 5, "number overflow");
        row("a comment", "// hi\n1", 1, 0, "invalid literal");
    }
    void saysFileLineAndByte() {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(int, offset);
        QFETCH(QString, part);
        try {
            static_cast<void>(parseJson(text.toStdString(), "my.weft"));
            QFAIL("it was taken");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::format);
            QCOMPARE(error.where().file, std::string("my.weft"));
            QVERIFY2(QString(error.what()).contains(part), error.what());
            QCOMPARE(static_cast<int>(error.where().line), line);
            QCOMPARE(static_cast<int>(error.where().offset), offset);
        }
    }

    void aKeyTwiceIsFoundInLargeObjects() {
        std::string text = "{";
        for (int i = 0; i < 200000; ++i) {
            text += "\"k" + std::to_string(i) + "\":0,";
        }
        QCOMPARE(parseJson(text + "\"last\":0}", "t").size(), std::size_t{200001});
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(parseJson(text + "\"k7\":0}", "t")));
    }

    void depthHasALimit() {
        const auto nested = [](std::size_t depth) {
            return std::string(depth, '[') + std::string(depth, ']');
        };
        static_cast<void>(parseJson(nested(64), "t"));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(parseJson(nested(65), "t")));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(parseJson(nested(10'000'000), "t")));
    }

    void sizeAndMemoryHaveLimits() {
        JsonLimits limits;
        limits.bytes = 10;
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(parseJson("[1,2,3,4,5]", "t", limits)));
        std::string hostile = "[";
        for (int i = 0; i < 3'000'000; ++i) {
            hostile += "{},";
        }
        hostile += "0]";
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(parseJson(hostile, "t")));
    }

    void everyPrefixIsAnErrorOrAValue() {
        const std::string text = R"({"a": [1, -2.5e3, "x\u00e9\n"], "b": {"c": null, "d": true}})";
        for (std::size_t size = 0; size < text.size(); ++size) {
            QVERIFY_THROWS_EXCEPTION(Error,
                                     static_cast<void>(parseJson(text.substr(0, size), "t")));
        }
    }

    void textsThatAreNotUtf8AreStillWritten() {
        QCOMPARE(jsonText(Json(std::string("a\xff"))), std::string("\"a\xef\xbf\xbd\""));
        QVERIFY(jsonTypeName(Json(2.5)) == "a number");
    }
};

std::unique_ptr<QObject> makeTestJson() { return std::make_unique<TestJson>(); }
#include "tst_json.moc"
