// SPDX-License-Identifier: Apache-2.0
// The monitor of a real run folder, under real mouse, wheel and key events.
#include "curves.h"
#include "monitor/plot_axes.h"
#include "monitor/plot_marks.h"
#include "monitor/run_overlay.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include "ui/runs/run_writer.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QIODevice>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace weft;
using namespace weft::ui;

class TestMonitorView : public QObject {
    Q_OBJECT

    struct Scene {
        QTemporaryDir folder;
        test::RunWriter writer{(folder.path() + "/run").toStdString()};
        Look& look;
        RunHub hub;
        MonitorView view{look, hub};
        std::int64_t last = 0;

        Scene(Look& worn, std::int64_t steps) : look(worn) {
            view.resize(1100, 560);
            view.show();
            write(steps);
            hub.open(folder.path() + "/run");
            wait();
        }
        void write(std::int64_t steps) {
            std::mt19937 random(5);
            std::normal_distribution<double> noise(0, 0.05);
            for (std::int64_t i = 0; i < steps; ++i) {
                const auto at = static_cast<double>(++last);
                const double loss = 2 + 5 * std::exp(-at / 400) + noise(random);
                writer.step(last,
                            {{"loss", loss},
                             {"accuracy", 0.9 - 0.8 * std::exp(-at / 500) + noise(random) / 4},
                             {"learning_rate", at < 1000 ? 0.02 : 0.002},
                             {"gradient_norm", 1 + std::abs(noise(random))},
                             {"throughput", 10'600 + 1000 * noise(random)}},
                            at * 0.01);
                if (last % 100 == 0) {
                    writer.evaluate(last, {{"loss", loss + 0.1 * std::sin(at)},
                                           {"accuracy", 0.88 - 0.8 * std::exp(-at / 500)}});
                }
            }
            writer.flush();
        }
        void wait() {
            QTRY_VERIFY_WITH_TIMEOUT(hub.lastStep() == last, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(
                hub.series().find("loss", Split::evaluate) != nullptr || last < 100, 60'000);
            hub.beat();
        }
        [[nodiscard]] Plot& plot(const QString& title) const {
            for (Plot* one : view.plots()) {
                if (one->title() == title) {
                    return *one;
                }
            }
            qFatal("no plot %s", qPrintable(title));
        }
        static QPoint middle(const Plot& plot) { return curveArea(plot.size()).center(); }
        static void wheel(Plot& plot, QPoint at, int clicks, Qt::KeyboardModifiers keys = {}) {
            const QWidget* window = plot.window();
            QWheelEvent event(plot.mapTo(window, at), plot.mapToGlobal(at), {}, {0, 120 * clicks},
                              Qt::NoButton, keys, Qt::NoScrollPhase, false);
            QApplication::sendEvent(window->windowHandle(), &event);
        }
    };

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void zeroThroughoutHasAScaleThatCanBeRead() {
        SeriesStore store;
        test::fill(store, "accuracy", Split::train, 5, [](std::size_t) { return 0.0; });
        PlotLink link;
        Plot plot(look_, link, "Accuracy");
        plot.setCurves({{.series = store.find("accuracy", Split::train), .name = "accuracy"}}, {});
        QVERIFY(plot.picture().y.contains(0) && plot.picture().y.length() > 0.9);
    }

    /// Where the ends of curves stand nothing else does, however narrow the plot.
    void flagsKeepOffTheEndsOfCurves_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("at");
        for (const int width : {170, 240, 420}) {
            for (const double at : {0.1, 0.5, 0.97}) {
                QTest::addRow("%d wide, at %g", width, at) << width << at;
            }
        }
    }
    void flagsKeepOffTheEndsOfCurves() {
        QFETCH(const int, width);
        QFETCH(const double, at);
        const QSize size(width, 160);
        PlotPicture picture;
        picture.x = {0, 1};
        picture.y = {0, 1};
        picture.flags = {{at, QStringLiteral("checkpoint 12 000"), QStringLiteral("actions/flag")}};
        QImage image(size, QImage::Format_RGB32);
        image.fill(look_.theme().surface.dock);
        const QImage empty = image;
        QPainter painter(&image);
        drawFlags(painter, size, picture, look_.theme());
        painter.end();
        QVERIFY(image != empty);
        const QRect beside(curveArea(size).right() + 1, 0, width, size.height());
        QCOMPARE(image.copy(beside), empty.copy(beside));
    }

    void trainingAndValidationShareAPlot() {
        Scene scene(look_, 300);
        QCOMPARE(scene.plot("Loss").curves().size(), std::size_t{2});
        QCOMPARE(scene.view.plots().front()->title(), QString("Loss"));
        QCOMPARE(scene.plot("Throughput").curves().size(), std::size_t{1});
        QVERIFY(scene.view.plots().size() >= 6);
        QVERIFY(scene.plot("Loss").picture().curves[1].isBestMarked);
    }

    void newDataNeverMovesAChosenView() {
        Scene scene(look_, 300);
        Plot& plot = scene.plot("Loss");
        QVERIFY(scene.view.link().isFollowing());
        Scene::wheel(plot, Scene::middle(plot), 3);
        QVERIFY(!scene.view.link().isFollowing());
        const Range x = scene.view.link().x();
        const Range y = plot.picture().y;
        scene.write(200);
        scene.wait();
        QVERIFY(scene.view.link().x() == x);
        QVERIFY(plot.picture().y == y);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, Scene::middle(plot));
        QVERIFY(scene.view.link().isFollowing());
        QCOMPARE(scene.view.link().x().most, 500.0);
        scene.write(100);
        scene.wait();
        QCOMPARE(scene.view.link().x().most, 600.0);
    }

    void zoomAndCrosshairAreSharedByAllPlots() {
        Scene scene(look_, 300);
        Plot& plot = scene.plot("Loss");
        const QRect area = curveArea(plot.size());
        const QPoint from(area.left() + area.width() / 4, area.top() + 20);
        const QPoint to(area.left() + area.width() / 2, area.top() + 22);
        QTest::mousePress(&plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(&plot, (from + to) / 2);
        QTest::mouseMove(&plot, to);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
        const Range x = scene.view.link().x();
        QVERIFY(std::abs(x.least - 75.75) < 2 && std::abs(x.most - 150.5) < 2);
        for (const Plot* one : scene.view.plots()) {
            QVERIFY(one->picture().x == x);
        }
        QTest::mouseMove(&plot, area.center());
        QVERIFY(scene.view.link().crosshair().has_value());
        QVERIFY(std::abs(*scene.view.link().crosshair() - (x.least + x.most) / 2) < 1);
    }

    void theWheelZoomsAtThePointer() {
        Scene scene(look_, 300);
        Plot& plot = scene.plot("Loss");
        const QRect area = curveArea(plot.size());
        const Axis before(scene.view.link().x(), area.width());
        const double under = before.toValue(area.width() / 3.0);
        Scene::wheel(plot, {area.left() + area.width() / 3, area.center().y()}, 2);
        const Axis after(scene.view.link().x(), area.width());
        QVERIFY(std::abs(after.toPixel(under) - area.width() / 3.0) < 1);
        const Range y = plot.picture().y;
        Scene::wheel(plot, Scene::middle(plot), 2, Qt::ControlModifier);
        QVERIFY(plot.picture().y.length() < y.length());
    }

    void keysDoWhatTheMouseDoes() {
        Scene scene(look_, 300);
        Plot& plot = scene.plot("Loss");
        const Range all = scene.view.link().x();
        QTest::keyClick(&plot, Qt::Key_W);
        QVERIFY(scene.view.link().x().length() < all.length());
        const Range zoomed = scene.view.link().x();
        QTest::keyClick(&plot, Qt::Key_Right);
        QVERIFY(scene.view.link().x().least > zoomed.least);
        QTest::keyClick(&plot, Qt::Key_F);
        QVERIFY(scene.view.link().x() == all);
        QTest::keyClick(&plot, Qt::Key_L);
        QVERIFY(plot.isLogY());
    }

    void alongEpochAndTimeToo() {
        Scene scene(look_, 300);
        auto* along = scene.view.findChild<QComboBox*>();
        along->setCurrentIndex(1);
        QVERIFY(std::abs(scene.view.link().x().most - 3) < 1e-6);
        along->setCurrentIndex(2);
        QVERIFY(scene.view.link().x().most > 0);
        QCOMPARE(scene.plot("Loss").picture().along, XAxis::time);
    }

    void smoothingStandsBeforeWhatWasMeasured() {
        Scene scene(look_, 300);
        auto* slider = scene.view.findChild<QSlider*>();
        slider->setValue(0);
        QVERIFY(scene.plot("Loss").picture().curves[0].smoothed == nullptr);
        slider->setValue(90);
        QVERIFY(scene.plot("Loss").picture().curves[0].smoothed != nullptr);
    }

    void anotherRunBeginsAnew() {
        Scene scene(look_, 300);
        test::RunWriter other((scene.folder.path() + "/other").toStdString());
        other.step(1, {{"perplexity", 9}});
        other.flush();
        scene.hub.open(scene.folder.path() + "/other");
        QVERIFY(scene.view.plots().empty());
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.plots().empty(), 60'000);
        QCOMPARE(scene.view.plots().front()->title(), QString("Perplexity"));
        QTest::qWait(0);
        scene.view.grab();
    }

    void theSameNumberIsShownOnce() {
        Scene scene(look_, 10);
        test::RunWriter other((scene.folder.path() + "/other").toStdString());
        other.equate("code.energy", "energy");
        other.step(1, {{"energy", 3}, {"code.energy", 3}, {"code.activity", 0.5}});
        other.flush();
        const auto titles = [&] {
            QStringList all;
            for (const Plot* plot : scene.view.plots()) {
                all << plot->title();
            }
            return all;
        };
        scene.hub.open(scene.folder.path() + "/other");
        QTRY_VERIFY_WITH_TIMEOUT(scene.hub.lastStep() == 1, 60'000);
        QVERIFY(titles().contains("Energy") && titles().contains("Code.activity"));
        QVERIFY2(!titles().contains("Code.energy"), qPrintable(titles().join(' ')));
        // Beside a run in which it is another number, it is shown.
        test::RunWriter third((scene.folder.path() + "/third").toStdString());
        third.step(1, {{"energy", 5}, {"code.energy", 3}});
        third.flush();
        RunHub hub;
        hub.open(scene.folder.path() + "/third");
        QTRY_VERIFY_WITH_TIMEOUT(hub.lastStep() == 1, 60'000);
        scene.view.overlay({{"other", &scene.hub, 0}, {"third", &hub, 1}});
        QVERIFY2(titles().contains("Code.energy"), qPrintable(titles().join(' ')));
        scene.view.overlay({});
    }

    /// A plot that was zoomed is told to follow again when its run is let go of.
    void zoomedPlotsLetGoOfARunThatIsClosed_data() {
        QTest::addColumn<bool>("isOtherOpened");
        QTest::newRow("closed") << false;
        QTest::newRow("another is opened") << true;
    }
    void zoomedPlotsLetGoOfARunThatIsClosed() {
        QFETCH(const bool, isOtherOpened);
        Scene scene(look_, 300);
        test::RunWriter other((scene.folder.path() + "/other").toStdString());
        other.step(1, {{"loss", 9}});
        other.flush();
        Scene::wheel(scene.plot("Loss"), Scene::middle(scene.plot("Loss")), 3);
        QVERIFY(!scene.view.link().isFollowing());
        if (isOtherOpened) {
            scene.hub.open(scene.folder.path() + "/other");
            QTRY_COMPARE_WITH_TIMEOUT(scene.hub.lastStep(), std::int64_t{1}, 60'000);
            QCOMPARE(scene.plot("Loss").curves().front().series->size(), std::size_t{1});
        } else {
            scene.hub.close();
            QVERIFY(scene.view.plots().empty());
        }
        QVERIFY(scene.view.link().isFollowing());
        scene.view.grab();
    }

    /// Whatever is done to it meanwhile, and in whichever order others hear of it.
    void aPlotOutlivesTheRunThatItShows() {
        auto store = std::make_unique<SeriesStore>();
        test::fill(*store, "loss", Split::train, 500,
                   [](std::size_t i) { return 1.0 + double(i); });
        PlotLink link;
        link.setDataRange({0, 499});
        Plot plot(look_, link, "Loss");
        plot.resize(400, 240);
        plot.setCurves({{.series = store->find("loss", Split::train), .isSmoothed = true}}, {});
        store->clear();
        test::fill(*store, "loss", Split::train, 3, [](std::size_t) { return 7.0; });
        link.show({10, 20});
        QCOMPARE(plot.curves().front().series->size(), std::size_t{500});
        store.reset();
        link.follow();
        QVERIFY(plot.picture().y.contains(250));
        link.setSmoothing(0.9);
        link.setAlong(XAxis::time);
        plot.grow();
        QVERIFY(!plot.grab().isNull());
    }

    /// As while the last of a comparison is taken away.
    void curvesOfARunThatIsGoneAreLeftOut() {
        Scene scene(look_, 300);
        auto other = std::make_unique<RunHub>();
        other->open(scene.folder.path() + "/run");
        QTRY_VERIFY_WITH_TIMEOUT(other->lastStep() == scene.last, 60'000);
        scene.view.overlay({{"one", &scene.hub, 0}, {"two", other.get(), 1}});
        QCOMPARE(scene.plot("Loss").curves().size(), std::size_t{4});
        other.reset();
        Scene::wheel(scene.plot("Loss"), Scene::middle(scene.plot("Loss")), 2);
        scene.view.grab();
        scene.view.refresh();
        QCOMPARE(scene.plot("Loss").curves().size(), std::size_t{2});
    }

    void runsAreLaidOverEachOther() {
        Scene scene(look_, 300);
        test::RunWriter other((scene.folder.path() + "/other").toStdString());
        for (int step = 1; step < 200; ++step) {
            other.step(step, {{"loss", 5}});
        }
        other.flush();
        const QString first = scene.folder.path() + "/run";
        RunOverlay overlay(scene.view);
        overlay.show({first, scene.folder.path() + "/other"});
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.plots().empty() &&
                                     scene.view.plots().front()->curves().size() == 3,
                                 60'000);
        (void)test::savePicture(scene.view, QStringLiteral("monitor-overlay"));
        overlay.show({});
        QCOMPARE(scene.plot("Loss").curves().size(), std::size_t{2});
    }

    /// A colour means one run, in whichever order and beside whichever others it is shown.
    void runsKeepTheirColours() {
        Scene scene(look_, 300);
        for (const char* name : {"/a", "/b"}) {
            test::RunWriter other((scene.folder.path() + name).toStdString());
            other.step(1, {{"loss", 5}});
        }
        const QString folder = scene.folder.path();
        RunOverlay overlay(scene.view);
        std::map<QString, int> seen;
        for (const QStringList& names :
             {QStringList{"/run", "/b"}, {"/b", "/run"}, {"/a", "/b"}, {"/run", "/a", "/b"}}) {
            QStringList folders;
            for (const QString& name : names) {
                folders << folder + name;
            }
            overlay.show(folders);
            const auto isWhole = [&] {
                return !scene.view.plots().empty() &&
                       std::ranges::count_if(scene.plot("Loss").curves(), [](const auto& curve) {
                           return curve.series->split() == Split::train;
                       }) == names.size();
            };
            QTRY_VERIFY_WITH_TIMEOUT(isWhole(), 60'000);
            std::set<int> here;
            for (const PlotCurve& curve : scene.plot("Loss").curves()) {
                if (curve.series->split() == Split::train) {
                    const auto known = seen.try_emplace(curve.name, curve.runColour).first;
                    QCOMPARE(curve.runColour, known->second);
                    QVERIFY(here.insert(curve.runColour).second);
                }
            }
        }
    }

    /// An axis of shares counts in per cent, as the values beside its curves do.
    void accuracyIsCountedInPerCent() {
        SeriesStore store;
        test::fill(store, "accuracy", Split::train, 50,
                   [](std::size_t i) { return 0.095 + 0.0003 * double(i); });
        PlotLink link;
        link.setDataRange({0, 49});
        Plot plot(look_, link, "Accuracy");
        plot.resize(420, 260);
        plot.setCurves({{.series = store.find("accuracy", Split::train), .name = "accuracy"}}, {});
        const std::vector<Tick> ticks = valueTicksOf(plot.picture(), 6);
        QVERIFY(ticks.size() >= 3);
        QStringList texts;
        for (const Tick& tick : ticks) {
            QVERIFY2(tick.text.endsWith('%'), qPrintable(tick.text));
            QVERIFY2(!texts.contains(tick.text), qPrintable(tick.text));
            texts << tick.text;
            QCOMPARE(qRound(tick.text.chopped(2).toDouble() * 10), qRound(tick.value * 1000));
        }
    }

    /// Curves of any size are drawn within the plot, and its labels within their room.
    void anyNumbersAreDrawnRight_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("step");
        QTest::addColumn<int>("count");
        QTest::newRow("constant") << 3.0 << 0.0 << 40;
        QTest::newRow("constant and tiny") << 1e-12 << 0.0 << 40;
        QTest::newRow("one point") << 2.5 << 0.0 << 1;
        QTest::newRow("tiny") << 1e-12 << 1e-13 << 40;
        QTest::newRow("large") << 1e15 << 1e13 << 40;
        QTest::newRow("no number") << std::nan("") << 0.0 << 40;
        QTest::newRow("negative") << -4.0 << 0.1 << 40;
    }
    void anyNumbersAreDrawnRight() {
        QFETCH(const double, from);
        QFETCH(const double, step);
        QFETCH(const int, count);
        SeriesStore store;
        test::fill(store, "loss", Split::train, static_cast<std::size_t>(count),
                   [&](std::size_t i) { return from + step * double(i); });
        PlotLink link;
        link.setDataRange({0, count - 1.0});
        Plot plot(look_, link, "Loss");
        plot.resize(420, 260);
        plot.setCurves({{.series = store.find("loss", Split::train), .name = "loss"}}, {});
        for (const bool isLog : {false, true}) {
            plot.setLogY(isLog);
            const PlotPicture& picture = plot.picture();
            QVERIFY(picture.y.length() > 0 && std::isfinite(picture.y.length()));
            if (std::isfinite(from) && (!isLog || from > 0)) {
                QVERIFY(picture.y.contains(from) && picture.y.contains(from + step * (count - 1)));
            }
            for (const Tick& tick : valueTicksOf(picture, 6)) {
                QVERIFY2(tick.text.size() <= 10, qPrintable(tick.text));
            }
            (void)test::savePicture(plot, QStringLiteral("plot-%1%2")
                                              .arg(QTest::currentDataTag(), isLog ? "-log" : "")
                                              .replace(' ', '-'));
        }
    }

    void filesHoldWhatIsSeen() {
        Scene scene(look_, 300);
        const QString base = scene.folder.path() + "/curves.";
        for (const char* ending : {"png", "svg", "csv"}) {
            scene.view.exportTo(base + ending);
        }
        QCOMPARE(QImage(base + "png").width(),
                 2 * scene.view.plots().front()->parentWidget()->width());
        QFile svg(base + "svg");
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("<path"));
        QFile csv(base + "csv");
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = csv.readAll().split('\n');
        QCOMPARE(lines.size(), 302);
        QVERIFY(lines[0].startsWith("step,epoch,seconds,\"Loss train\""));
        QVERIFY(lines[1].startsWith("1,"));
        QVERIFY_THROWS_EXCEPTION(Error, scene.view.exportTo(base + "doc"));
        QVERIFY_THROWS_EXCEPTION(Error, scene.view.exportTo("/none/a.png"));
    }

    void picturesOfBothThemes() {
        Scene scene(look_, 1600);
        Plot& plot = scene.plot("Loss");
        QTest::mouseMove(&plot, Scene::middle(plot));
        test::saveBothThemes(look_, scene.view, QStringLiteral("monitor"));
    }

    void fallsOfTheRateAndCheckpointsAreFlagged() {
        Scene scene(look_, 1200);
        scene.writer.checkpoint(600, "checkpoints/step-600");
        scene.writer.flush();
        const auto flags = [&](const char* title) {
            for (const Plot* plot : scene.view.plots()) {
                if (plot->title() == QLatin1String(title)) {
                    return plot->picture().flags;
                }
            }
            return std::vector<PlotFlag>();
        };
        QTRY_COMPARE(flags("Loss").size(), std::size_t{2});
        QCOMPARE(flags("Loss")[0].x, 600.0);
        QCOMPARE(flags("Loss")[1].x, 1000.0);
        QVERIFY(flags("Loss")[1].text.contains("0.002"));
        // The rate's own plot shows its fall anyway.
        QVERIFY(flags("Learning rate").empty());
        QCOMPARE(flags("Throughput").size(), std::size_t{1});
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestMonitorView() { return std::make_unique<TestMonitorView>(); }
#include "tst_monitor_view.moc"
