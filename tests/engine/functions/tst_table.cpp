// SPDX-License-Identifier: Apache-2.0
// The rows of the table of elementwise functions against numbers from closed forms, as the
// reference computes them in double and the CPU's kernels in f32.

#include "backends/backends.h"
#include "functions/table.h"
#include "support/evaluate.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

using std::numbers::ln2;
using std::numbers::pi;
using std::numbers::sqrt3;

struct KnownPoint {
    const char* op;
    Attributes attributes;
    double x, y, slope;
};

std::vector<KnownPoint> rectified() {
    constexpr double scale = 1.0507009873554805;
    constexpr double limit = 1.7580993408473766; // scale * 1.6732632423543772
    const Attributes leak{{"negative_slope", 0.1}};
    const Attributes alpha{{"alpha", 2.0}};
    const Attributes line{{"alpha", 0.25}, {"beta", 0.5}};
    const Attributes limits{{"min", -1.0}, {"max", 2.0}};
    const Attributes crossed{{"min", 3.0}, {"max", 2.0}};
    return {{"relu", {}, 2, 2, 1},
            {"relu", {}, -3, 0, 0},
            {"leaky_relu", leak, 2, 2, 1},
            {"leaky_relu", leak, -3, -0.3, 0.1},
            {"elu", alpha, 3, 3, 1},
            {"elu", alpha, -ln2, -1, 1},
            {"elu", alpha, -100, -2, 0},
            {"selu", {}, 1, scale, scale},
            {"selu", {}, -ln2, -limit / 2, limit / 2},
            {"selu", {}, -100, -limit, 0},
            {"hard_sigmoid", line, 1, 0.75, 0.25},
            {"hard_sigmoid", line, 100, 1, 0},
            {"hard_sigmoid", line, -100, 0, 0},
            {"hard_sigmoid", {}, 0.6, 0.6, 1.0 / 6},
            {"hard_swish", {}, 1, 2.0 / 3, 5.0 / 6},
            {"hard_swish", {}, -1, -1.0 / 3, 1.0 / 6},
            {"hard_swish", {}, 100, 100, 1},
            {"hard_swish", {}, -100, 0, 0},
            {"clip", limits, 0.5, 0.5, 1},
            {"clip", limits, 7, 2, 0},
            {"clip", limits, -5, -1, 0},
            {"clip", {}, 7, 6, 0},
            {"clip", crossed, 2.5, 2, 0}};
}

std::vector<KnownPoint> smooth() {
    const double ln3 = std::log(3.0);
    const Attributes beta{{"beta", 2.0}};
    return {{"gelu", {}, 0, 0, 0.5},
            {"gelu", {}, 1, 0.8413447460685429, 1.0833154705876863},
            {"gelu", {}, 100, 100, 1},
            {"gelu", {}, -100, 0, 0},
            {"tanh", {}, ln2, 0.6, 0.64},
            {"tanh", {}, -100, -1, 0},
            {"sigmoid", {}, ln3, 0.75, 0.1875},
            {"sigmoid", {}, -100, 0, 0},
            {"silu", {}, ln3, 0.75 * ln3, 0.75 * (1 + 0.25 * ln3)},
            {"silu", {}, 100, 100, 1},
            {"silu", {}, -100, 0, 0},
            {"mish", {}, 0, 0, 0.6},
            {"mish", {}, ln2, 0.8 * ln2, 0.8 + 0.24 * ln2},
            {"mish", {}, -ln2, -5 * ln2 / 13, 5.0 / 13 - ln2 * (1 - 25.0 / 169) / 3},
            {"mish", {}, 100, 100, 1},
            {"mish", {}, -100, 0, 0},
            {"softplus", beta, 0, ln2 / 2, 0.5},
            {"softplus", beta, ln3 / 2, ln2, 0.75},
            {"softplus", {}, 100, 100, 1},
            {"softplus", {}, -100, 0, 0},
            {"softsign", {}, 3, 0.75, 1.0 / 16},
            {"softsign", {}, -1, -0.5, 0.25},
            {"softsign", {}, 1e30, 1, 0}};
}

std::vector<KnownPoint> arithmetic() {
    const auto to = [](double exponent) { return Attributes{{"exponent", exponent}}; };
    const double infinity = std::numeric_limits<double>::infinity();
    return {{"log", {}, 2, ln2, 0.5},
            {"log", {}, 0, -infinity, infinity},
            {"exp", {}, ln2, 2, 2},
            {"exp", {}, -100, 0, 0},
            {"square", {}, -3, 9, -6},
            {"sqrt", {}, 9, 3, 1.0 / 6},
            {"power", {}, -3, 9, -6},
            {"power", to(3), -2, -8, 12},
            {"power", to(0.5), 4, 2, 0.25},
            {"power", to(0), 5, 1, 0},
            {"power", to(0), 0, 1, 0},
            {"power", to(-1), -2, -0.5, -0.25},
            {"power", to(1.5), 0, 0, 0},
            {"abs", {}, -3, 3, -1},
            {"abs", {}, 0, 0, 0},
            {"abs", {}, 2, 2, 1},
            {"neg", {}, 3, -3, -1},
            {"reciprocal", {}, -4, -0.25, -1.0 / 16},
            {"sin", {}, pi / 6, 0.5, sqrt3 / 2},
            {"sin", {}, 100, -0.5063656411097588, 0.8623188722876839},
            {"cos", {}, pi / 3, 0.5, -sqrt3 / 2},
            {"cos", {}, 1e6, 0.9367521275331447, 0.3499935021712930},
            {"erf", {}, 0, 0, 2 / std::sqrt(pi)},
            {"erf", {}, 0.5, 0.5204998778130465, 0.8787825789354448},
            {"erf", {}, -100, -1, 0},
            {"reciprocal_root", {{"epsilon", 1.0}}, 3, 0.5, -1.0 / 16}};
}

std::vector<KnownPoint> withNumbers() {
    const Attributes two{{"number", 2.0}};
    return {{"add_number", two, -5, -3, 1},     {"maximum_number", two, 3, 3, 1},
            {"maximum_number", two, -3, 2, 0},  {"maximum_number", two, 2, 2, 0.5},
            {"minimum_number", two, 3, 2, 0},   {"minimum_number", two, -3, -3, 1},
            {"minimum_number", two, 2, 2, 0.5}, {"equal_number", two, 2, 1, 0},
            {"equal_number", two, 3, 0, 0},     {"less_number", two, 1, 1, 0},
            {"less_number", two, 2, 0, 0},      {"greater_number", two, 3, 1, 0},
            {"greater_number", two, 2, 0, 0},   {"drop_number", two, 0, 2, 0},
            {"drop_number", two, 1, 0, 0},      {"norm_root", {}, 9, 3, 1.0 / 6},
            {"norm_root", {}, 0, 0, 0}};
}

struct KnownPair {
    const char* op;
    double a, b, y;
};

std::vector<KnownPair> pairsOfOperands() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    return {{"subtract", 2, 5, -3},
            {"multiply", -2, 5, -10},
            {"divide", 3, -4, -0.75},
            {"divide", 1, 0, infinity},
            {"maximum", 2, -5, 2},
            {"maximum", -5, 2, 2},
            {"maximum", nan, 2, nan},
            {"maximum", 2, nan, nan},
            {"maximum_derivative", 3, 2, 1},
            {"maximum_derivative", 2, 2, 0.5},
            {"maximum_derivative", 1, 2, 0},
            {"minimum", 2, -5, -5},
            {"minimum", -5, 2, -5},
            {"minimum", nan, 2, nan},
            {"minimum", 2, nan, nan},
            {"pow", 2, 3, 8},
            {"pow", -2, 3, -8},
            {"pow", 4, -0.5, 0.5},
            {"pow", 0, 0, 1},
            {"pow", -2, 0.5, nan},
            {"pow_base_derivative", 2, 3, 12},
            {"pow_base_derivative", 0, 0, 0},
            {"pow_exponent_derivative", 2, 3, 8 * ln2},
            {"pow_exponent_derivative", 0, 2, 0},
            {"equal", 2, 2, 1},
            {"equal", 2, 3, 0},
            {"equal", nan, nan, 0},
            {"less", 2, 3, 1},
            {"less", 3, 3, 0},
            {"greater", 4, 3, 1},
            {"greater", 3, 3, 0},
            {"and", 2, -3, 1},
            {"and", 0, 3, 0},
            {"and", 3, 0, 0},
            {"or", 0, -3, 1},
            {"or", 2, 0, 1},
            {"or", 0, 0, 0},
            {"keep_where", 2, 7, 7},
            {"keep_where", 0, infinity, 0},
            {"drop_where", 0, 7, 7},
            {"drop_where", 2, infinity, 0}};
}

} // namespace

class TestTable : public QObject {
    Q_OBJECT

    /// Fills registers and leaves a rest.
    static constexpr std::int64_t count = 37;

    OpList ops_ = allOps();
    Oracle reference_;
    std::unique_ptr<Oracle> cpu_;
    std::map<std::string, functions::Info> rows_;
    std::vector<KnownPoint> points_;

    Tensor run(Oracle& device, const std::string& op, const Attributes& attributes,
               const std::vector<Tensor>& inputs) {
        return device
            .run(op, completed(attributes, ops_.at(op).attributes), inputs,
                 std::vector<TensorType>{{inputs[0].dtype, inputs[0].shape}})
            .front();
    }

    static Tensor filled(DType dtype, double number) {
        return {dtype, {count}, std::vector<double>(static_cast<std::size_t>(count), number)};
    }

    /// y and dx for that x and dy.
    std::pair<Tensor, Tensor> computed(Oracle& device, const std::string& op,
                                       const Attributes& attributes, const Tensor& x,
                                       const Tensor& dy) {
        const Tensor y = run(device, op, attributes, {x});
        switch (rows_.at(op).reads) {
        case functions::Reads::nothing: return {y, run(device, op, attributes, {dy})};
        case functions::Reads::onlyDy: return {y, dy};
        case functions::Reads::none: return {y, filled(dy.dtype, 0)};
        case functions::Reads::x: return {y, run(device, op + "_gradient", attributes, {x, dy})};
        case functions::Reads::y: break;
        }
        return {y, run(device, op + "_gradient", attributes, {y, dy})};
    }

    void compare(const Tensor& found, double expected, double tolerance) {
        for (std::int64_t k = 0; k < count; ++k) {
            const double number = found.at(k);
            const bool isEqual =
                number == expected || (std::isnan(number) && std::isnan(expected)) ||
                std::abs(number - expected) <= tolerance * (1 + std::abs(expected));
            QVERIFY2(isEqual, QByteArray::number(number, 'g', 17) + ", expected " +
                                  QByteArray::number(expected, 'g', 17));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        BackendList backends;
        backends::fill(backends);
        cpu_ = std::make_unique<Oracle>(*backends.find("cpu"), "cpu:0", 1);
        functions::All::forEach(
            [&]<class Row>(Row) { rows_[std::string(Row::info.name)] = Row::info; });
        for (const auto& some : {rectified(), smooth(), arithmetic(), withNumbers()}) {
            points_.insert(points_.end(), some.begin(), some.end());
        }
    }

    void hasAPointForEachRow() {
        std::set<std::string> named;
        for (const KnownPoint& point : points_) {
            named.insert(point.op);
        }
        for (const auto& [name, info] : rows_) {
            QVERIFY2(named.contains(name), name.c_str());
        }
    }

    void givesTheNumbersOfItsFormula_data() {
        QTest::addColumn<int>("index");
        for (std::size_t k = 0; k < points_.size(); ++k) {
            QTest::addRow("%s at %g, %zu", points_[k].op, points_[k].x, k) << static_cast<int>(k);
        }
    }
    void givesTheNumbersOfItsFormula() {
        QFETCH(int, index);
        const auto& [op, attributes, x, y, slope] = points_[static_cast<std::size_t>(index)];
        for (const double dy : {1.0, -2.0}) {
            const auto exact =
                computed(reference_, op, attributes, filled(DType::f64, x), filled(DType::f64, dy));
            compare(exact.first, y, 1e-13);
            compare(exact.second, dy * slope, 1e-13);
            const auto fast =
                computed(*cpu_, op, attributes, filled(DType::f32, x), filled(DType::f32, dy));
            compare(fast.first, y, 4e-7);
            compare(fast.second, dy * slope, 4e-7);
        }
    }

    void hasAPairForEachRowOfTwoOperands() {
        std::set<std::string> named;
        for (const KnownPair& pair : pairsOfOperands()) {
            named.insert(pair.op);
        }
        functions::Pairs::forEach([&]<class Row>(Row) {
            const std::string name(Row::pair.name);
            QVERIFY2(named.contains(name), name.c_str());
        });
    }

    void givesTheNumbersOfTwoOperands() {
        for (const auto& [op, a, b, y] : pairsOfOperands()) {
            compare(run(reference_, op, {}, {filled(DType::f64, a), filled(DType::f64, b)}), y,
                    1e-13);
            compare(run(*cpu_, op, {}, {filled(DType::f32, a), filled(DType::f32, b)}), y, 4e-7);
            if (QTest::currentTestFailed()) {
                QFAIL(op);
            }
        }
    }

    void keepsNotANumber_data() {
        QTest::addColumn<QString>("op");
        for (const auto& [name, info] : rows_) {
            if (info.reads != functions::Reads::none) { // a condition is 0 or 1
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
            }
        }
    }
    void keepsNotANumber() {
        QFETCH(QString, op);
        const std::string name = op.toStdString();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Tensor y = run(reference_, name, {}, {filled(DType::f64, nan)});
        const Tensor fast = run(*cpu_, name, {}, {filled(DType::f32, nan)});
        for (std::int64_t k = 0; k < count; ++k) {
            QVERIFY(std::isnan(y.at(k)));
            QVERIFY(std::isnan(fast.at(k)));
        }
    }

    void makesNoNotANumberOfLargeNumbers_data() {
        QTest::addColumn<QString>("op");
        functions::Activations::forEach([]<class Row>(Row) {
            const std::string name(Row::info.name);
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        });
    }
    void makesNoNotANumberOfLargeNumbers() {
        QFETCH(QString, op);
        for (const double x : {90.0, -90.0, 1e4, -1e4, 1e30, -1e30}) {
            const auto [y, dx] =
                computed(*cpu_, op.toStdString(), {}, filled(DType::f32, x), filled(DType::f32, 1));
            const auto exact = computed(reference_, op.toStdString(), {}, filled(DType::f32, x),
                                        filled(DType::f32, 1));
            for (const Tensor& numbers : {y, dx, exact.first, exact.second}) {
                for (std::int64_t k = 0; k < count; ++k) {
                    QVERIFY2(std::isfinite(numbers.at(k)), QByteArray::number(x));
                }
            }
        }
    }
};

std::unique_ptr<QObject> makeTestTable() { return std::make_unique<TestTable>(); }

#include "tst_table.moc"
