// SPDX-License-Identifier: Apache-2.0
// The whole way to a host that one isn't sitting at, by hand: added, looked at, planned for, run
// on; the line is lost and comes back; a layer is looked into, the run stopped, the trained network
// tried here. The host is this machine through an sshd of the test's own.
#include "history/history_view.h"
#include "panels/hosts/hosts_panel.h"
#include "shell/bars/run_strip.h"
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/own_sshd.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "tensors/tensors_view.h"
#include "tryit/answer_views.h"
#include "tryit/draw_pad.h"
#include <weft/runs.h>
#include <weft/session.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>

using namespace weft;
using namespace weft::test;

class TestRunningThere : public QObject {
    Q_OBJECT

    static constexpr int patience = 120'000;

    [[nodiscard]] QString there() const { return folder_->filePath("there"); }
    template <class Widget>
    static Widget* the(const QWidget& where, const char* name) {
        return where.findChild<Widget*>(QLatin1String(name));
    }
    static void press(const QWidget& where, const QString& text) {
        for (auto* button : where.findChildren<QAbstractButton*>()) {
            if (button->text() == text && button->isVisible() && button->isEnabled()) {
                QTest::mouseClick(button, Qt::LeftButton);
                QCoreApplication::processEvents();
                return;
            }
        }
        QFAIL(qPrintable("no button " + text));
    }
    static void type(const QWidget& where, const char* name, const QString& text) {
        auto* field = the<QLineEdit>(where, name);
        QVERIFY2(field != nullptr, name);
        QTest::mouseClick(field, Qt::LeftButton);
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
        QCoreApplication::processEvents();
    }
    static bool says(const QWidget& where, const QString& text) {
        const auto labels = where.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(text);
        });
    }
    static QWidget& panel(WindowStory& story, const char* name) {
        story.window().docks().reveal(QLatin1String(name));
        QCoreApplication::processEvents();
        return *story.window().docks().panel(QLatin1String(name));
    }
    /// Saves a picture of the window in both themes.
    static void both(WindowStory& story, const QString& name) {
        for (const auto& [choice, theme] :
             {std::pair{ui::Look::Choice::dark, "-dark"}, {ui::Look::Choice::light, "-light"}}) {
            story.look().choose(choice);
            story.picture(name + QLatin1String(theme));
            if (QWidget* asked = dialog()) {
                (void)savePicture(*asked, name + "-dialog" + QLatin1String(theme));
            }
        }
    }
    static QWidget* dialog() { return QApplication::activeModalWidget(); }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<OwnUser>();
        sshd_ = std::make_unique<OwnSshd>();
        if (!sshd_->fault().isEmpty()) {
            QSKIP(qPrintable(sshd_->fault()));
        }
    }
    void cleanup() {
        for (const std::filesystem::path& run : livingRuns(there().toStdString())) {
            tellRun(run, "stop");
            (void)QTest::qWaitFor([&] { return livingRuns(there().toStdString()).empty(); },
                                  patience);
        }
        sshd_.reset();
    }

    void fromAddingAHostToAskingWhatItTrained() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().document().edit("endless", [](Design& design) {
            design.training.epochs = 0;
            design.training.steps = 1'000'000;
            design.training.checkpointEvery = 1'000'000;
            design.data.attributes.set("count", std::int64_t{640});
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
        for (const auto step : {&TestRunningThere::addTheHost, &TestRunningThere::planForIt,
                                &TestRunningThere::runOnIt, &TestRunningThere::loseTheLine,
                                &TestRunningThere::lookIntoALayer, &TestRunningThere::stopAndTry}) {
            (this->*step)(story);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }

private:
    void addTheHost(WindowStory& story) {
        QWidget& hosts = panel(story, "hosts");
        press(hosts, QStringLiteral("Add host"));
        type(hosts, "name", QStringLiteral("far"));
        type(hosts, "via", sshd_->via());
        type(hosts, "folder", there());
        type(hosts, "program", QString::fromStdString(weftProgram().string()));
        press(hosts, QStringLiteral("Check"));
        QTRY_VERIFY_WITH_TIMEOUT(says(hosts, QStringLiteral("answers")), patience);
        both(story, QStringLiteral("there-1-host"));
    }

    void planForIt(WindowStory& story) {
        ui::WindowContext& context = story.window().context();
        QWidget& devices = panel(story, "devices");
        auto* places = devices.findChild<QComboBox*>();
        QTest::mouseClick(places, Qt::LeftButton);
        QTest::keyClick(places->view(), Qt::Key_Down);
        QTest::keyClick(places->view(), Qt::Key_Return);
        QTRY_COMPARE(context.predictionHostName(), QStringLiteral("far"));
        QVERIFY(story.waitForCheck());
        QVERIFY(context.predictionHost() != nullptr && context.predictionHost()->report != nullptr);
    }

    void runOnIt(WindowStory& story) {
        ui::WindowContext& context = story.window().context();
        press(story.window(), QStringLiteral("Run on far …"));
        QTRY_VERIFY(dialog() != nullptr);
        auto* run = the<QPushButton>(*dialog(), "run");
        QTRY_VERIFY_WITH_TIMEOUT(
            run->isEnabled() && says(*dialog(), QStringLiteral("per step on this host")), patience);
        both(story, QStringLiteral("there-2-plan"));
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.lastStep() > 3, patience);
        QVERIFY(context.hub.copy() && context.hub.copy()->host == "far");
        const auto* strip = story.window().findChild<ui::RunStrip*>();
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("on far")), qPrintable(strip->text()));
        QVERIFY(story.page().design().owns(context.hub));
        QTRY_COMPARE_WITH_TIMEOUT(listedDevices(story), QStringLiteral("far: cpu:0"), patience);
        static_cast<ui::HistoryView&>(panel(story, "history")).choose({context.hub.folder()});
        both(story, QStringLiteral("there-3-run"));
    }
    static QString listedDevices(WindowStory& story) {
        auto& history = static_cast<ui::HistoryView&>(panel(story, "history"));
        const ui::RunModel& model = history.model();
        return model.index(0, ui::RunModel::devices).data().toString();
    }

    void loseTheLine(WindowStory& story) {
        ui::RunHub& hub = story.window().context().hub;
        sshd_->stop();
        sshd_->cutLines();
        QTRY_COMPARE_WITH_TIMEOUT(hub.state(), RunState::unknown, patience);
        const auto* strip = story.window().findChild<ui::RunStrip*>();
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("nothing received since")),
                     qPrintable(strip->text()));
        both(story, QStringLiteral("there-4-lost"));
        const std::int64_t known = hub.lastStep();
        sshd_->start();
        QTRY_VERIFY_WITH_TIMEOUT(hub.isLiving() && hub.lastStep() > known, patience);
        // Not a step is missing.
        const std::vector<std::int64_t>& steps = hub.series().rows(Split::train).steps;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i], steps.front() + static_cast<std::int64_t>(i));
        }
    }

    void lookIntoALayer(WindowStory& story) {
        auto& tensors = static_cast<ui::TensorsView&>(panel(story, "tensors"));
        story.click(story.layerNamed("conv1"));
        press(tensors, QStringLiteral("Observe next step"));
        QTRY_VERIFY_WITH_TIMEOUT(
            !tensors.values().empty() && tensors.values().front().layer == "conv1", patience);
        QTRY_VERIFY_WITH_TIMEOUT(tensors.numbers().tensor() != nullptr, patience);
        both(story, QStringLiteral("there-5-layer"));
    }

    void stopAndTry(WindowStory& story) {
        ui::RunHub& hub = story.window().context().hub;
        press(story.window(), QStringLiteral("Stop"));
        QTRY_COMPARE_WITH_TIMEOUT(hub.state(), RunState::stopped, patience);
        QWidget& tryIt = panel(story, "try");
        auto* pad = tryIt.findChild<ui::DrawPad*>();
        QTRY_VERIFY_WITH_TIMEOUT(pad->isEnabled(), patience);
        const QPoint centre = pad->rect().center();
        QTest::mousePress(pad, Qt::LeftButton, {}, centre - QPoint(0, 40));
        QTest::mouseMove(pad, centre);
        QTest::mouseRelease(pad, Qt::LeftButton, {}, centre + QPoint(0, 40));
        const auto* answers = tryIt.findChild<ui::AnswerBars*>();
        QTRY_VERIFY_WITH_TIMEOUT(!answers->guesses().empty(), patience);
        both(story, QStringLiteral("there-6-asked"));
    }

    std::unique_ptr<OwnUser> folder_;
    std::unique_ptr<OwnSshd> sshd_;
};

std::unique_ptr<QObject> makeTestRunningThere() { return std::make_unique<TestRunningThere>(); }
#include "tst_running_there.moc"
