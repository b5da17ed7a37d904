// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/moves/box_copy.h"
#include "base/philox.h"
#include "device/format.h"

#include <QTest>
#include <numeric>

using namespace weft;
using namespace weft::cpu;

namespace {

/// The copy, element by element.
std::vector<int> plainly(const std::vector<int>& from, std::size_t size, const Shape& box,
                         const Shape& fromSteps, const Shape& toSteps) {
    std::vector<int> to(size, -1);
    for (std::int64_t n = 0; n < elementsOf(box); ++n) {
        std::int64_t rest = n;
        std::int64_t source = 0;
        std::int64_t target = 0;
        for (std::size_t k = box.size(); k-- > 0;) {
            source += rest % box[k] * fromSteps[k];
            target += rest % box[k] * toSteps[k];
            rest /= box[k];
        }
        to[static_cast<std::size_t>(target)] = from[static_cast<std::size_t>(source)];
    }
    return to;
}

} // namespace

class TestBoxCopy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reordersLikeElementByElement_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("plain to channels-last") << ""
                                                << "acdb";
        QTest::newRow("channels-last to plain") << "acdb"
                                                << "";
        QTest::newRow("backwards") << ""
                                   << "dcba";
        QTest::newRow("rows stay") << "bacd"
                                   << "";
        QTest::newRow("the same") << "acdb"
                                  << "acdb";
    }
    void reordersLikeElementByElement() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const Philox philox({.seed = 5});
        std::uint64_t drawn = 0;
        for (int trial = 0; trial < 50; ++trial) {
            Shape shape;
            for (int dim = 0; dim < 4; ++dim) {
                shape.push_back(1 + static_cast<std::int64_t>(philox.below(drawn++, 20)));
            }
            const auto steps = stridesOf({from.toStdString()}, shape);
            const auto wanted = stridesOf({to.toStdString()}, shape);
            std::vector<int> numbers(static_cast<std::size_t>(elementsOf(shape)));
            std::iota(numbers.begin(), numbers.end(), 1);
            std::vector<int> found(numbers.size(), -1);
            runCopy(boxCopy(shape, steps, wanted), numbers.data(), found.data(), 1 + trial % 2);
            QCOMPARE(found, plainly(numbers, numbers.size(), shape, steps, wanted));
        }
    }

    void copiesABoxOutOfALargerOne() {
        const Shape whole{5, 6, 7};
        const Shape box{2, 3, 4};
        const auto wholeSteps = stridesOf({}, whole);
        const auto boxSteps = stridesOf({}, box);
        std::vector<int> numbers(static_cast<std::size_t>(elementsOf(whole)));
        std::iota(numbers.begin(), numbers.end(), 1);
        std::vector<int> found(static_cast<std::size_t>(elementsOf(box)), -1);
        runCopy(boxCopy(box, wholeSteps, boxSteps), numbers.data(), found.data(), 1);
        QCOMPARE(found, plainly(numbers, found.size(), box, wholeSteps, boxSteps));
    }

    void copiesASingleElement() {
        const int from = 7;
        int to = 0;
        runCopy(boxCopy({}, {}, {}), &from, &to, 1);
        QCOMPARE(to, 7);
    }
};

std::unique_ptr<QObject> makeTestBoxCopy() { return std::make_unique<TestBoxCopy>(); }

#include "tst_box_copy.moc"
