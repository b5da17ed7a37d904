// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "events/segments.h"
#include "events/span_reader.h"

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <memory>
#include <set>

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// The spans of one worker's step as a channel puts them.
std::vector<std::byte> partOf(std::int64_t step, std::uint32_t spans) {
    std::vector<std::byte> bytes(eventSize * (spans + 1));
    const StepSpansEvent head{{EventKind::stepSpans}, step, spans, 0};
    std::memcpy(bytes.data(), &head, eventSize);
    for (std::uint32_t i = 0; i < spans; ++i) {
        const SpanEvent span{{EventKind::span}, i + 1, static_cast<std::uint32_t>(step), 10, 0, 0};
        std::memcpy(bytes.data() + eventSize * (i + 1), &span, eventSize);
    }
    return bytes;
}

} // namespace

class TestSegments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void whatIsWrittenIsRead() {
        SpanSegments segments(here(), 1, {});
        for (std::int64_t step = 0; step < 10; ++step) {
            segments.append(partOf(step, 5), 1, 1);
        }
        const auto steps = readSteps();
        QCOMPARE(steps.size(), std::size_t{10});
        QCOMPARE(steps[7].step, 7);
        QCOMPARE(steps[7].spans.size(), std::size_t{5});
        QCOMPARE(steps[7].spans[4].site, NameIndex{5});
    }

    void aStepIsWholeWithAllItsParts() {
        SpanSegments segments(here(), 1, {});
        SpanReader reader(here());
        std::vector<RankStep> steps;
        segments.append(partOf(1, 5), 1, 2);
        reader.read(1 << 20, steps);
        QVERIFY(steps.empty());
        segments.append(partOf(2, 5), 1, 2);
        segments.append(partOf(1, 3), 1, 2);
        reader.read(1 << 20, steps);
        QCOMPARE(steps.size(), std::size_t{1});
        QCOMPARE(steps[0].step, 1);
        QCOMPARE(steps[0].spans.size(), std::size_t{8});
        // The other half comes in a new segment, as the spacing is another.
        segments.append(partOf(2, 3), 4, 2);
        reader.read(1 << 20, steps);
        QCOMPARE(steps.size(), std::size_t{2});
    }

    void thePastIsThinnedAndTheBoundHolds() {
        constexpr std::uint64_t limit = 200'000;
        SpanSegments segments(here(), 1, {.bytes = limit, .keptBefore = 4});
        for (std::int64_t step = 0; step < 4000; ++step) {
            segments.append(partOf(step, 9), 1, 1);
            QVERIFY(segments.bytes() <= limit + limit / 16);
        }
        std::uint64_t onDisk = 0;
        for (const auto& entry : fs::directory_iterator(here())) {
            onDisk += entry.file_size();
        }
        QCOMPARE(onDisk, segments.bytes());
        std::set<std::int64_t> kept;
        std::int64_t last = -1;
        std::int64_t widest = 0;
        for (const RankStep& step : readSteps()) {
            QCOMPARE(step.spans.size(), std::size_t{9});
            QVERIFY(step.step > last);
            widest = std::max(widest, step.step - last);
            last = step.step;
            kept.insert(step.step);
        }
        QCOMPARE(last, 3999);
        for (std::int64_t step = 0; step < 4; ++step) {
            QVERIFY(kept.contains(step));
        }
        // The whole run is covered: some 500 steps fit, so no hole is much wider than 4000 / 500
        // steps.
        QVERIFY(kept.size() > 250);
        QVERIFY(widest <= 32);
    }

    void aResumedRunGoesOnWithNewSegments() {
        SpanSegments(here(), 1, {}).append(partOf(5, 2), 1, 1);
        SpanSegments(here(), 2, {}).append(partOf(5, 3), 1, 1);
        const auto steps = readSteps();
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[1].attempt, std::uint32_t{2});
        QCOMPARE(steps[1].spans.size(), std::size_t{3});
        QCOMPARE(segmentsIn(here()).size(), std::size_t{2});
    }

    void manyShortAttemptsKeepToTheBound() {
        for (std::uint32_t attempt = 1; attempt < 60; ++attempt) {
            SpanSegments segments(here(), attempt, {.bytes = 64'000, .keptBefore = 4});
            for (std::int64_t step = 0; step < 10; ++step) {
                segments.append(partOf(step, 9), 1, 1);
            }
            QVERIFY(segments.bytes() <= 68'000);
        }
        QCOMPARE(readSteps().back().attempt, std::uint32_t{59});
    }

    void whatDiedWhileMergingIsReadOnce() {
        {
            SpanSegments segments(here(), 1, {});
            segments.append(partOf(1, 2), 1, 1);
            segments.append(partOf(2, 2), 2, 1);
            segments.append(partOf(3, 2), 4, 1);
        }
        // The second segment as it is after a merge of the first two that was killed before it
        // could remove it.
        const std::string second = readFile(segmentPath(here(), 2), 1 << 20);
        SpanSegments merging(here(), 1, {.bytes = 1, .keptBefore = 10});
        merging.append(partOf(4, 2), 8, 1);
        merging.append(partOf(5, 2), 16, 1);
        QVERIFY(!fs::exists(segmentPath(here(), 2)));
        writeFileWhole(segmentPath(here(), 2), second);
        std::vector<std::int64_t> read;
        for (const RankStep& step : readSteps()) {
            read.push_back(step.step);
        }
        QVERIFY(read == (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
    }

    void anyFlippedBitGivesWhatIsWhole() {
        {
            SpanSegments segments(here(), 1, {});
            segments.append(partOf(1, 2), 1, 1);
            segments.append(partOf(2, 2), 1, 1);
        }
        const fs::path path = segmentPath(here(), 1);
        const std::string whole = readFile(path, 1 << 20);
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string flipped = whole;
            flipped[at] = static_cast<char>(flipped[at] ^ 16);
            QFile file(QString::fromStdString(path.string()));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(flipped.data(), static_cast<qint64>(flipped.size()));
            file.close();
            QVERIFY(readSteps().size() < 2);
        }
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    [[nodiscard]] std::vector<RankStep> readSteps() const {
        SpanReader reader(here());
        std::vector<RankStep> steps;
        while (reader.read(1000, steps)) {
        }
        return steps;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestSegments() { return std::make_unique<TestSegments>(); }
#include "tst_segments.moc"
