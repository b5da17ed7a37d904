// SPDX-License-Identifier: Apache-2.0
#include "place/rows.h"
#include "support/places.h"

#include <QTest>
#include <fstream>
#include <set>
#include <sstream>

using namespace weft;

namespace {

struct ProvedOp {
    std::string name;
    std::string string;
    std::map<std::string, std::int64_t> sizes;
    std::vector<std::size_t> operandRanks;
    std::vector<std::size_t> resultRanks;
    std::set<std::size_t> integers;
    std::vector<std::string> rows;
};

void readLine(ProvedOp& op, const std::string& kind, const std::string& rest) {
    std::istringstream words(rest);
    std::string word;
    if (kind == "string") {
        op.string = rest;
    } else if (kind == "sizes") {
        while (words >> word) {
            const std::size_t equals = word.find('=');
            op.sizes[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
        }
    } else if (kind == "ranks") {
        auto* ranks = &op.operandRanks;
        while (words >> word) {
            if (word == "->") {
                ranks = &op.resultRanks;
            } else {
                ranks->push_back(std::stoul(word));
            }
        }
    } else if (kind == "integers") {
        while (words >> word) {
            op.integers.insert(std::stoul(word));
        }
    } else if (kind == "row") {
        op.rows.push_back(rest);
    }
}

std::vector<ProvedOp> provedOps() {
    std::ifstream file(test::sourceFolder() / "tests/engine/place/proved_rows.golden");
    std::vector<ProvedOp> ops;
    for (std::string line; std::getline(file, line);) {
        const std::string kind = line.substr(0, line.find(' '));
        const std::string rest = kind.size() < line.size() ? line.substr(kind.size() + 1) : "";
        if (kind == "op") {
            ops.push_back({.name = rest});
        } else if (kind != "#") {
            readLine(ops.back(), kind, rest);
        }
    }
    return ops;
}

} // namespace

class TestRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void derivesExactlyTheProvedRows_data() {
        QTest::addColumn<int>("index");
        const auto ops = provedOps();
        for (std::size_t k = 0; k < ops.size(); ++k) {
            QTest::newRow(ops[k].name.c_str()) << static_cast<int>(k);
        }
        QCOMPARE(ops.size(), std::size_t{195});
    }
    void derivesExactlyTheProvedRows() {
        QFETCH(int, index);
        static const auto ops = provedOps();
        const ProvedOp& op = ops[static_cast<std::size_t>(index)];
        const Rule rule = parseRule(op.string, op.operandRanks, op.resultRanks);
        std::vector<std::int64_t> sizes;
        sizes.reserve(rule.letters.size());
        for (const RuleLetter& letter : rule.letters) {
            sizes.push_back(op.sizes.contains(letter.name) ? op.sizes.at(letter.name) : 1);
        }
        std::vector<bool> integers(rule.operands.size());
        for (const std::size_t k : op.integers) {
            integers[k] = true;
        }
        std::vector<std::string> derived;
        for (const Row& row : deriveRows(rule, sizes, integers)) {
            const bool splits =
                std::ranges::find(row.operands, Placement::Kind::split) != row.operands.end() ||
                std::ranges::find(row.results, Placement::Kind::split) != row.results.end();
            const std::string letter =
                splits ? rule.letters[static_cast<std::size_t>(row.letter)].name : "-";
            derived.push_back(letter + " | " + toString(rule, row));
        }
        std::vector<std::string> expected = op.rows;
        std::ranges::sort(derived);
        std::ranges::sort(expected);
        QCOMPARE(derived, expected);
    }

    void splitsABatchOfOneOnlyWhenAsked() {
        const Rule rule = parseRule("b i, o i -> b o", std::vector<std::size_t>{2, 2},
                                    std::vector<std::size_t>{2});
        const std::vector<std::int64_t> sizes{1, 5, 7}; // b, i, o
        const auto splitsBatch = [&](UnitLetters units) {
            return std::ranges::any_of(deriveRows(rule, sizes, {false, false}, units),
                                       [](const Row& row) { return row.letter == 0; });
        };
        QVERIFY(!splitsBatch(UnitLetters::skip));
        QVERIFY(splitsBatch(UnitLetters::keep));
    }

    void neverSplitsAUnitFactor() {
        const Rule rule = parseRule("b (g i) -> b (g i)", std::vector<std::size_t>{2},
                                    std::vector<std::size_t>{2});
        for (const Row& row :
             deriveRows(rule, std::vector<std::int64_t>{4, 1, 6}, {false}, UnitLetters::keep)) {
            QVERIFY(row.letter != rule.find("g"));
        }
    }

    void derivesASumOfAnyNumberOfTerms() {
        constexpr std::size_t terms = 200;
        std::string text = "...";
        for (std::size_t k = 1; k < terms; ++k) {
            text += " + ...";
        }
        const Rule rule = parseRule(text + " -> ...", std::vector<std::size_t>(terms, 1),
                                    std::vector<std::size_t>{1});
        const std::vector<Row> rows =
            deriveRows(rule, std::vector<std::int64_t>{4}, std::vector<bool>(terms, false));
        QCOMPARE(rows.size(), std::size_t{3}); // all whole, all Partial, all split
        QCOMPARE(rows[1].partials(), static_cast<int>(terms) + 1);
    }

    void saysWhichRowsMoveBorders() {
        const Rule rule = parseRule("b c y:ky x:kx -> b c y x", std::vector<std::size_t>{4},
                                    std::vector<std::size_t>{4});
        std::vector<std::int64_t> sizes(rule.letters.size(), 5);
        for (const Row& row : deriveRows(rule, sizes, {false})) {
            const bool isSpace = row.letter == rule.find("y") || row.letter == rule.find("x");
            QCOMPARE(row.movesBorders, isSpace);
        }
    }
};

std::unique_ptr<QObject> makeTestRows() { return std::make_unique<TestRows>(); }
#include "tst_rows.moc"
