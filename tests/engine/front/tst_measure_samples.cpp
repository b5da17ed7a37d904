// SPDX-License-Identifier: Apache-2.0
#include "engine/data/raises.h"
#include <weft/data_edits.h>
#include <weft/samples.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>

namespace weft {

class TestMeasureSamples : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] SampleRequest tableOf(const std::string& rows) const {
        test::writeBytes(folder_.filePath("table.csv").toStdString(), rows);
        SampleRequest request{.folder = folder_.path().toStdString()};
        request.data.source = "csv";
        request.data.attributes = {{"file", std::string("table.csv")},
                                   {"targets", std::string("1")}};
        return request;
    }

private Q_SLOTS:
    void countsEveryExampleOnce() {
        // Each of 49 rows is a class of its own; 49 * (1.0 / 49) is below 1.
        std::string rows;
        for (int row = 0; row < 49; ++row) {
            rows += std::to_string(row) + "," + std::to_string(row) + "\n";
        }
        const SampleFigures all = measureSamples(tableOf(rows), 1000);
        QCOMPARE(all.examples, std::int64_t{49});
        QCOMPARE(all.perClass, std::vector<std::int64_t>(49, 1));
        QCOMPARE(all.fields.front().mean, std::vector<double>{24});
        QCOMPARE(all.fields.front().most, 48.0);
        // Values of some examples are read from rows that are equally far apart.
        const SampleFigures some = measureSamples(tableOf(rows), 7);
        QCOMPARE(some.fields.front().mean, std::vector<double>{21});
        QCOMPARE(some.perClass, std::vector<std::int64_t>(49, 1));
    }

    void measuresWhatMeanAndStdOfTheSourceDoNotChange() {
        SampleRequest request = tableOf("1,0\n3,1\n");
        const SampleFigures before = measureSamples(request, 10);
        Design design;
        design.data = request.data;
        QVERIFY(setSourceAttributes(design, normalisationBy(before, design.data)).isDone());
        QCOMPARE(design.data.attributes.reals("mean"), std::vector<double>{2});
        QCOMPARE(design.data.attributes.reals("std"), std::vector<double>{1});
        request.data = design.data;
        QCOMPARE(measureSamples(request, 10).fields.front().mean, before.fields.front().mean);
        QCOMPARE(readSamples(request, SampleSet::training, 0, 2).fields[0].numbers,
                 (std::vector<float>{-1, 1}));
    }

    void refusesToNormaliseWhereTheSourceCannot() {
        DataSettings random;
        random.source = "random";
        const SampleFigures figures = measureSamples({.data = random}, 10);
        QVERIFY(!figures.fields.empty());
        QCOMPARE(test::errorOf([&] { (void)normalisationBy(figures, random); })->code(),
                 ErrorCode::design);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestMeasureSamples() {
    return std::make_unique<weft::TestMeasureSamples>();
}
#include "tst_measure_samples.moc"
