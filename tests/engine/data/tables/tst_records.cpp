// SPDX-License-Identifier: Apache-2.0
#include "data/tables/records.h"
#include "data/tables/values.h"
#include "engine/data/raises.h"

#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace weft {

using test::errorOf;
using test::writeBytes;
using Fields = std::vector<std::string>;

class TestRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsQuotesAsInRfc4180();
    void takesEveryLineBreakAndTheByteOrderMark();
    void detectsTheSeparatorOutsideOfQuotes();
    void takesRunsOfBlanksForOneSeparator();
    void countsLinesInsideOfQuotes();
    void readsFieldsAcrossPieces();
    void refusesWhatIsNoTable();
    void knowsNumbersAndMissingValues();
    void sortsClassesByValueOrByByte();

private:
    [[nodiscard]] std::vector<Record> read(const std::string& bytes, char separator = '\0') const {
        const std::filesystem::path path = folder_.filePath("table.csv").toStdString();
        writeBytes(path, bytes);
        RecordReader reader(path, separator);
        std::vector<Record> records;
        for (Record record; reader.next(record);) {
            records.push_back(record);
        }
        return records;
    }
    QTemporaryDir folder_;
};

void TestRecords::readsQuotesAsInRfc4180() {
    const auto records = read("\"a,b\",\"say \"\"hi\"\"\",c \"d\", e \n\"\",,\"x\" ,\"y\"\n");
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records[0].fields, (Fields{"a,b", "say \"hi\"", "c \"d\"", "e"}));
    QCOMPARE(records[1].fields, (Fields{"", "", "x", "y"}));
}

void TestRecords::takesEveryLineBreakAndTheByteOrderMark() {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        const auto records = read("\xef\xbb\xbf"
                                  "a,b" +
                                  end + end + "1,2" + end + "3,4");
        QCOMPARE(records.size(), std::size_t{3});
        QCOMPARE(records[0].fields, (Fields{"a", "b"}));
        QCOMPARE(records[1].line, std::int64_t{3});
        QCOMPARE(records[2].fields, (Fields{"3", "4"}));
    }
}

void TestRecords::detectsTheSeparatorOutsideOfQuotes() {
    QCOMPARE(read("\"a,b,c\";d;e\n")[0].fields, (Fields{"a,b,c", "d", "e"}));
    QCOMPARE(read("a b\tc\n")[0].fields, (Fields{"a b", "c"}));
    QCOMPARE(read("a;b,c\n", ',')[0].fields, (Fields{"a;b", "c"}));
    QCOMPARE(read("alone\n")[0].fields, (Fields{"alone"}));
}

void TestRecords::takesRunsOfBlanksForOneSeparator() {
    const auto records = read("  a   \"b c\" \t d  \n\t \n1 2 3", ' ');
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records[0].fields, (Fields{"a", "b c", "d"}));
    QCOMPARE(records[1].fields, (Fields{"1", "2", "3"}));
}

void TestRecords::countsLinesInsideOfQuotes() {
    const auto records = read("a,\"x\r\ny\"\nb,z\n");
    QCOMPARE(records[0].fields[1], std::string("x\ny"));
    QCOMPARE(records[1].line, std::int64_t{3});
}

void TestRecords::readsFieldsAcrossPieces() {
    const std::string longest(65000, 'x');
    const auto records = read(longest + ",\"" + longest + "\"\r\n" + longest + ",b");
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records[0].fields, (Fields{longest, longest}));
    QCOMPARE(records[1].fields, (Fields{longest, "b"}));
}

void TestRecords::refusesWhatIsNoTable() {
    const auto lineOf = [&](const std::string& bytes) {
        const auto error = errorOf([&] { (void)read(bytes); });
        return error && error->code() == ErrorCode::format ? error->where().line : 0;
    };
    QCOMPARE(lineOf("a\nb,\"c\nd"), std::int64_t{2}); // where the quote begins
    QCOMPARE(lineOf("a\n\"b\"c\n"), std::int64_t{2});
    QCOMPARE(lineOf(std::string("a\nb\nc\0d", 7)), std::int64_t{3});
    QCOMPARE(lineOf("\n" + std::string(70000, 'x')), std::int64_t{2});
    QCOMPARE(lineOf(std::string(70000, ',')), std::int64_t{1});
    QCOMPARE(lineOf("\xff\xfe"
                    "a"),
             std::int64_t{1});
    QCOMPARE(lineOf("\x1f\x8b\x08 packed"), std::int64_t{1});
}

void TestRecords::knowsNumbersAndMissingValues() {
    QCOMPARE(parseNumber("-2.5e3"), std::optional(-2500.0F));
    QCOMPARE(parseNumber("+7"), std::optional(7.0F));
    for (const char* none : {"", "1,5", "0x1f", "1 2", "nan", "inf", "1e39", "+-1", "1e400", "a"}) {
        QVERIFY2(!parseNumber(none), none);
    }
    for (const char* missing : {"", "NA", "n/a", "NaN", "NULL", "None", "?"}) {
        QVERIFY2(isMissing(missing), missing);
    }
    QVERIFY(!isMissing("0") && !isMissing("nano") && !isMissing("inf"));
}

void TestRecords::sortsClassesByValueOrByByte() {
    const auto sorted = [](const Fields& words) {
        ClassWords classes;
        std::vector<std::int32_t> ids;
        for (const std::string& word : words) {
            ids.push_back(*classes.idOf(word));
        }
        classes.close(ids);
        return std::pair(classes.names(), ids);
    };
    QCOMPARE(sorted({"10", "9", "10"}),
             (std::pair(Fields{"9", "10"}, std::vector<std::int32_t>{1, 0, 1})));
    QCOMPARE(sorted({"b", "10", "9"}),
             (std::pair(Fields{"10", "9", "b"}, std::vector<std::int32_t>{2, 0, 1})));
    ClassWords given({"z", "a"});
    QCOMPARE(given.idOf("a"), std::optional(1));
    QVERIFY(!given.idOf("b"));
}

} // namespace weft

std::unique_ptr<QObject> makeTestRecords() { return std::make_unique<weft::TestRecords>(); }
#include "tst_records.moc"
