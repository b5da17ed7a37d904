// SPDX-License-Identifier: Apache-2.0
#include "place/notation.h"
#include <weft/error.h>

#include <QTest>

using namespace weft;

class TestNotation : public QObject {
    Q_OBJECT

private:
    static Rule read(std::string_view text, std::vector<std::size_t> operands,
                     std::vector<std::size_t> results) {
        return parseRule(text, operands, results);
    }
    static std::string names(const Rule& rule, const RuleValue& value) {
        std::string text;
        for (const RuleDim& dim : value.dims) {
            text += text.empty() ? "" : " ";
            for (const Letter letter : dim.letters) {
                text += rule.letters[static_cast<std::size_t>(letter)].name;
            }
        }
        return text;
    }

private Q_SLOTS:
    void readsFactorsAndTerms() {
        const Rule rule = read("b i, i o + o -> b o", {2, 2, 1}, {2});
        QCOMPARE(rule.operands.size(), std::size_t{3});
        QCOMPARE(rule.results[0].terms, (std::vector<std::vector<std::size_t>>{{0, 1}, {2}}));
        QCOMPARE(names(rule, rule.results[0].value), std::string("b o"));
    }

    void distributesBrackets() {
        const Rule rule = read("[~b k, b, ~b + b k], b -> b k", {2, 1, 1, 2, 1}, {2});
        QCOMPARE(rule.results[0].terms,
                 (std::vector<std::vector<std::size_t>>{{0, 1, 2, 4}, {3, 4}}));
        QVERIFY(!rule.operands[0].isLinear);
        QVERIFY(rule.operands[1].isLinear);
    }

    void leavesOutOperandsThatAResultIgnores() {
        const Rule rule = read("~b k!, ~b -> b; ~b k!, _ -> b", {2, 1}, {1, 1});
        QCOMPARE(rule.results[0].terms, (std::vector<std::vector<std::size_t>>{{0, 1}}));
        QCOMPARE(rule.results[1].terms, (std::vector<std::vector<std::size_t>>{{0}}));
        QVERIFY(rule.letters[static_cast<std::size_t>(rule.find("k"))].isWhole);
        QVERIFY(!rule.letters[static_cast<std::size_t>(rule.find("b"))].isWhole);
    }

    void readsAnOperandThatOnlyTheSecondResultUses() {
        const Rule rule = read("n, _ -> n; _, ~n -> n", {1, 1}, {1, 1});
        QCOMPARE(rule.operands[1].dims.size(), std::size_t{1});
        QVERIFY(!rule.operands[1].isLinear);
    }

    void readsWindowsAndTaps() {
        const Rule rule = read("b (g i) y:ky x:kx, (g o) i ky kx -> b (g o) y x", {4, 4}, {4});
        QCOMPARE(rule.operands[0].dims[2].kind, RuleDim::Kind::window);
        QVERIFY(rule.letters[static_cast<std::size_t>(rule.find("ky"))].isTap);
        QVERIFY(rule.letters[static_cast<std::size_t>(rule.find("y"))].isWindow);
        QVERIFY(!rule.letters[static_cast<std::size_t>(rule.find("o"))].isWindow);
        const Rule reversed = read("~b c y/ky x/kx, b c y/ky x/kx -> b c y x", {4, 4}, {4});
        QCOMPARE(reversed.operands[1].dims[3].kind, RuleDim::Kind::reversed);
    }

    void namesDotsByRankWhenTheyStandAlone() {
        const std::vector<std::string> expected{"", "b", "b o", "b t o", "b o y x", "b o z y x"};
        for (std::size_t rank = 0; rank < expected.size(); ++rank) {
            const Rule rule = read("~... -> ...", {rank}, {rank});
            QCOMPARE(names(rule, rule.operands[0]), expected[rank]);
        }
        QCOMPARE(read("..., () -> ...", {3, 0}, {3}).operands[1].dims.size(), std::size_t{0});
    }

    void namesDotsBeforeOtherDims() {
        QCOMPARE(names(read("... i, o i -> ... o", {2, 2}, {2}),
                       read("... i, o i -> ... o", {2, 2}, {2}).operands[0]),
                 std::string("b i"));
        const Rule rule = read("... i, o i -> ... o", {5, 2}, {5});
        QCOMPARE(names(rule, rule.results[0].value), std::string("b t e2 e3 o"));
        const Rule picked = read("... k, ~... -> ...", {3, 2}, {2});
        QCOMPARE(names(picked, picked.operands[1]), std::string("b t"));
    }

    void givesClashingDotsTheNextName() {
        const Rule rule = read("... b, t b -> ... t", {3, 2}, {3});
        QCOMPARE(names(rule, rule.operands[0]), std::string("e2 e3 b"));
    }

    void findsSizesThroughComposites() {
        const Rule rule = read("b (g i) y:ky x:kx, (g o) i ky kx -> b (g o) y x", {4, 4}, {4});
        const Shape x{5, 6, 9, 9};
        const Shape w{4, 3, 3, 3};
        const Shape y{5, 4, 7, 7};
        const std::vector<const Shape*> operands{&x, &w};
        const std::vector<const Shape*> results{&y};
        const auto sizes = sizesOf(rule, operands, results, {{"g", 2}});
        const auto size = [&](const char* name) {
            return sizes[static_cast<std::size_t>(rule.find(name))];
        };
        QCOMPARE(size("b"), 5);
        QCOMPARE(size("g"), 2);
        QCOMPARE(size("i"), 3);
        QCOMPARE(size("o"), 2);
        QCOMPARE(size("y"), 7);
    }

    void refusesStringsThatDoNotFit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("operands");
        QTest::addColumn<int>("rank");
        QTest::newRow("no arrow") << "b i, i o" << 2 << 2;
        QTest::newRow("too few operands") << "b i -> b o" << 2 << 2;
        QTest::newRow("rank") << "b i, i o -> b o" << 2 << 3;
        QTest::newRow("too many results") << "b i, i o -> b o, b o" << 2 << 2;
    }
    void refusesStringsThatDoNotFit() {
        QFETCH(QString, text);
        QFETCH(int, operands);
        QFETCH(int, rank);
        const std::vector<std::size_t> ranks(static_cast<std::size_t>(operands),
                                             static_cast<std::size_t>(rank));
        QVERIFY_THROWS_EXCEPTION(
            Error, (void)parseRule(text.toStdString(), ranks, std::vector<std::size_t>{2}));
    }
};

std::unique_ptr<QObject> makeTestNotation() { return std::make_unique<TestNotation>(); }
#include "tst_notation.moc"
