// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>
#include <numeric>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::writeBytes;
using Floats = std::vector<float>;
using Labels = std::vector<std::int32_t>;

namespace {

const std::string flowers = "petal,\"width, cm\",species\n"
                            "1.5,0.25,setosa\n"
                            "4,1.5,virginica\n"
                            "3,1,setosa\n";

} // namespace

class TestCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsNumbersAndClassesByName();
    void readsNumbersAsTargetsByPosition();
    void takesTheOrderOfTheGivenClasses();
    void normalisesEveryColumnByItsOwnNumbers();
    void readsTheTestTableWithTheClassesOfTheTrainingTable();
    void refusesMissingValuesWithTheirLineAndColumn();
    void dropsOrFillsMissingValues();
    void namesTheFieldThatIsNoNumber();
    void refusesColumnsThatAreNot();
    void refusesTablesWithoutRowsOrWithUnevenOnes();
    void holdsOutTheSameShareOfEveryClass();
    void describesWhatItOpens();

private:
    [[nodiscard]] DataSettings settings(const std::string& table, Attributes attributes) const {
        writeBytes(folder_.filePath("table.csv").toStdString(), table);
        DataSettings settings;
        settings.source = "csv";
        attributes.set("file", std::string("table.csv"));
        settings.attributes = std::move(attributes);
        return settings;
    }
    [[nodiscard]] Data open(const std::string& table, Attributes attributes) const {
        return openData(settings(table, std::move(attributes)), folders(), sourceKinds());
    }
    [[nodiscard]] DataFolders folders() const { return {.base = folder_.path().toStdString()}; }
    [[nodiscard]] Error refusal(const std::string& table, const Attributes& attributes) const {
        return errorOf([&] { (void)open(table, attributes); })
            .value_or(Error(ErrorCode::bug, {}, "nothing was refused", ""));
    }
    QTemporaryDir folder_;
};

void TestCsv::readsNumbersAndClassesByName() {
    const Data data = open(flowers, {{"targets", std::string("species")}});
    QCOMPARE(data.training->size(), std::int64_t{3});
    QCOMPARE(data.training->fields().size(), std::size_t{2});
    QCOMPARE(data.training->fields()[0].shape, (Shape{2}));
    QCOMPARE(data.training->fields()[1].classes, std::int64_t{2});
    QCOMPARE(data.classNames, (std::vector<std::string>{"setosa", "virginica"}));
    QCOMPARE(fieldOf<float>(*data.training, "inputs", {1, 0}), (Floats{4, 1.5F, 1.5F, 0.25F}));
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0, 1, 2}), (Labels{0, 1, 0}));
}

void TestCsv::readsNumbersAsTargetsByPosition() {
    const Data data = open("1,2,3\n4,5,6\n", {{"inputs", std::string("2")},
                                              {"targets", std::string("1, 0")},
                                              {"target_type", std::string("number")}});
    QCOMPARE(fieldOf<float>(*data.training, "inputs", {0, 1}), (Floats{3, 6}));
    QCOMPARE(fieldOf<float>(*data.training, "targets", {0, 1}), (Floats{2, 1, 5, 4}));
    QVERIFY(data.classNames.empty());
    const Data alone = open("1,2,3\n", {});
    QCOMPARE(alone.training->fields().size(), std::size_t{1});
    QCOMPARE(alone.training->fields()[0].shape, (Shape{3}));
}

void TestCsv::takesTheOrderOfTheGivenClasses() {
    const Data data = open(flowers, {{"targets", std::string("species")},
                                     {"class_names", std::string("virginica, setosa, other")}});
    QCOMPARE(data.training->fields()[1].classes, std::int64_t{3});
    QCOMPARE(fieldOf<std::int32_t>(*data.training, "labels", {0, 1}), (Labels{1, 0}));
    const Error unknown = refusal(
        flowers, {{"targets", std::string("species")}, {"class_names", std::string("setosa")}});
    QCOMPARE(unknown.where().line, std::int64_t{3});
    QCOMPARE(refusal(flowers,
                     {{"targets", std::string("species")}, {"class_names", std::string("a, a")}})
                 .code(),
             ErrorCode::design);
}

void TestCsv::normalisesEveryColumnByItsOwnNumbers() {
    const Data data = open("1,10\n3,30\n", {{"mean", std::vector<double>{1, 10}},
                                            {"std", std::vector<double>{2, 10}}});
    QCOMPARE(fieldOf<float>(*data.training, "inputs", {0, 1}), (Floats{0, 0, 1, 2}));
}

void TestCsv::readsTheTestTableWithTheClassesOfTheTrainingTable() {
    const std::string path = folder_.filePath("test.csv").toStdString();
    const Attributes attributes{{"targets", std::string("species")},
                                {"test", std::string("test.csv")}};
    writeBytes(path, "petal,\"width, cm\",species\n2,,virginica\n");
    Attributes filled = attributes;
    filled.set("missing", std::string("mean"));
    const Data data = open(flowers, filled);
    QCOMPARE(fieldOf<std::int32_t>(*data.test, "labels", {0}), (Labels{1}));
    QCOMPARE(fieldOf<float>(*data.test, "inputs", {0}), (Floats{2, 2.75F / 3}));
    writeBytes(path, "petal,\"width, cm\",species\n2,1,tulip\n");
    QCOMPARE(refusal(flowers, attributes).where().line, std::int64_t{2});
    writeBytes(path, "petal,species,\"width, cm\"\n2,setosa,1\n");
    QCOMPARE(refusal(flowers, attributes).code(), ErrorCode::format);
}

void TestCsv::refusesMissingValuesWithTheirLineAndColumn() {
    for (const char* missing : {"", "NaN", "n/a", "?"}) {
        const Error error = refusal(std::string("a,b\n1,2\n\n3,") + missing + "\n",
                                    {{"missing", std::string("refuse")}});
        QCOMPARE(error.code(), ErrorCode::format);
        QCOMPARE(error.where().line, std::int64_t{4});
        QVERIFY2(error.problem().find("column 1 (b)") != std::string::npos, error.what());
    }
    // A target cannot be made up.
    const Error target =
        refusal("1,2\n1,\n", {{"targets", std::string("1")}, {"missing", std::string("mean")}});
    QCOMPARE(target.where().line, std::int64_t{2});
}

void TestCsv::dropsOrFillsMissingValues() {
    const std::string table = "1,2\n,5\n4,?\n3,4\n";
    const auto inputs = [&](const char* missing) {
        const Data data = open(table, {{"missing", std::string(missing)}});
        std::vector<std::int64_t> all(static_cast<std::size_t>(data.training->size()));
        std::iota(all.begin(), all.end(), 0);
        return fieldOf<float>(*data.training, "inputs", all);
    };
    QCOMPARE(inputs("drop"), (Floats{1, 2, 3, 4}));
    QCOMPARE(inputs("zero"), (Floats{1, 2, 0, 5, 4, 0, 3, 4}));
    QCOMPARE(inputs("mean"), (Floats{1, 2, 8.0F / 3, 5, 4, 11.0F / 3, 3, 4}));
    const std::vector<Diagnostic> told = open(table, {{"missing", std::string("drop")}}).problems;
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0].severity, Severity::warning);
    QVERIFY2(told[0].text.find("line 2") != std::string::npos, told[0].text.c_str());
    QCOMPARE(refusal("1,\n2,\n", {{"missing", std::string("mean")}}).code(), ErrorCode::format);
    QCOMPARE(refusal("1,\n2,\n", {{"missing", std::string("drop")}}).code(), ErrorCode::format);
}

void TestCsv::namesTheFieldThatIsNoNumber() {
    const Error error = refusal("1,2\n3,\"4,5\"\n", {});
    QCOMPARE(error.where().line, std::int64_t{2});
    QVERIFY2(error.problem().find("column 1 is '4,5'") != std::string::npos, error.what());
    QCOMPARE(refusal("1\n1e39\n", {}).where().line, std::int64_t{2});
}

void TestCsv::refusesColumnsThatAreNot() {
    const Error misspelt = refusal(flowers, {{"inputs", std::string("petla")}});
    QCOMPARE(misspelt.code(), ErrorCode::design);
    QVERIFY2(misspelt.remedy().find("petal") != std::string::npos, misspelt.what());
    QCOMPARE(refusal(flowers, {{"inputs", std::string("3")}}).code(), ErrorCode::design);
    QCOMPARE(refusal("a,a\n1,2\n", {{"inputs", std::string("a")}}).code(), ErrorCode::design);
    QCOMPARE(refusal("1,2\n", {{"targets", std::string("0, 1")}}).code(), ErrorCode::design);
    QCOMPARE(
        refusal("1,2,3\n", {{"inputs", std::string("2")}, {"targets", std::string("0, 1")}}).code(),
        ErrorCode::design);
}

void TestCsv::refusesTablesWithoutRowsOrWithUnevenOnes() {
    for (const char* table : {"", "\n\n", "a,b\n"}) {
        QCOMPARE(refusal(table, {}).code(), ErrorCode::format);
    }
    QCOMPARE(refusal("1,2\n3,4,5\n", {}).where().line, std::int64_t{2});
    QCOMPARE(refusal("1,2\n3\n", {}).where().line, std::int64_t{2});
}

void TestCsv::holdsOutTheSameShareOfEveryClass() {
    std::string table;
    for (int row = 0; row < 200; ++row) {
        table += std::to_string(row) + (row % 10 == 0 ? ",rare\n" : ",usual\n");
    }
    const auto heldOut = [&](std::int64_t seed) {
        DataSettings split = settings(table, {{"targets", std::string("1")}, {"split_seed", seed}});
        split.validation = 0.25;
        const Data data = openData(split, folders(), sourceKinds());
        std::vector<std::int64_t> all(static_cast<std::size_t>(data.validation->size()));
        std::iota(all.begin(), all.end(), 0);
        const Labels labels = fieldOf<std::int32_t>(*data.validation, "labels", all);
        return std::pair(std::ranges::count(labels, 0),
                         fieldOf<float>(*data.validation, "inputs", all));
    };
    QCOMPARE(heldOut(0).first, std::ptrdiff_t{5});
    QCOMPARE(heldOut(0).second.size(), std::size_t{50});
    QCOMPARE(heldOut(7).first, std::ptrdiff_t{5});
    QCOMPARE(heldOut(7).second, heldOut(7).second);
    QVERIFY(heldOut(0).second != heldOut(7).second);
}

void TestCsv::describesWhatItOpens() {
    DataSettings asked = settings(flowers, {{"targets", std::string("species")}});
    asked.validation = 0.3;
    const DataDescription described = describeData(asked, folders(), sourceKinds());
    const Data data = openData(asked, folders(), sourceKinds());
    QCOMPARE(described.training, data.training->size());
    QCOMPARE(described.validation, data.validation->size());
    QCOMPARE(described.fields, data.training->fields());
    QCOMPARE(described.classNames, data.classNames);
    QCOMPARE(filesRead(asked, folders(), sourceKinds()).size(), std::size_t{1});
}

} // namespace weft

std::unique_ptr<QObject> makeTestCsv() { return std::make_unique<weft::TestCsv>(); }
#include "tst_csv.moc"
