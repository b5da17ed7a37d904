// SPDX-License-Identifier: Apache-2.0
// Rows that follow from a placement string. tests/contract/placements/tst_placements compares the
// rows of each op with what its reference kernel computes.
#include "place/rows.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace weft;

namespace {

struct Derived {
    const char* name;
    const char* string;
    std::map<std::string, std::int64_t> sizes;
    std::vector<std::size_t> operandRanks;
    std::vector<std::size_t> resultRanks;
    std::vector<bool> isInteger;
    QStringList rows; ///< the letter, then the row
};

/// One op for each feature of the notation.
const std::vector<Derived>& examples() {
    static const std::vector<Derived> all{
        {"linear", // a product; a letter that is summed over
         "... i, o i -> ... o",
         {{"b", 7}, {"i", 11}, {"o", 13}},
         {2, 2},
         {2},
         {false, false},
         {"- | R, R -> R", "- | P, R -> P", "- | R, P -> P", "b | S(0), R -> S(0)",
          "i | S(1), S(1) -> P", "o | R, S(0) -> S(1)"}},
        {"subtract", // a sum: shares of one term alone would be counted once per member
         "... + ... -> ...",
         {{"b", 7}, {"o", 13}},
         {2, 2},
         {2},
         {false, false},
         {"- | R, R -> R", "- | P, P -> P", "b | S(0), S(0) -> S(0)", "o | S(1), S(1) -> S(1)"}},
        {"conv2d", // windows; a factor of size one before another factor
         "b (g i) y:ky x:kx, (g o) i ky kx -> b (g o) y x",
         {{"b", 4}, {"g", 1}, {"i", 5}, {"o", 7}, {"y", 7}, {"x", 11}, {"ky", 3}, {"kx", 3}},
         {4, 4},
         {4},
         {false, false},
         {"- | R, R -> R", "- | P, R -> P", "- | R, P -> P", "b | S(0), R -> S(0)",
          "i | S(1), S(1) -> P", "y | S(2), R -> S(2)", "x | S(3), R -> S(3)",
          "o | R, S(0) -> S(1)"}},
        {"conv2d of groups", // a minor factor is never split
         "b (g i) y:ky x:kx, (g o) i ky kx -> b (g o) y x",
         {{"b", 4}, {"g", 5}, {"i", 2}, {"o", 3}, {"y", 7}, {"x", 11}, {"ky", 3}, {"kx", 3}},
         {4, 4},
         {4},
         {false, false},
         {"- | R, R -> R", "- | P, R -> P", "- | R, P -> P", "b | S(0), R -> S(0)",
          "g | S(1), S(0) -> S(1)", "y | S(2), R -> S(2)", "x | S(3), R -> S(3)"}},
        {"conv2d_input_gradient", // reversed windows
         "b (g o) y/ky x/kx, (g o) i ky kx -> b (g i) y x",
         {{"b", 4}, {"g", 1}, {"i", 5}, {"o", 7}, {"y", 13}, {"x", 11}, {"ky", 3}, {"kx", 3}},
         {4, 4},
         {4},
         {false, false},
         {"- | R, R -> R", "- | P, R -> P", "- | R, P -> P", "b | S(0), R -> S(0)",
          "o | S(1), S(0) -> P", "y | S(2), R -> S(2)", "x | S(3), R -> S(3)",
          "i | R, S(1) -> S(1)"}},
        {"attention", // operands without linearity, letters kept whole, a result that omits one
         "~b h q d!, ~b h k! d!, b h k! e -> b h q e; ~b h q d!, ~b h k! d!, _ -> b h q",
         {{"b", 4}, {"h", 7}, {"q", 8}, {"k", 11}, {"d", 5}, {"e", 13}},
         {4, 4, 4},
         {4, 3},
         {false, false, false},
         {"- | R, R, R -> R, R", "- | R, R, P -> P, R", "b | S(0), S(0), S(0) -> S(0), S(0)",
          "h | S(1), S(1), S(1) -> S(1), S(1)", "q | S(2), R, R -> S(2), S(2)",
          "e | R, R, S(3) -> S(3), R"}},
        {"softmax_cross_entropy",
         "~... k!, ~... -> ...; ~... k!, _ -> ...",
         {{"b", 7}, {"k", 11}},
         {2, 1},
         {1, 1},
         {false, true},
         {"- | R, R -> R, R", "b | S(0), S(0) -> S(0), S(0)"}},
        {"batch_norm", // several results, whole letters in one factor
         "~(G b!) c y! x!, c + c -> (G b!) c y! x!; ~(G b!) c y! x!, _ + _ -> G c, G c",
         {{"G", 7}, {"b", 4}, {"c", 11}, {"y", 3}, {"x", 2}},
         {4, 1, 1},
         {4, 2, 2},
         {false, false, false},
         {"- | R, R, R -> R, R, R", "- | R, P, P -> P, R, R", "G | S(0), R, R -> S(0), S(0), S(0)",
          "c | S(1), S(0), S(0) -> S(1), S(1), S(1)"}},
        {"batch_norm_scale_gradient", // a bracket is distributed over the product
         "[(G b) c y x + G c], G c, (G b) c y x -> c",
         {{"G", 1}, {"b", 11}, {"c", 11}, {"y", 7}, {"x", 5}},
         {4, 2, 2, 4},
         {1},
         {false, false, false, false},
         {"- | R, R, R, R -> R", "- | P, P, R, R -> P", "- | R, R, P, R -> P",
          "- | R, R, R, P -> P", "b | S(0), R, R, S(0) -> P", "c | S(1), S(1), S(1), S(1) -> S(0)",
          "y | S(2), R, R, S(2) -> P", "x | S(3), R, R, S(3) -> P"}},
        {"argmax_code", // a result reduced by max; integers are never Partial
         "~... k, ... -> ^...",
         {{"b", 7}, {"k", 11}},
         {2, 1},
         {1},
         {false, true},
         {"- | R, R -> R", "b | S(0), S(0) -> S(0)", "k | S(1), R -> Pmax"}},
        {"mean", // one number
         "... -> ()",
         {{"b", 7}, {"o", 3}},
         {2},
         {0},
         {false},
         {"- | R -> R", "- | P -> P", "b | S(0) -> P", "o | S(1) -> P"}},
    };
    return all;
}

} // namespace

class TestRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void derivesExactlyTheseRows_data() {
        QTest::addColumn<int>("index");
        for (std::size_t k = 0; k < examples().size(); ++k) {
            QTest::newRow(examples()[k].name) << static_cast<int>(k);
        }
    }
    void derivesExactlyTheseRows() {
        QFETCH(int, index);
        const Derived& op = examples()[static_cast<std::size_t>(index)];
        const Rule rule = parseRule(op.string, op.operandRanks, op.resultRanks);
        std::vector<std::int64_t> sizes;
        sizes.reserve(rule.letters.size());
        for (const RuleLetter& letter : rule.letters) {
            sizes.push_back(op.sizes.at(letter.name));
        }
        QStringList rows;
        for (const PlacementRow& row : deriveRows(rule, sizes, op.isInteger)) {
            const std::string letter =
                row.letter == noLetter ? "-"
                                       : rule.letters[static_cast<std::size_t>(row.letter)].name;
            rows << QString::fromStdString(letter + " | " + toString(rule, row));
        }
        QCOMPARE(rows, op.rows);
    }

    void splitsABatchOfOneOnlyWhenAsked() {
        const Rule rule = parseRule("b i, o i -> b o", std::vector<std::size_t>{2, 2},
                                    std::vector<std::size_t>{2});
        const std::vector<std::int64_t> sizes{1, 5, 7}; // b, i, o
        const auto splitsBatch = [&](UnitLetters units) {
            return std::ranges::any_of(deriveRows(rule, sizes, {false, false}, units),
                                       [](const PlacementRow& row) { return row.letter == 0; });
        };
        QVERIFY(!splitsBatch(UnitLetters::skip));
        QVERIFY(splitsBatch(UnitLetters::keep));
    }

    void neverSplitsAUnitFactor() {
        const Rule rule = parseRule("b (g i) -> b (g i)", std::vector<std::size_t>{2},
                                    std::vector<std::size_t>{2});
        for (const PlacementRow& row :
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
        const std::vector<PlacementRow> rows =
            deriveRows(rule, std::vector<std::int64_t>{4}, std::vector<bool>(terms, false));
        QCOMPARE(rows.size(), std::size_t{3}); // all whole, all Partial, all split
        QCOMPARE(rows[1].partialCount(), static_cast<int>(terms) + 1);
    }

    void saysWhichRowsMoveBorders() {
        const Rule rule = parseRule("b c y:ky x:kx -> b c y x", std::vector<std::size_t>{4},
                                    std::vector<std::size_t>{4});
        std::vector<std::int64_t> sizes(rule.letters.size(), 5);
        for (const PlacementRow& row : deriveRows(rule, sizes, {false})) {
            const bool isSpace = row.letter == rule.find("y") || row.letter == rule.find("x");
            QCOMPARE(row.movesBorders, isSpace);
        }
    }
};

std::unique_ptr<QObject> makeTestRows() { return std::make_unique<TestRows>(); }
#include "tst_rows.moc"
