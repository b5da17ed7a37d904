// SPDX-License-Identifier: Apache-2.0
// Every row that place derives from an op's string is right, on two and three members with uneven
// parts and unequal shares, alone and in pairs; and what is right though no row says so is named in
// the op's file.

#include "row_trial.h"

#include <QTest>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

using Kind = Placement::Kind;

TrialAxis axisOf(const PlacementRow& row, std::int64_t parts, bool isSkewed) {
    return {parts, row.letter, row.operands, row.results, isSkewed};
}

std::string nameOfRow(const RowTrial& trial, const PlacementRow& row) {
    const std::string letter =
        row.letter == noLetter
            ? "-"
            : trial.rule().rule.letters[static_cast<std::size_t>(row.letter)].name;
    return letter + " | " + toString(trial.rule().rule, row);
}

bool isWrong(const RowTrial::Outcome& outcome) {
    return outcome.isRun && std::ranges::any_of(outcome.differences, [](double difference) {
               return !(difference < 1e-8);
           });
}

/// Enough numbers, not all zero, that chance does not make a wrong row right.
bool isTelling(const RowTrial& trial) {
    const auto& letters = trial.rule().rule.letters;
    for (std::size_t k = 0; k < letters.size(); ++k) {
        if (!letters[k].isTap && trial.rule().sizes[k] == 1 && letters[k].name != "g") {
            return false;
        }
    }
    const auto isLarge = [](const TensorType& type) { return type.elements() >= 8; };
    const auto& signature = trial.opCase().signature;
    return trial.isComparable() && !trial.hasZeroResult() &&
           (std::ranges::any_of(signature.inputs, isLarge) ||
            std::ranges::any_of(signature.outputs, isLarge));
}

} // namespace

class TestPlacements : public QObject {
    Q_OBJECT

    OpList ops_ = allOps();
    Oracle oracle_;

    void rowPerOp() const {
        QTest::addColumn<QString>("name");
        for (const Op* op : ops_.all()) {
            if (!op->bodied) {
                QTest::newRow(op->name.c_str()) << QString::fromStdString(op->name);
            }
        }
    }

    template <class Visit>
    void eachTrial(Visit visit) {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        for (std::size_t sample = 0; sample < op.samples.size(); ++sample) {
            OpCase one = makeCase(ops_, op, sample, oracle_);
            const bool isRead = std::ranges::all_of(one.outputs, [](const TensorType& output) {
                return output.dtype != DType::bf16 && output.dtype != DType::f16;
            });
            if (isRead) {
                RowTrial trial(ops_, std::move(one), oracle_);
                visit(trial);
            }
        }
    }

    /// Rows that are right without being derived, for a letter (or none) on one axis.
    static void search(RowTrial& trial, Letter letter, std::set<std::string>& found) {
        const Rule& rule = trial.rule().rule;
        std::vector<std::size_t> free;
        PlacementRow row{.letter = letter, .operands = {}, .results = {}};
        for (std::size_t k = 0; k < rule.operands.size(); ++k) {
            const bool hasLetter = letter != noLetter && rule.operands[k].find(letter).dim >= 0;
            row.operands.push_back(hasLetter ? Kind::split : Kind::replicated);
            if (!hasLetter && !trial.rule().isInteger[k]) {
                free.push_back(k);
            }
        }
        for (std::size_t subset = 0; subset < std::size_t{1} << free.size(); ++subset) {
            for (std::size_t k = 0; k < free.size(); ++k) {
                row.operands[free[k]] =
                    (subset >> k & 1U) != 0 ? Kind::partialSum : Kind::replicated;
            }
            std::vector<std::vector<Kind>> fitting;
            for (const std::int64_t parts : {2, 3}) {
                for (unsigned seed = 1; seed <= 2; ++seed) {
                    const auto outcome = trial.run({{parts, letter, row.operands}}, seed);
                    if (!outcome.isRun) {
                        return;
                    }
                    fitting = fitting.empty() ? outcome.fitting : common(fitting, outcome.fitting);
                }
            }
            report(trial, row, fitting, 0, found);
        }
    }

    static std::vector<std::vector<Kind>> common(const std::vector<std::vector<Kind>>& a,
                                                 const std::vector<std::vector<Kind>>& b) {
        std::vector<std::vector<Kind>> both(a.size());
        for (std::size_t k = 0; k < a.size(); ++k) {
            std::ranges::copy_if(a[k], std::back_inserter(both[k]), [&](Kind kind) {
                return std::ranges::find(b[k], kind) != b[k].end();
            });
        }
        return both;
    }

    /// All combinations of fitting kinds that are no derived row.
    static void report(const RowTrial& trial, PlacementRow& row,
                       const std::vector<std::vector<Kind>>& fitting, std::size_t result,
                       std::set<std::string>& found) {
        if (result == fitting.size()) {
            const auto isDerived = [&](const PlacementRow& known) {
                return known.letter == row.letter && known.operands == row.operands &&
                       known.results == row.results;
            };
            if (std::ranges::none_of(trial.rows(), isDerived)) {
                found.insert(toString(trial.rule().rule, row));
            }
            return;
        }
        for (const Kind kind : fitting[result]) {
            row.results.push_back(kind);
            report(trial, row, fitting, result + 1, found);
            row.results.pop_back();
        }
    }

    /// A whole letter of a result that no operand has: dims are joined, and parts of them do not
    /// fit each other.
    static bool joinsDims(const Rule& rule) {
        return std::ranges::any_of(rule.results, [&](const RuleResult& result) {
            return std::ranges::any_of(result.value.dims, [&](const RuleDim& dim) {
                const Letter letter = dim.letters.front();
                return rule.letters[static_cast<std::size_t>(letter)].isWhole &&
                       std::ranges::none_of(rule.operands, [&](const RuleValue& operand) {
                           return operand.find(letter).dim >= 0;
                       });
            });
        });
    }

    /// False for a minor factor: its parts are no ranges of the dim.
    static bool canRange(const RowTrial& trial, Letter letter) {
        const RuleLetter& entry = trial.rule().rule.letters[static_cast<std::size_t>(letter)];
        if (entry.isTap || (entry.isWhole && joinsDims(trial.rule().rule))) {
            return false;
        }
        const auto fits = [&](const RuleValue& value) {
            const RuleValue::LetterPlace place = value.find(letter);
            if (place.dim < 0) {
                return place.dim == -1;
            }
            const auto& factors = value.dims[static_cast<std::size_t>(place.dim)].letters;
            return std::all_of(factors.begin(), factors.begin() + place.indexInDim,
                               [&](Letter factor) { return trial.rule().size(factor) == 1; });
        };
        return std::ranges::all_of(trial.rule().rule.operands, fits) &&
               std::ranges::all_of(trial.rule().rule.results, fits, &RuleResult::value);
    }

private Q_SLOTS:
    void everyDerivedRowIsRight_data() { rowPerOp(); }
    void everyDerivedRowIsRight() {
        int runs = 0;
        eachTrial([&](RowTrial& trial) {
            if (!trial.isComparable()) {
                return;
            }
            for (const PlacementRow& row : trial.rows()) {
                for (const std::int64_t parts : {2, 3}) {
                    for (const bool isSkewed : {false, true}) {
                        const auto outcome = trial.run({axisOf(row, parts, isSkewed)}, 1);
                        runs += outcome.isRun ? 1 : 0;
                        QVERIFY2(!isWrong(outcome),
                                 qPrintable(QString("%1, %2 parts: %3")
                                                .arg(trial.opCase().name.c_str())
                                                .arg(parts)
                                                .arg(nameOfRow(trial, row).c_str())));
                    }
                }
            }
        });
        QVERIFY(runs > 0);
    }

    void everyPairOfRowsIsRight_data() { rowPerOp(); }
    void everyPairOfRowsIsRight() {
        int runs = 0;
        eachTrial([&](RowTrial& trial) {
            if (!trial.isComparable()) {
                return;
            }
            for (const PlacementRow& first : trial.rows()) {
                for (const PlacementRow& second : trial.rows()) {
                    const auto outcome =
                        trial.run({axisOf(first, 2, false), axisOf(second, 3, true)}, 1);
                    runs += outcome.isRun ? 1 : 0;
                    QVERIFY2(!isWrong(outcome),
                             qPrintable(QString("%1: %2 x %3")
                                            .arg(trial.opCase().name.c_str(),
                                                 nameOfRow(trial, first).c_str(),
                                                 nameOfRow(trial, second).c_str())));
                }
            }
        });
        QVERIFY(runs > 0);
    }

    void whatIsRightIsDerivedOrNamed_data() { rowPerOp(); }
    void whatIsRightIsDerivedOrNamed() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        // By string: what holds in every sample that tells.
        std::map<std::string, std::vector<std::set<std::string>>> byString;
        eachTrial([&](RowTrial& trial) {
            if (!isTelling(trial)) {
                return;
            }
            std::set<std::string> found;
            const auto letters = static_cast<Letter>(trial.rule().rule.letters.size());
            for (Letter letter = noLetter; letter < letters; ++letter) {
                if (letter == noLetter ||
                    (trial.rule().size(letter) > 2 && canRange(trial, letter))) {
                    search(trial, letter, found);
                }
            }
            const auto& inputs = trial.opCase().inputs;
            byString[std::to_string(inputs.empty() ? 0 : inputs.front().shape.size()) +
                     op.placementFor(trial.opCase().signature)]
                .push_back(std::move(found));
        });
        QStringList missing;
        for (const auto& [string, samples] : byString) {
            for (const std::string& row : samples.front()) {
                const bool isInAll = std::ranges::all_of(
                    samples, [&](const std::set<std::string>& each) { return each.contains(row); });
                const bool isNamed =
                    std::ranges::any_of(op.undeclaredRows, [&](const std::string& text) {
                        return text.starts_with(row + ":");
                    });
                if (isInAll && !isNamed) {
                    missing << QString("%1 (%2)").arg(row.c_str(), string.c_str());
                }
            }
        }
        QVERIFY2(missing.isEmpty(),
                 qPrintable("right, but not derived: mend the string, or name in undeclaredRows "
                            "with the reason: " +
                            missing.join("; ")));
    }
};

std::unique_ptr<QObject> makeTestPlacements() { return std::make_unique<TestPlacements>(); }
#include "tst_placements.moc"
