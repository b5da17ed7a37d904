// SPDX-License-Identifier: Apache-2.0
#include "panels/data/data_panel.h"
#include "panels/data/sample_strip.h"
#include "support/test_main.h"
#include <weft/catalogue.h>

#include <QApplication>
#include <QCoreApplication>
#include <QFile>
#include <QIODevice>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace weft;
using namespace weft::ui;

class TestDataPanel : public QObject {
    Q_OBJECT

    struct Scene {
        Bench bench;
        DataPanel panel;
        explicit Scene(Look& look)
            : bench(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              panel(bench) {
            bench.designs.setCurrent(
                &bench.designs.add(std::make_unique<OpenDesign>(bench.kinds, bench.planner)));
            panel.resize(340, 600);
            panel.show();
        }
        void setData(const DataSettings& data) const {
            bench.designs.current()->document().edit("data", [&](Design& design) {
                design.data = data;
                return Edited{};
            });
        }
        [[nodiscard]] const SampleStrip& strip() const { return *panel.findChild<SampleStrip*>(); }
        [[nodiscard]] QString words() const {
            QStringList words;
            for (const auto* label : panel.findChildren<QLabel*>()) {
                words << (label->isVisible() ? label->text() : QString());
            }
            return words.join('\n');
        }
    };

private Q_SLOTS:
    void initTestCase() { look_.dress(*qApp); }

    void eightExamplesAreShownWithTheirLabels() {
        Scene scene(look_);
        scene.setData({.source = "digits", .attributes = {{"count", std::int64_t{40}}}});
        QTRY_COMPARE(scene.strip().samples().size(), std::size_t{SampleStrip::most});
        for (const ShownSample& sample : scene.strip().samples()) {
            QCOMPARE(sample.picture.size(), QSize(28, 28));
            QVERIFY(sample.label.toInt() >= 0 && !sample.label.isEmpty());
        }
        QVERIFY(scene.strip().height() > 28);
        QVERIFY2(scene.words().contains(QStringLiteral("40 examples for training")),
                 qPrintable(scene.words()));
        QVERIFY(scene.words().contains(QStringLiteral("images 1×28×28")));
    }

    void aTextIsShownInLines() {
        const QTemporaryDir folder;
        QFile text(folder.filePath("text.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray("to be or not to be, that is the question\n").repeated(20));
        text.close();
        Scene scene(look_);
        scene.setData(
            {.source = "text",
             .attributes = {{"file", text.fileName().toStdString()}, {"length", std::int64_t{8}}}});
        QTRY_COMPARE(scene.strip().samples().size(), std::size_t{SampleStrip::most});
        QCOMPARE(scene.strip().samples().front().text, QStringLiteral("to be or"));
    }

    void whatCannotBeReadIsSaid() {
        Scene scene(look_);
        scene.setData({.source = "digits", .attributes = {{"count", std::int64_t{40}}}});
        QTRY_VERIFY(!scene.strip().samples().empty());
        scene.setData({.source = "text", .attributes = {{"file", std::string("/no/such.txt")}}});
        QTRY_VERIFY(scene.strip().samples().empty());
        QVERIFY2(scene.words().contains(QStringLiteral("/no/such.txt")), qPrintable(scene.words()));
    }

    void anotherBatchReadsNothingAnew() {
        Scene scene(look_);
        DataSettings data{.source = "digits", .attributes = {{"count", std::int64_t{40}}}};
        scene.setData(data);
        QTRY_VERIFY(!scene.strip().samples().empty());
        const qint64 picture = scene.strip().samples().front().picture.cacheKey();
        data.batch = 7;
        scene.setData(data);
        QTest::qWait(2 * tokens().sizes.duration.slow);
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(scene.strip().samples().front().picture.cacheKey(), picture);
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestDataPanel() { return std::make_unique<TestDataPanel>(); }

#include "tst_data_panel.moc"
