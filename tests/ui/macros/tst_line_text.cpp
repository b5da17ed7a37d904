// SPDX-License-Identifier: Apache-2.0
#include "macros/line_text.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLineText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineIsItsWordsBothWays_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << "layer.set units 10" << QStringList{"layer.set", "units", "10"};
        QTest::newRow("blanks") << "layer.note \"two words\""
                                << QStringList{"layer.note", "two words"};
        // NOLINTNEXTLINE(modernize-raw-string-literal): moc cannot read those
        QTest::newRow("quotes") << "layer.note \"a \\\"b\\\" \\\\ c\\nd\""
                                << QStringList{"layer.note", "a \"b\" \\ c\nd"};
        QTest::newRow("empty word") << "layer.note \"\"" << QStringList{"layer.note", ""};
        QTest::newRow("sign of a remark")
            << "layer.note \"# 1\"" << QStringList{"layer.note", "# 1"};
        QTest::newRow("wire") << "wire.connect $1>.y -> +1.x"
                              << QStringList{"wire.connect", "$1>.y", "->", "+1.x"};
    }
    void aLineIsItsWordsBothWays() {
        QFETCH(const QString, line);
        QFETCH(const QStringList, words);
        QCOMPARE(splitLine(line).value(), words);
        QCOMPARE(joinWords(words), line);
    }

    void remarksAndEmptyLinesSayNothing() {
        QCOMPARE(splitLine(QStringLiteral("  # anything \" at all")).value(), QStringList());
        QCOMPARE(splitLine(QStringLiteral("   ")).value(), QStringList());
        QCOMPARE(splitLine(QStringLiteral("  a   b ")).value(), QStringList({"a", "b"}));
    }

    void aQuoteThatIsOpenIsNoLine() { QVERIFY(!splitLine(QStringLiteral("layer.note \"a b"))); }

    void valuesAreKeptWithTheirType_data() {
        QTest::addColumn<AttributeValue>("value");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const AttributeValue& value, const char* word) {
            QTest::newRow(name) << value << QString::fromUtf8(word);
        };
        row("integer", std::int64_t{64}, "64");
        row("real", 0.5, "0.5");
        row("whole real", 2.0, "2.0");
        row("truth", true, "true");
        row("text", std::string("same"), "same");
        row("text like a number", std::string("64"), "\"64\"");
        row("text like an expression", std::string("=4"), "\"=4\"");
        row("empty text", std::string(), "\"\"");
        row("integers", std::vector<std::int64_t>{2, 3}, "[2,3]");
        row("reals", std::vector<double>{0.5, 2.0}, "[0.5,2.0]");
    }
    void valuesAreKeptWithTheirType() {
        QFETCH(const AttributeValue, value);
        QFETCH(const QString, word);
        QCOMPARE(valueText(value), word);
        QVERIFY(parseValue(word) == value);
        // As a word among others.
        QVERIFY(parseValue(splitLine(joinWords({"set", word})).value()[1]) == value);
    }

    void assignmentsAreKept_data() {
        QTest::addColumn<QString>("words");
        for (const char* words : {"data", "batch data", "model.stack on cpu:0",
                                  "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"}) {
            QTest::newRow(words) << QString::fromUtf8(words);
        }
    }
    void assignmentsAreKept() {
        QFETCH(const QString, words);
        const auto assignment = parseAssignment(words.split(' '));
        QVERIFY(assignment.has_value());
        QCOMPARE(assignmentWords(*assignment).join(' '), words);
    }

    void whatIsNoAssignmentIsRefused() {
        QVERIFY(!parseAssignment({}));
        QVERIFY(!parseAssignment({"sideways"}));
        QVERIFY(!parseAssignment({"data", "on"}));
        QVERIFY(!parseAssignment({"data", "on", "cpu:0", "as", "1", "more"}));
    }
};

std::unique_ptr<QObject> makeTestLineText() { return std::make_unique<TestLineText>(); }

#include "tst_line_text.moc"
