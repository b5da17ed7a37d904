// SPDX-License-Identifier: Apache-2.0
// Whole stories of designing: drawn and mended, spread and proved, handed on and run elsewhere, and
// the way of somebody who is new here.
#include "handover/handover_dialog.h"
#include "panels/assignment/choice_row.h"
#include "panels/problems/problems_panel.h"
#include "shell/bars/run_strip.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "tryit/try_view.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <algorithm>

using namespace weft;
using namespace weft::test;

class TestDesigning : public QObject {
    Q_OBJECT

    static constexpr int patience = 120'000; // milliseconds

    static const std::vector<Diagnostic>& problems(WindowStory& story) {
        return story.page().design().check().answer()->preview->problems;
    }

    /// By a double click on nothing, and the name typed into the search.
    static LayerId add(WindowStory& story, QPoint at, const QString& typed) {
        QTest::mouseDClick(&story.page().view(), Qt::LeftButton, {}, at);
        story.type(typed);
        story.key(Qt::Key_Return);
        return story.page().design().selection().current();
    }

    template <class Kind>
    static Kind& panel(WindowStory& story, const char* id) {
        story.window().docks().reveal(QLatin1String(id));
        QCoreApplication::processEvents();
        return static_cast<Kind&>(*story.window().docks().panel(QLatin1String(id)));
    }

    static QPushButton* buttonOf(const QWidget& within, const QString& text) {
        const auto all = within.findChildren<QPushButton*>();
        const auto found = std::ranges::find_if(all, [&](const QPushButton* button) {
            return button->text() == text && button->isVisible();
        });
        return found == all.end() ? nullptr : *found;
    }

    static void shorten(WindowStory& story, std::int64_t steps) {
        story.page().design().document().edit("steps", [steps](Design& design) {
            design.training.epochs = 0;
            design.training.steps = steps;
            design.data.attributes.set("count", std::int64_t{640});
            return Edited{};
        });
    }

private Q_SLOTS:
    void aNetworkIsDrawnAndMendedByItsFix() {
        WindowStory story;
        story.command("file.new");
        story.page().view().camera().zoomTo(1, {});
        const LayerId input = add(story, {300, 60}, QStringLiteral("input"));
        const LayerId convolution = add(story, {300, 180}, QStringLiteral("conv2d"));
        const LayerId dense = add(story, {300, 330}, QStringLiteral("fc"));
        QCOMPARE(story.design().network.layers.size(), std::size_t{3});
        // Sets the attributes as the fields of the inspector would.
        for (const auto& [layer, name, value] :
             {std::tuple{input, "shape", AttributeValue(Shape{1, 28, 28})},
              std::tuple{convolution, "filters", AttributeValue(std::int64_t{4})},
              std::tuple{convolution, "kernel", AttributeValue(std::int64_t{3})},
              std::tuple{dense, "units", AttributeValue(std::int64_t{10})}}) {
            story.page().design().document().edit("set", [&](Design& design) {
                return setAttribute(design, {}, layer, name, value);
            });
        }
        story.drag(story.port(input, false), story.port(convolution, true));
        story.drag(story.port(convolution, false), story.port(dense, true));
        QCOMPARE(story.design().network.wires.size(), std::size_t{2});
        QVERIFY(story.waitForCheck());
        const auto shapes = [&] {
            return std::ranges::find(problems(story), "E012", &Diagnostic::code);
        };
        QTRY_VERIFY(shapes() != problems(story).end());
        auto& shown = panel<ui::ProblemsPanel>(story, "problems");
        auto* list = shown.findChild<QTreeWidget*>();
        const QString fix = QString::fromStdString(shapes()->fix.text);
        QTRY_VERIFY(!list->findItems(fix, Qt::MatchExactly, 2).isEmpty());
        QTreeWidgetItem* item = list->findItems(fix, Qt::MatchExactly, 2).front();
        const QRect cell = list->visualItemRect(item);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          {list->columnViewportPosition(2) + 12, cell.center().y()});
        QCOMPARE(story.design().network.layers.size(), std::size_t{4});
        QTRY_VERIFY(shapes() == problems(story).end());
        story.command("edit.undo");
        QCOMPARE(story.design().network.layers.size(), std::size_t{3});
    }

    void aDoubleClickOnALayerShowsWhatIsInIt() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        auto& inspector = panel<QWidget>(story, "inspector");
        auto* dock = story.window().findChild<QDockWidget*>(QStringLiteral("inspector"));
        dock->close();
        QVERIFY(!inspector.isVisible());
        story.click(story.layerNamed("conv2"));
        QTest::mouseDClick(&story.page().view(), Qt::LeftButton, {},
                           story.centre(story.layerNamed("conv2")));
        QTRY_VERIFY(inspector.isVisible());
        QVERIFY(story.page().design().selection().current() == story.layerNamed("conv2"));
    }

    void otherWordsMoveOtherBytesAndProveTheSame() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().document().edit("devices", [](Design& design) {
            design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
            design.data.batch = 8;
            return Edited{};
        });
        const LayerId fc1 = story.layerNamed("fc1");
        story.page().view().setFocus();
        story.command("edit.select-all");
        story.command("parallel.data");
        QVERIFY(story.waitForCheck());
        const Bytes before = story.page().design().check().answer()->preview->sent;
        QVERIFY(before.count > 0);
        // One layer by its row in the panel.
        story.click(fc1);
        QCOMPARE(story.page().design().selection().current(), fc1);
        auto& shown = panel<QWidget>(story, "assignment");
        const auto rowOf = [&](const QString& title) -> ui::ChoiceRow* {
            for (auto* row : shown.findChildren<ui::ChoiceRow*>()) {
                if (row->isVisible() && row->choice().title == title) {
                    return row;
                }
            }
            return nullptr;
        };
        // Its price is there before it is taken, device by device; rows are made anew until then.
        const auto isPriced = [&] {
            const ui::ChoiceRow* const row = rowOf(QStringLiteral("model.stack"));
            return row != nullptr && row->price().step > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPriced(), 60'000);
        const ui::ChoicePrice price = rowOf(QStringLiteral("model.stack"))->price();
        QCOMPARE(price.devices.size(), std::size_t{2});
        QTest::mouseClick(rowOf(QStringLiteral("model.stack")), Qt::LeftButton);
        QVERIFY(story.waitForCheck());
        const auto known = story.page().design().check().answer();
        QVERIFY(known->preview->sent != before);
        // The row names what the device sends that sends most.
        double most = 0;
        for (const DevicePreview& device : known->preview->devices) {
            most = std::max(most, static_cast<double>(device.sent.count));
        }
        QCOMPARE(most, price.sent);
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.command("parallel.prove");
        QVERIFY(QTest::qWaitFor(
            [&] {
                return std::ranges::any_of(notices, [](const QList<QVariant>& notice) {
                    return notice[0].toString().startsWith(QStringLiteral("Proved"));
                });
            },
            patience));
    }

    void whatCannotBeHadNamesWhatCan() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().document().edit("devices", [](Design& design) {
            design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
        const LayerId fc1 = story.layerNamed("fc1");
        story.page().design().selection().select({fc1});
        auto& shown = panel<QWidget>(story, "assignment");
        const auto repair = [&] {
            return shown.findChild<QPushButton*>(QStringLiteral("instead of space.rows"));
        };
        QTRY_VERIFY(repair() != nullptr);
        QTest::mouseClick(repair(), Qt::LeftButton);
        QCOMPARE(findLayer(story.design().network, fc1)->assignment->words,
                 std::vector{AxisWord::data});
    }

    void anExportRunsElsewhere() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        shorten(story, 4);
        story.page().view().setFocus();
        story.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        auto* dialog = story.window().findChild<ui::HandoverDialog*>();
        QVERIFY(dialog != nullptr);
        QString folder = story.folder() + "/elsewhere";
        dialog->setPathChooser([folder](const QString&, bool) { return folder; });
        QPushButton* save = buttonOf(*dialog, QStringLiteral("Save folder"));
        QVERIFY(save != nullptr);
        QTest::mouseClick(save, Qt::LeftButton);
        QVERIFY(QFileInfo(folder + "/run.sh").isExecutable());
        dialog->close();
        QProcess process;
        process.setWorkingDirectory(folder);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral("./run.sh"), {});
        QVERIFY(process.waitForFinished(patience));
        const QByteArray words = process.readAll();
        QVERIFY2(process.exitCode() == 0, words.constData());
        QVERIFY2(words.contains("loss"), words.constData());
    }

    void somebodyNewGetsToAnAnswer() {
        WindowStory story;
        QTRY_VERIFY(story.window().context().machine() != nullptr);
        QThreadPool::globalInstance()->waitForDone();
        story.picture(QStringLiteral("new-1-start"));
        auto* card =
            story.window().findChild<QAbstractButton*>(QStringLiteral("sample/quickstart-digits"));
        QVERIFY(card != nullptr);
        QTest::mouseClick(card, Qt::LeftButton);
        QVERIFY(story.window().page() != nullptr);
        QVERIFY(story.waitForCheck());
        shorten(story, 200);
        story.page().design().document().edit("devices", [](Design& design) {
            design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
            return Edited{};
        });
        story.page().view().setFocus();
        story.command("edit.select-all");
        story.command("parallel.data");
        story.page().design().selection().select({story.layerNamed("fc1")});
        story.command("parallel.model.stack");
        QVERIFY(story.waitForCheck());
        QVERIFY(story.waitForAnswers());
        const auto& spread = panel<QWidget>(story, "assignment");
        QTRY_VERIFY(std::ranges::all_of(spread.findChildren<ui::ChoiceRow*>(), [](const auto* row) {
            // The run's memory, which is known last.
            return !row->isVisible() || row->price().memory > 0;
        }));
        story.picture(QStringLiteral("new-2-spread"));
        story.key(Qt::Key_Return, Qt::ControlModifier);
        ui::RunHub& hub = story.window().context().hub;
        QVERIFY(QTest::qWaitFor([&] { return hub.isOpen() && hub.lastStep() > 20; }, patience));
        QVERIFY(story.window().docks().workspace() == ui::Workspace::run);
        QVERIFY(QTest::qWaitFor([&] { return !hub.isLiving(); }, patience));
        QVERIFY2(hub.failureText().isEmpty(), qPrintable(hub.failureText()));
        QVERIFY(QTest::qWaitFor([&] { return !hub.checkpoints().empty(); }, patience));
        QTRY_VERIFY(story.window().strip().text().contains("done"));
        const auto& nodes = story.page().view().live().nodes();
        QTRY_VERIFY(
            std::ranges::any_of(nodes, [](const auto& each) { return each.second.measured > 0; }));
        story.picture(QStringLiteral("new-3-run"));
        auto& asked = panel<ui::TryView>(story, "try");
        const QPoint middle = asked.pad().rect().center();
        QTest::mousePress(&asked.pad(), Qt::LeftButton, {}, middle - QPoint(0, 70));
        for (int y = -60; y <= 70; y += 10) {
            QTest::mouseMove(&asked.pad(), middle + QPoint(0, y));
        }
        QTest::mouseRelease(&asked.pad(), Qt::LeftButton, {}, middle + QPoint(0, 70));
        QVERIFY(QTest::qWaitFor([&] { return !asked.answers().guesses().empty(); }, patience));
        story.picture(QStringLiteral("new-4-asked"));
    }
};

std::unique_ptr<QObject> makeTestDesigning() { return std::make_unique<TestDesigning>(); }

#include "tst_designing.moc"
