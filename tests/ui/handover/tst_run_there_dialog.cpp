// SPDX-License-Identifier: Apache-2.0
// Before a run on another host, which is this machine through a shell.
#include "handover/run_there_dialog.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>
#include <QTreeWidget>

using namespace weft;
using namespace weft::ui;

class TestRunThereDialog : public QObject {
    Q_OBJECT

    static constexpr int patience = 60'000;

    static LaunchRequest orderOf(const char* project) {
        const std::filesystem::path folder = test::sourceFolder() / "projects" / project;
        LaunchRequest order;
        order.design = loadDesign(folder / "design.weft", catalogue()).design;
        order.name = QString::fromUtf8(project);
        order.dataFolder = QString::fromStdString(folder.string());
        return order;
    }
    void addHost(const char* name, const std::function<void(Host&)>& set = {}) const {
        Host host{.name = name,
                  .via = "sh -c",
                  .folder = folder_->filePath("there").toStdString(),
                  .program = test::weftProgram().string()};
        if (set) {
            set(host);
        }
        keepHost(host);
    }
    std::unique_ptr<RunThereDialog> dialogFor(LaunchRequest order, const QString& host = {}) {
        auto dialog = std::make_unique<RunThereDialog>(look_, previewQueue_, *control_,
                                                       std::move(order), host, nullptr);
        dialog->show();
        return dialog;
    }
    template <class Widget>
    static Widget* part(const std::unique_ptr<RunThereDialog>& dialog, const char* name) {
        return dialog->findChild<Widget*>(QString::fromUtf8(name));
    }

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        look_.applyLook(*qApp);
    }
    void init() {
        folder_ = std::make_unique<test::OwnUser>();
        QSettings().clear();
        control_ = std::make_unique<RunControl>();
    }
    void cleanup() { control_.reset(); }

    void withoutAHostNothingRuns() {
        const auto dialog = dialogFor(orderOf("quickstart-digits"));
        QVERIFY(!part<QPushButton>(dialog, "run")->isEnabled());
        QVERIFY2(dialog->fault().contains("No host is known"), qPrintable(dialog->fault()));
    }

    void aRunIsPlannedForWhatTheHostHas() {
        addHost("near");
        const auto dialog = dialogFor(orderOf("quickstart-digits"));
        auto* run = part<QPushButton>(dialog, "run");
        QTRY_VERIFY2_WITH_TIMEOUT(run->isEnabled(), qPrintable(dialog->fault()), patience);
        QTRY_VERIFY_WITH_TIMEOUT(
            part<QLabel>(dialog, "predicted")->text().contains("per step on this host"), patience);
        QCOMPARE(run->text(), QString("Run on near"));
        const auto* devices = dialog->findChild<QTreeWidget*>();
        QCOMPARE(devices->topLevelItem(0)->text(0), QString("cpu:0"));
        QVERIFY(!devices->topLevelItem(0)->text(1).isEmpty());
        QVERIFY(part<QLabel>(dialog, "state")->text().contains("answers within"));
        QSignalSpy wanted(dialog.get(), &RunThereDialog::runWanted);
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(dialog->launchRequest().host, QString("near"));
        QCOMPARE(dialog->launchRequest().way, RunWay::host);
    }

    void aHostThatCannotBeReachedSaysWhy() {
        addHost("near", [](Host& host) { host.program = "/no/such/weft"; });
        const auto dialog = dialogFor(orderOf("quickstart-digits"));
        const auto* state = part<QLabel>(dialog, "state");
        QTRY_VERIFY2_WITH_TIMEOUT(state->text().contains("/no/such/weft"),
                                  qPrintable(state->text()), patience);
        QVERIFY(!part<QPushButton>(dialog, "run")->isEnabled());
    }

    void dataIsSentOrNamedThere() {
        addHost("near");
        LaunchRequest order = orderOf("tiny-gpt");
        order.dataFolder = folder_->path();
        QDir(folder_->path()).mkpath("text");
        QFile text(folder_->filePath("text/tinyshakespeare.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray(200'000, 'x'));
        text.close();
        const auto dialog = dialogFor(order);
        auto* run = part<QPushButton>(dialog, "run");
        QTRY_VERIFY2_WITH_TIMEOUT(run->isEnabled(), qPrintable(dialog->fault()), patience);
        QVERIFY(part<QRadioButton>(dialog, "sends")->isChecked());
        QVERIFY(part<QRadioButton>(dialog, "sends")->text().contains("200"));
        QVERIFY(dialog->launchRequest().sendsData);
        auto* there = part<QLineEdit>(dialog, "dataThere");
        there->setFocus();
        QTest::keyClicks(there, "texts");
        QTRY_VERIFY2(dialog->fault().contains("absolute path"), qPrintable(dialog->fault()));
        QVERIFY(!run->isEnabled());
        QTest::keyClick(there, Qt::Key_Home);
        QTest::keyClicks(there, "/data/");
        QTRY_VERIFY2_WITH_TIMEOUT(run->isEnabled(), qPrintable(dialog->fault()), patience);
        QVERIFY(!dialog->launchRequest().sendsData);
        QCOMPARE(dialog->launchRequest().job.data, std::filesystem::path("/data/texts"));
        QTest::mouseClick(run, Qt::LeftButton);
        // It is as it was the next time.
        const auto again = dialogFor(order);
        QTRY_COMPARE_WITH_TIMEOUT(part<QLineEdit>(again, "dataThere")->text(),
                                  QString("/data/texts"), patience);
        QVERIFY(part<QRadioButton>(again, "liesThere")->isChecked());
    }

    void whatTheHostLacksIsSaidBefore() {
        addHost("near");
        LaunchRequest order = orderOf("quickstart-digits");
        order.design.devices = {{.name = "cuda:7"}};
        const auto dialog = dialogFor(order);
        QTRY_VERIFY2_WITH_TIMEOUT(dialog->fault().contains("cuda:7"), qPrintable(dialog->fault()),
                                  patience);
        QVERIFY(!part<QPushButton>(dialog, "run")->isEnabled());
    }

    void aQueueAsksForCoresAndMinutes() {
        addHost("near");
        addHost("queue", [](Host& host) { host.start = JobStart::slurm; });
        const auto dialog = dialogFor(orderOf("quickstart-digits"), "near");
        QVERIFY(!part<QSpinBox>(dialog, "minutes")->isVisible());
        part<QComboBox>(dialog, "host")->setCurrentText("queue");
        QVERIFY(part<QSpinBox>(dialog, "minutes")->isVisible());
        part<QSpinBox>(dialog, "minutes")->setValue(7);
        QCOMPARE(dialog->launchRequest().job.minutes, 7);
    }

    void theCommandIsWhatOneWouldType() {
        addHost("near");
        const auto dialog = dialogFor(orderOf("quickstart-digits"));
        const auto buttons = dialog->findChildren<QPushButton*>();
        const auto copy = std::ranges::find(buttons, QString("Copy command"), &QPushButton::text);
        QTest::mouseClick(*copy, Qt::LeftButton);
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith("weft run quickstart-digits.weft") && line.contains("--on near"),
                 qPrintable(line));
    }

    void picturesOfBothThemes() {
        addHost("cluster");
        LaunchRequest order = orderOf("tiny-gpt");
        order.design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        const auto dialog = dialogFor(order);
        const auto* devices = dialog->findChild<QTreeWidget*>();
        QTRY_VERIFY_WITH_TIMEOUT(devices->topLevelItemCount() == 2 &&
                                     devices->topLevelItem(1)->text(2).contains("B"),
                                 patience);
        test::saveBothThemes(look_, *dialog, QStringLiteral("run-there"));
    }

private:
    Look look_;
    PreviewQueue previewQueue_;
    std::unique_ptr<test::OwnUser> folder_;
    std::unique_ptr<RunControl> control_;
};

std::unique_ptr<QObject> makeTestRunThereDialog() { return std::make_unique<TestRunThereDialog>(); }
#include "tst_run_there_dialog.moc"
