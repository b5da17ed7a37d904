// SPDX-License-Identifier: Apache-2.0
#include "base/text/expression.h"

#include <QTest>
#include <memory>

using namespace weft;

class TestExpression : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void evaluates_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* text, const char* value) {
            QTest::newRow(text) << QString(text) << QString(value);
        };
        row("4*256", "1024");
        row(" 2 + 3 * 4 - 5 ", "9");
        row("(2+3)*4", "20");
        row("7/2", "3.5");
        row("8/2", "4");
        row("2 - -3", "5");
        row("--4", "4");
        row("-(1+1)", "-2");
        row("1e3", "1000.0");
        row(".5 * 2", "1.0");
        row("1e-3", "0.001");
        row("8/2/2", "2");
        row("units / 4", "25");
        row("rate * units", "50.0");
        row("[3, units]", "[3, 100]");
        row("[0.5, 1]", "[0.5, 1.0]");
        row("[]", "[]");
        row("9223372036854775807", "9223372036854775807");
        row("-9223372036854775807 - 1", "-9223372036854775808");
    }
    void evaluates() {
        QFETCH(QString, text);
        QFETCH(QString, value);
        const Evaluation result = evaluate(text.toStdString(), parameters());
        QVERIFY2(result.value.has_value(), result.problem.c_str());
        QCOMPARE(QString::fromStdString(toString(*result.value)), value);
    }

    void saysWhatIsWrongAndWhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* text, int position, const char* problem) {
            QTest::newRow(*text == '\0' ? "nothing" : text)
                << QString(text) << position << QString(problem);
        };
        row("", 0, "the expression ends too early");
        row("3 +", 3, "the expression ends too early");
        row("3 $ 4", 2, "'$' is not expected here");
        row("3 4", 2, "'4' is not expected here");
        row("(3", 2, "a ')' is missing");
        row("[3, 4", 5, "a ']' is missing");
        row("2*wide", 2, "there is no parameter 'wide'");
        row("2*mode", 2, "the parameter 'mode' is not a number");
        row("4/(2-2)", 1, "division by zero");
        row("9223372036854775807 + 1", 20, "the result is too large for a whole number");
        row("(-9223372036854775807 - 1) / -1", 27, "the result is too large for a whole number");
        row("1e300 * 1e300", 6, "the result is too large");
        row("1e999", 0, "the number is too large or too small");
        row(".", 0, "the text is not a number");
    }
    void saysWhatIsWrongAndWhere() {
        QFETCH(QString, text);
        QFETCH(int, position);
        QFETCH(QString, problem);
        const Evaluation result = evaluate(text.toStdString(), parameters());
        QVERIFY(!result.value.has_value());
        QCOMPARE(QString::fromStdString(result.problem), problem);
        QCOMPARE(static_cast<int>(result.position), position);
    }

    void deepNestingIsRefused() {
        QVERIFY(evaluate(std::string(90, '(') + "1" + std::string(90, ')')).value.has_value());
        const Evaluation result = evaluate(std::string(1'000'000, '('));
        QVERIFY(result.problem.find("nested") != std::string::npos);
        QVERIFY(evaluate(std::string(1'000'001, '-') + "1").value.has_value());
    }

private:
    static Attributes parameters() {
        return {{"units", std::int64_t{100}}, {"rate", 0.5}, {"mode", std::string("same")}};
    }
};

std::unique_ptr<QObject> makeTestExpression() { return std::make_unique<TestExpression>(); }
#include "tst_expression.moc"
