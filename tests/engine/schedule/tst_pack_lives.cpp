// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory/pack_lives.h"
#include "support/test_main.h"

#include <QTest>
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

using namespace weft;

namespace {

/// Lives with their own memory, over so many streams.
struct Lives {
    std::vector<std::vector<std::uint32_t>> begins;
    std::vector<std::vector<std::uint32_t>> ends;
    std::vector<PackedLife> packed;

    void reserve(std::size_t count) {
        begins.reserve(count);
        ends.reserve(count);
    }
    void add(std::int64_t size, bool isCreatedByTask, bool isPermanent,
             std::vector<std::uint32_t> begin, std::vector<std::uint32_t> end) {
        begins.push_back(std::move(begin));
        ends.push_back(std::move(end));
        packed.push_back({size, isCreatedByTask, isPermanent, begins.back(), ends.back()});
    }
};

bool endsBefore(const PackedLife& a, const PackedLife& b) {
    bool isOver = !a.isPermanent && b.isCreatedByTask;
    for (std::size_t stream = 0; stream < a.end.size(); ++stream) {
        isOver = isOver && a.end[stream] <= b.begin[stream];
    }
    return isOver;
}

/// As the header says it, one held against all: what packLives is measured by.
std::vector<std::int64_t> packedOneByOne(const std::vector<PackedLife>& lives) {
    std::vector<std::size_t> bySize(lives.size());
    std::iota(bySize.begin(), bySize.end(), 0U);
    std::ranges::stable_sort(
        bySize, [&](std::size_t a, std::size_t b) { return lives[a].size > lives[b].size; });
    std::vector<std::int64_t> offsets(lives.size());
    std::vector<std::size_t> placed; // by offset
    for (const std::size_t k : bySize) {
        std::int64_t offset = 0;
        for (const std::size_t other : placed) {
            const bool isFree =
                endsBefore(lives[k], lives[other]) || endsBefore(lives[other], lives[k]);
            if (offsets[other] >= offset + lives[k].size) {
                break;
            }
            if (!isFree) {
                offset = std::max(offset, offsets[other] + lives[other].size);
            }
        }
        offsets[k] = offset;
        if (lives[k].size > 0) {
            placed.insert(
                std::ranges::upper_bound(placed, offset, {},
                                         [&](std::size_t other) { return offsets[other]; }),
                k);
        }
    }
    return offsets;
}

Lives randomLives(std::mt19937& draw, std::size_t count, std::size_t streams) {
    Lives lives;
    lives.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
        std::vector<std::uint32_t> begin(streams);
        std::vector<std::uint32_t> end(streams);
        const auto length = static_cast<std::uint32_t>(1 + draw() % (draw() % 4 == 0 ? 900 : 30));
        const auto first = static_cast<std::uint32_t>(draw() % 1000);
        for (std::size_t stream = 0; stream < streams; ++stream) {
            begin[stream] = first + static_cast<std::uint32_t>(draw() % 10);
            end[stream] = draw() % 3 == 0 ? 0 : begin[stream] + length;
        }
        lives.add(64 * static_cast<std::int64_t>(draw() % 40), draw() % 20 != 0, draw() % 25 == 0,
                  std::move(begin), std::move(end));
    }
    return lives;
}

/// The lives of a training of so many dense layers whose tasks alternate between two streams:
/// activations from the forward to the backward pass, gradients of parameters until the last layer
/// has its own, and updates that begin when all are there.
Lives trainedChain(std::uint32_t layers) {
    Lives lives;
    lives.reserve(std::size_t{10} * layers);
    const auto life = [&](std::int64_t size, std::uint32_t from, std::uint32_t until) {
        // Each stream has half of the tasks, and each task waits for the one before it.
        std::vector<std::uint32_t> end{until / 2 + 1, until / 2 + 1};
        end[until % 2] = until - from < 2 ? 0 : end[until % 2];
        lives.add(size, true, false, {(from + 1) / 2, from / 2}, std::move(end));
    };
    for (std::uint32_t k = 0; k < layers; ++k) {
        life(128, k, 2 * layers - k); // activation
        life(4864, k, k + 1);         // memory of the kernel
    }
    for (std::uint32_t k = layers; k < 2 * layers; ++k) {
        life(128, k, k + 2);             // gradient of an activation
        life(64, k, 4 * layers - k - 1); // gradients of the weight and of the bias
        life(64, k, 6 * layers - k - 1);
        life(640, k, k + 1);
    }
    for (std::uint32_t k = 0; k < 4 * layers; ++k) {
        life(64, 2 * layers + k, k % 2 == 0 ? 6 * layers : 2 * layers + k + 1);
    }
    return lives;
}

} // namespace

class TestPackLives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void placesEachWhereTheFirstFreePlaceIs() {
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 draw(seed);
        for (const std::size_t count : {1U, 5U, 300U, 1200U}) {
            for (const std::size_t streams : {1U, 2U, 5U}) {
                const Lives lives = randomLives(draw, count, streams);
                QVERIFY2(packLives(lives.packed).offsets == packedOneByOne(lives.packed),
                         qPrintable(QString("%1 lives on %2 streams").arg(count).arg(streams)));
            }
        }
    }

    void placesATrainedChainWhereTheFirstFreePlaceIs() {
        for (const std::uint32_t layers : {3U, 40U, 500U}) {
            const Lives lives = trainedChain(layers);
            QVERIFY2(packLives(lives.packed).offsets == packedOneByOne(lives.packed),
                     qPrintable(QString("%1 layers").arg(layers)));
        }
    }

    void stacksTheValuesOfAChain() {
        constexpr std::uint32_t count = 1000;
        Lives lives;
        lives.reserve(2 * count);
        for (std::uint32_t k = 0; k < count; ++k) {
            lives.add(128, true, false, {k}, {2 * count - k});
        }
        for (std::uint32_t k = 0; k < count; ++k) { // gradients, each until the next is there
            lives.add(64, true, false, {count + k}, {count + k + 2});
        }
        const std::vector<std::int64_t> offsets = packLives(lives.packed).offsets;
        QVERIFY(offsets == packedOneByOne(lives.packed));
        QCOMPARE(*std::ranges::max_element(offsets), std::int64_t{128} * count);
    }

    // Comparisons that grow with the square would be 16 times as many. (A level more of the tree
    // shows at each fourfold size, so that a doubling says less.)
    void comparesLessThanSixTimesAsOftenForFourTimesTheLayers() {
        for (const std::uint32_t layers : {300U, 500U, 1000U}) {
            const std::uint64_t few = packLives(trainedChain(layers).packed).comparisons;
            const std::uint64_t many = packLives(trainedChain(4 * layers).packed).comparisons;
            QVERIFY2(
                many < 6 * few,
                qPrintable(
                    QString("%1 layers: %2 comparisons, then %3").arg(layers).arg(few).arg(many)));
        }
    }
};

std::unique_ptr<QObject> makeTestPackLives() { return std::make_unique<TestPackLives>(); }
#include "tst_pack_lives.moc"
