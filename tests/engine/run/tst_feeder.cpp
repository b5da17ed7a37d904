// SPDX-License-Identifier: Apache-2.0
#include "run/execute/feeder.h"
#include "small_pool.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTest>
#include <algorithm>
#include <atomic>
#include <cstring>

using namespace weft;
using namespace weft::test;

namespace {

const std::string network = R"({"weft": 1, "name": "small", "assign": "data",
 "data": {"feeds": {"picture": "x", "digit": "id"}, "batch": 4},
 "training": {"learning_rate": 0.05},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [2]}},
  {"id": 2, "name": "fc", "kind": "dense", "with": {"units": 10}},
  {"id": 3, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 4, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["picture.y -> fc.x", "fc.y -> loss.logits", "digit.y -> loss.target"]})";

/// Example e holds e and e + 0.5 in "x" and e in "id"; from one example on the file is gone.
class Counting final : public Source {
public:
    Counting(std::int64_t size, std::int64_t goneFrom) : size_(size), goneFrom_(goneFrom) {}
    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> to) const override {
        reads_.fetch_add(1);
        std::size_t at = 0;
        for (const std::int64_t example : examples) {
            if (example >= goneFrom_) {
                throw Error(ErrorCode::file, Where{.file = "pictures.npy"}, "is gone",
                            "bring it back");
            }
            if (field == 1) {
                to[at++] = static_cast<std::byte>(example);
                continue;
            }
            for (const float x :
                 {static_cast<float>(example), static_cast<float>(example) + 0.5F}) {
                std::memcpy(to.data() + at, &x, sizeof(x));
                at += sizeof(x);
            }
        }
    }
    [[nodiscard]] int reads() const { return reads_.load(); }

private:
    mutable std::atomic<int> reads_ = 0;
    std::int64_t size_;
    std::int64_t goneFrom_;
    /// Ids of another type than the input layer's, so that they are converted.
    std::vector<Field> fields_{{"x", DType::f32, {2}, 0, ""}, {"id", DType::u8, {}, 10, ""}};
};

constexpr std::int64_t examples = 10; // batches of 4, 4 and 2

struct Feeding {
    explicit Feeding(std::size_t devices, std::int64_t goneFrom = examples)
        : small(network, devices, {{Mode::train, 4}, {Mode::train, 2}}),
          source(std::make_shared<Counting>(examples, goneFrom)),
          batcher({.examples = examples, .batch = 4, .isShuffled = true, .seed = 3}),
          feeder(small.design.data, *small.pool, source, batcher, {{4, {0}}, {2, {1}}}) {}

    /// The ids that the workers now hold, in the order of the batch.
    [[nodiscard]] std::vector<std::int64_t> ids(std::size_t member) const {
        const std::vector<std::byte> bytes = feedOf(*small.pool, member, "digit");
        std::vector<std::int64_t> all(bytes.size() / sizeof(std::int64_t));
        std::memcpy(all.data(), bytes.data(), bytes.size());
        return all;
    }
    [[nodiscard]] std::vector<std::int64_t> wanted(const Batch& batch) const {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(batch.rows));
        batcher.fill(batch, 0, rows);
        return rows;
    }

    SmallPool small;
    std::shared_ptr<Counting> source;
    Batcher batcher;
    Feeder feeder;
};

} // namespace

class TestFeeder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesEachWorkerItsRowsInTheOrderOfTheEpoch_data() {
        QTest::addColumn<int>("devices");
        QTest::newRow("one device") << 1;
        QTest::newRow("two devices") << 2;
    }
    void givesEachWorkerItsRowsInTheOrderOfTheEpoch() {
        QFETCH(const int, devices);
        Feeding feeding(static_cast<std::size_t>(devices));
        feeding.feeder.start({}, 9);
        DataPosition position;
        for (int k = 0; k < 9; ++k) {
            const Feeder::FedBatch fed = feeding.feeder.next();
            const Batch expected = feeding.batcher.at(position);
            QCOMPARE(fed.batch.rows, expected.rows);
            QVERIFY(fed.batch == expected);
            QCOMPARE(fed.member, expected.rows == 4 ? std::size_t{0} : std::size_t{1});
            QCOMPARE(feeding.ids(fed.member), feeding.wanted(expected));
            position = feeding.batcher.after(expected);
        }
    }

    void beginsAnywhereAndAnew() {
        Feeding feeding(1);
        feeding.feeder.start({}, -1);
        (void)feeding.feeder.next();
        const DataPosition middle{5, 4};
        feeding.feeder.start(middle, 1);
        const Feeder::FedBatch fed = feeding.feeder.next();
        QVERIFY(fed.batch == feeding.batcher.at(middle));
        QCOMPARE(feeding.ids(fed.member), feeding.wanted(fed.batch));
    }

    void readsOnlyAsFarAheadAsItsRing() {
        Feeding feeding(1);
        feeding.feeder.start({}, -1);
        // Two fields for each of the three batches that fit; then it waits.
        QTRY_COMPARE(feeding.source->reads(), 6);
        (void)feeding.feeder.next();
        QTRY_COMPARE(feeding.source->reads(), 8);
    }

    void saysWhichFileIsGoneOnceTheBatchesBeforeAreTaken() {
        Feeding feeding(1, 9);
        feeding.feeder.start({}, 3);
        int taken = 0;
        QString message;
        try {
            for (; taken < 3; ++taken) {
                (void)feeding.feeder.next();
            }
        } catch (const Error& error) {
            message = error.what();
        }
        DataPosition position;
        int whole = 0; // batches before the one that has example 9
        for (bool isWhole = true; isWhole;) {
            const Batch batch = feeding.batcher.at(position);
            const std::vector<std::int64_t> rows = feeding.wanted(batch);
            isWhole = std::ranges::find(rows, 9) == rows.end();
            whole += isWhole ? 1 : 0;
            position = feeding.batcher.after(batch);
        }
        QCOMPARE(taken, whole);
        QVERIFY2(message.contains("pictures.npy"), qPrintable(message));
    }

    void refusesAnInputOfAnotherShapeThanItsField() {
        SmallPool small(network, 1, {{Mode::train, 4}});
        small.design.data.feeds["picture"] = "id";
        const Batcher batcher({.examples = examples, .batch = 4});
        QString message;
        try {
            const Feeder feeder(small.design.data, *small.pool,
                                std::make_shared<Counting>(examples, examples), batcher,
                                {{4, {0}}});
        } catch (const Error& error) {
            message = error.what();
        }
        QVERIFY2(message.contains("picture") && message.contains("id"), qPrintable(message));
    }
};

std::unique_ptr<QObject> makeTestFeeder() { return std::make_unique<TestFeeder>(); }
#include "tst_feeder.moc"
