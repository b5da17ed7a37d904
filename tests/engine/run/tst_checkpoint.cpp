// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/safetensors.h"
#include "observed.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "small_pool.h"
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>

using namespace weft;
using namespace weft::test;

namespace {

/// A period of two updates, summed up on each device by itself or on all alike.
std::string summing(const std::string& word) {
    std::string text = digitsDesign(word);
    const std::string before = "\"steps\": 12,";
    return text.insert(text.find(before), "\"sync_every\": 2, ");
}

SlotId sumOf(const SmallPool& small) {
    return small.programSet.members.front().plan->graph->slotNamed("fc2.bias/sum");
}

void fill(SmallPool& small, std::size_t worker, float number) {
    const std::vector<float> numbers(10, number);
    small.pool->writeSlot(worker, sumOf(small).value, numbers.data());
}

float first(const SmallPool& small, std::size_t worker) {
    std::vector<float> numbers(10);
    small.pool->readSlot(worker, sumOf(small).value, numbers.data());
    return numbers.front();
}

} // namespace

class TestCheckpoint : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    [[nodiscard]] std::filesystem::path path() const {
        return folder_.filePath("some.safetensors").toStdString();
    }

private Q_SLOTS:
    void whatIsOfSeveralDevicesIsWholeWithAllOfThem() {
        const SmallPool all(summing("batch"), 2, {{Mode::train, 6}});
        QVERIFY(slotsNotFullyHere(*all.pool).empty());
        const SmallPool alone(summing("batch"), 2, {{Mode::train, 6}}, 1);
        const std::vector<std::string> lacking = slotsNotFullyHere(*alone.pool);
        QVERIFY(std::ranges::find(lacking, "fc2.bias/sum") != lacking.end());
        QVERIFY(std::ranges::find(lacking, "fc2.bias") == lacking.end());
        const SmallPool alike(summing("data"), 2, {{Mode::train, 6}}, 1);
        QVERIFY(slotsNotFullyHere(*alike.pool).empty());
    }

    void sharesGoBackToWhoHadThem() {
        SmallPool small(summing("batch"), 3, {{Mode::train, 6}});
        for (std::size_t w = 0; w < 3; ++w) {
            fill(small, w, static_cast<float>(w + 1));
        }
        saveCheckpointAlone(path(), *small.pool, {.step = 1});
        const SafetensorsReader reader(path());
        QVERIFY(reader.find("fc2.bias/sum#3") != nullptr && reader.find("fc2.bias") != nullptr);
        QVERIFY(reader.find("fc2.bias/sum") == nullptr);
        SmallPool again(summing("batch"), 3, {{Mode::train, 6}});
        static_cast<void>(loadCheckpoint(path(), *again.pool));
        for (std::size_t w = 0; w < 3; ++w) {
            QCOMPARE(first(again, w), static_cast<float>(w + 1));
        }
    }

    void theirSumGoesToAnyOtherAssignment() {
        SmallPool small(summing("batch"), 3, {{Mode::train, 6}});
        for (std::size_t w = 0; w < 3; ++w) {
            fill(small, w, static_cast<float>(w + 1));
        }
        saveCheckpointAlone(path(), *small.pool, {.step = 1});
        SmallPool alike(summing("data"), 2, {{Mode::train, 6}});
        static_cast<void>(loadCheckpoint(path(), *alike.pool));
        QCOMPARE(first(alike, 0), 6.0F);
        QCOMPARE(first(alike, 1), 6.0F);
        SmallPool fewer(summing("batch"), 2, {{Mode::train, 6}});
        static_cast<void>(loadCheckpoint(path(), *fewer.pool));
        QCOMPARE(first(fewer, 0) + first(fewer, 1), 6.0F);
    }

    void namesWhatACheckpointWithoutASyncBlockLacks() {
        const SmallPool plain(digitsDesign("batch"), 2, {{Mode::train, 6}});
        saveCheckpointAlone(path(), *plain.pool, {.step = 1});
        SmallPool small(summing("batch"), 2, {{Mode::train, 6}});
        QString message;
        try {
            static_cast<void>(loadCheckpoint(path(), *small.pool));
        } catch (const Error& error) {
            message = error.what();
        }
        QVERIFY2(message.contains("/sum"), qPrintable(message));
    }
};

std::unique_ptr<QObject> makeTestCheckpoint() { return std::make_unique<TestCheckpoint>(); }
#include "tst_checkpoint.moc"
