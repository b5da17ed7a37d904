// SPDX-License-Identifier: Apache-2.0
// Hosts as one adds, asks and removes them with hands and keys. Each is this machine, by a shell.
#include "panels/devices/devices_panel.h"
#include "panels/hosts/hosts_panel.h"
#include "support/own_sshd.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/catalogue.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

using namespace weft;
using namespace weft::ui;

class TestHostsPanel : public QObject {
    Q_OBJECT

    static constexpr int patience = 60'000;

    /// The page, as large as at the foot of a window.
    struct Scene {
        explicit Scene(Look& look)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              panel(context) {
            panel.resize(1100, 400);
            panel.show();
            QCoreApplication::processEvents();
        }
        template <class Widget>
        [[nodiscard]] Widget* the(const char* name) const {
            return panel.findChild<Widget*>(QLatin1String(name));
        }
        /// Returns the button, visible or not.
        [[nodiscard]] QPushButton* button(const QString& text) const {
            const auto all = panel.findChildren<QPushButton*>();
            const auto found = std::ranges::find(all, text, &QPushButton::text);
            return found == all.end() ? nullptr : *found;
        }
        void press(const QString& text) const {
            QPushButton* const pressed = button(text);
            QVERIFY2(pressed != nullptr && pressed->isVisible(), qPrintable("no button " + text));
            QTest::mouseClick(pressed, Qt::LeftButton);
            QCoreApplication::processEvents();
        }
        /// Replaces the field's text.
        void type(const char* name, const QString& text) const {
            auto* field = the<QLineEdit>(name);
            QTest::mouseClick(field, Qt::LeftButton);
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
            QCoreApplication::processEvents();
        }
        void choose(const QString& host) const {
            auto* list = panel.findChild<QTreeWidget*>();
            QTreeWidgetItem* item = list->findItems(host, Qt::MatchExactly).value(0);
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                              list->visualItemRect(item).center());
            QCoreApplication::processEvents();
        }
        /// Returns the state in the host's row of the list.
        [[nodiscard]] QString state(const QString& host) const {
            const auto rows = panel.findChild<QTreeWidget*>()->findItems(host, Qt::MatchExactly);
            return rows.isEmpty() ? QString() : rows[0]->text(1);
        }
        [[nodiscard]] QString refusal() const {
            auto* label = the<QLabel>("refusal");
            return label->isVisible() ? label->text() : QString();
        }
        /// Returns true if any visible text contains this text.
        [[nodiscard]] bool says(const QString& text) const {
            const auto labels = panel.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text().contains(text);
            });
        }
        WindowContext context;
        HostsPanel panel;
    };

    [[nodiscard]] Host here() const {
        return {.name = "here",
                .via = "sh -c",
                .folder = folder_->filePath("there").toStdString(),
                .program = test::weftProgram().string()};
    }
    /// A program for there that does not begin before `letGo`.
    [[nodiscard]] std::string slowProgram() const {
        write("slow-weft", "while [ ! -e " + folder_->filePath("go") + " ]; do sleep 0.01; done\n" +
                               "exec " + QString::fromStdString(test::weftProgram().string()) +
                               " \"$@\"\n");
        return folder_->filePath("slow-weft").toStdString();
    }
    void letGo() const { write("go", {}); }
    void write(const char* name, const QString& script) const {
        QFile file(folder_->filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(("#!/bin/sh\n" + script).toUtf8());
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    }
    /// With a queue of one node that has chips.
    [[nodiscard]] Host cluster() const {
        write("sinfo", "echo 'gpu*|up|0/1/0/1|64|512000|gpu:h100:4|infinite'\n");
        Host host = here();
        host.name = "cluster";
        host.via = "env PATH=" + folder_->path().toStdString() + ":/usr/bin:/bin sh -c";
        host.start = JobStart::slurm;
        return host;
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }
    void init() {
        folder_ = std::make_unique<test::OwnUser>();
        write("ask", "echo \"$1\" >> " + folder_->filePath("asked") + "; echo open sesame\n");
        qputenv("SSH_ASKPASS", folder_->filePath("ask").toUtf8());
        qputenv("SSH_ASKPASS_REQUIRE", "force"); // there may be no display for ssh
    }

    void nodesBehindAQueueAreAsked() {
        Host host = cluster();
        write("sbatch", "case \"$PWD\" in */.nodes/*) sh job.sbatch > output.txt 2>&1;; esac\n"
                        "echo 42\n");
        write("squeue", "echo 'Invalid job id specified' >&2; exit 1\n");
        write("scontrol", "echo 'JobId=42 JobState=COMPLETED ExitCode=0:0'\n");
        keepHost(here());
        keepHost(host);
        const Scene scene(look_);
        scene.choose("here");
        QVERIFY(!scene.button("Query nodes")->isVisible());
        scene.choose("cluster");
        scene.press("Query nodes");
        QTRY_VERIFY_WITH_TIMEOUT(scene.says("of gpu, queried on"), patience);
        QVERIFY(!scene.context.control.hosts()
                     .find("cluster")
                     ->report->nodes->machine.machine.devices.empty());
        QVERIFY(scene.button("Query nodes")->isVisible());
    }

    void anEngineIsPutOnAHostThatHasNone() {
        QDir(folder_->path()).mkpath("home");
        Host bare = here();
        bare.name = "bare";
        bare.via = "env HOME=" + folder_->filePath("home").toStdString() + " sh -c";
        bare.program = "no-such-weft";
        keepHost(bare);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH",
                QByteArray::fromStdString(test::weftProgram().parent_path().string()) + ':' + path);
        const Scene scene(look_);
        qputenv("PATH", path);
        const QSignalSpy failed(&scene.context.control.hosts(), &Hosts::failed);
        scene.press("Check");
        QTRY_VERIFY_WITH_TIMEOUT(scene.says("no-such-weft"), patience);
        QPushButton* const install = scene.button("Install");
        QVERIFY(install != nullptr && install->isVisible());
        QTimer::singleShot(0, install, [install] {
            QTest::keyClick(install->menu(), Qt::Key_Down);
            QTest::keyClick(install->menu(), Qt::Key_Return);
        });
        QTest::mouseClick(install, Qt::LeftButton);
        QTRY_VERIFY(!install->isVisible()); // one can stop it instead
        QTRY_VERIFY_WITH_TIMEOUT(scene.state("bare") == "connected" || !failed.empty(), patience);
        QVERIFY2(failed.empty(), qPrintable(failed.value(0).value(1).toString()));
        QVERIFY(install->isVisible());
        QVERIFY(QFile::exists(folder_->filePath("home/weft/bin/weft")));
    }

    void isAddedByItsName() {
        const Scene scene(look_);
        QVERIFY(scene.says("No host yet"));
        scene.press("Add host");
        scene.type("name", "my box");
        QVERIFY2(scene.refusal().contains("cannot be the name"), qPrintable(scene.refusal()));
        QVERIFY(knownHosts().empty());
        scene.type("name", "box");
        QCOMPARE(knownHosts(), (std::vector<Host>{{.name = "box", .via = "ssh box"}}));
        QTRY_COMPARE(scene.state("box"), QString("not asked"));
        QVERIFY(!scene.the<QLineEdit>("name")->isVisible()); // it has it for good
        scene.type("via", "docker exec -i box sh -c");
        QCOMPARE(hostNamed("box").via, std::string("docker exec -i box sh -c"));
        scene.press("Add");
        scene.type("name", "box");
        QVERIFY2(scene.refusal().contains("already exists"), qPrintable(scene.refusal()));
        QCOMPARE(hostNamed("box").via, std::string("docker exec -i box sh -c"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(scene.the<QLineEdit>("via")->text(), QString("docker exec -i box sh -c"));
    }

    void saysWhatAHostHas() {
        Host slow = here();
        slow.program = slowProgram();
        keepHost(slow);
        const Scene scene(look_);
        QVERIFY(scene.says("Check requests"));
        scene.press("Check");
        QTRY_COMPARE(scene.state("here"), QString("connecting …"));
        letGo();
        QTRY_COMPARE_WITH_TIMEOUT(scene.state("here"), QString("connected"), patience);
        const MachineReport machine = surveyMachine();
        for (const DeviceSheet& sheet : machine.machine.devices) {
            QVERIFY2(scene.says(QString::fromStdString(sheet.name)), sheet.name.c_str());
        }
        for (const Feature& feature : machine.features) {
            QVERIFY2(scene.says(QString::fromStdString(feature.name)) &&
                         scene.says(QString::fromStdString(feature.remedy)),
                     feature.name.c_str());
        }
        scene.press("Close connection");
        QTRY_COMPARE(scene.state("here"), QString("not connected"));
        QVERIFY(scene.says("cpu:0"));
    }

    void whereNoLineStandsItSaysWhyAndWhatToType() {
        Host wrong = here();
        wrong.program = "weft-that-is-none";
        keepHost(wrong);
        const Scene scene(look_);
        QTest::keyClick(scene.panel.findChild<QTreeWidget*>(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(scene.state("here"), QString("not reached"), patience);
        QVERIFY(scene.says("the host has no program \"weft-that-is-none\""));
        QCOMPARE(scene.the<QLabel>("line to type")->text(), QString("weft host check here"));
        QTest::mouseClick(scene.the<QPushButton>("copy"), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QString("weft host check here"));
        // Mended, it is asked anew, by whichever button.
        scene.type("program", QString::fromStdString(test::weftProgram().string()));
        QTRY_COMPARE(scene.state("here"), QString("not asked"));
        scene.press("Connect …");
        QTRY_COMPARE_WITH_TIMEOUT(scene.state("here"), QString("connected"), patience);
    }

    void sshAsksInAWindowOfItsOwnWhereOneWantsIt() {
        test::OwnSshd sshd;
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        sshd.guardKey("open sesame");
        const auto asked = [this] {
            QFile file(folder_->filePath("asked"));
            return file.open(QIODevice::ReadOnly) ? file.readAll().count("passphrase") : 0;
        };
        Host far = here();
        far.name = "far";
        far.via = sshd.via().toStdString();
        keepHost(far);
        const Scene scene(look_);
        scene.press("Check");
        QTRY_COMPARE_WITH_TIMEOUT(scene.state("far"), QString("not reached"), patience);
        QVERIFY(scene.says("Permission denied"));
        QCOMPARE(asked(), 0);
        scene.press("Connect …");
        QTRY_COMPARE_WITH_TIMEOUT(scene.state("far"), QString("connected"), patience);
        QCOMPARE(asked(), 1);
        // A line that breaks is taken up by itself, but never with a question.
        sshd.cutLines();
        QTRY_VERIFY_WITH_TIMEOUT(scene.state("far").startsWith("lost since"), patience);
        QTRY_VERIFY_WITH_TIMEOUT(scene.says("Permission denied"), patience);
        QCOMPARE(scene.the<QLabel>("line to type")->text(), QString("weft host check far"));
        QCOMPARE(asked(), 1);
        qputenv("SSH_ASKPASS", "none-that-asks");
        if (!QFile("/dev/tty").open(QIODevice::ReadOnly)) {
            scene.press("Check");
            auto* connect = scene.button("Connect …");
            QTRY_VERIFY(!connect->isEnabled());
            QVERIFY(connect->toolTip().contains("weft host check far"));
        }
    }

    void fieldsAreThoseOfHowJobsStart() {
        keepHost(here());
        const Scene scene(look_);
        auto* start = scene.the<QComboBox>("start");
        const auto areSeen = [&](bool ofMpirun, bool ofSlurm) {
            return scene.the<QLineEdit>("machines")->isVisible() == ofMpirun &&
                   scene.the<QLineEdit>("partition")->isVisible() == ofSlurm &&
                   scene.the<QLineEdit>("account")->isVisible() == ofSlurm &&
                   scene.the<QLineEdit>("minutes")->isVisible() == ofSlurm;
        };
        QVERIFY(areSeen(false, false));
        start->setFocus();
        QTest::keyClick(start, Qt::Key_Down);
        QVERIFY(areSeen(true, false));
        QVERIFY2(scene.refusal().contains("no machine"), qPrintable(scene.refusal()));
        QVERIFY(hostNamed("here").start == JobStart::here);
        scene.type("machines", "n1, n2");
        QCOMPARE(scene.refusal(), QString());
        QCOMPARE(hostNamed("here").machines, (std::vector<std::string>{"n1", "n2"}));
        QTest::keyClick(start, Qt::Key_Down);
        QVERIFY(areSeen(false, true));
        QVERIFY(hostNamed("here").start == JobStart::slurm && hostNamed("here").machines.empty());
        scene.type("partition", "gpu");
        scene.type("minutes", "90");
        scene.type("limit", "1.5");
        scene.type("minutes", "long");
        QVERIFY2(scene.refusal().contains("long is not valid"), qPrintable(scene.refusal()));
        Host wanted = here();
        wanted.start = JobStart::slurm;
        wanted.partition = "gpu";
        wanted.minutes = 90;
        wanted.bytesPerSecond = 1500;
        QCOMPARE(hostNamed("here"), wanted);
    }

    void whatIsRefusedStaysAsItWasTyped() {
        keepHost(here());
        keepHost(cluster());
        const Scene scene(look_);
        scene.choose("here");
        QSignalSpy failed(&scene.context.control, &RunControl::refused);
        scene.type("via", "ssh $HOST");
        QVERIFY2(scene.refusal().contains("no shell interprets it"), qPrintable(scene.refusal()));
        QCOMPARE(hostNamed("here"), here());
        QCOMPARE(failed.size(), 0); // it is said where it was typed
        scene.choose("cluster");
        QCOMPARE(scene.refusal(), QString());
        scene.choose("here");
        QCOMPARE(scene.the<QLineEdit>("via")->text(), QString("ssh $HOST"));
        QVERIFY(!scene.refusal().isEmpty());
        scene.type("via", "ssh host");
        QCOMPARE(scene.refusal(), QString());
        QCOMPARE(hostNamed("here").via, std::string("ssh host"));
    }

    void isRemovedOnceOneHasSaidSo() {
        keepHost(here());
        const Scene scene(look_);
        QString told;
        const auto answer = [&told](QMessageBox::ButtonRole role) {
            QTimer::singleShot(0, qApp, [&told, role] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                told = box->informativeText();
                for (QAbstractButton* button : box->buttons()) {
                    if (box->buttonRole(button) == role) {
                        QTest::mouseClick(button, Qt::LeftButton);
                    }
                }
            });
        };
        answer(QMessageBox::RejectRole);
        scene.press("Remove");
        QVERIFY2(told.contains("runs stay on the host") && told.contains("local copies stay"),
                 qPrintable(told));
        QCOMPARE(knownHosts().size(), std::size_t{1});
        answer(QMessageBox::AcceptRole);
        scene.press("Remove");
        QVERIFY(knownHosts().empty());
        QTRY_VERIFY(scene.says("No host yet"));
    }

    void helpIsAClickAway() {
        const Scene scene(look_);
        QSignalSpy wanted(&scene.context, &WindowContext::helpWanted);
        QTest::mouseClick(scene.the<QToolButton>("help on hosts"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), QString("page:hosts"));
    }

    void aDesignIsPlannedForTheChosenHost() {
        Host slow = cluster();
        slow.program = slowProgram();
        keepHost(here());
        keepHost(slow);
        Scene scene(look_);
        WindowContext& context = scene.context;
        context.designs.setCurrent(&context.designs.add(
            std::make_unique<OpenDesign>(context.kinds, context.previewQueue)));
        OpenDesign& design = *context.designs.current();
        context.setMachine(std::make_shared<const MachineReport>(surveyMachine()));
        DevicesPanel devices(context);
        devices.show();
        auto* places = devices.findChild<QComboBox*>();
        QTRY_COMPARE(places->count(), 3);
        QCOMPARE(places->currentText(), QString("This machine"));
        const auto says = [&devices](const QString& text) {
            const auto labels = devices.findChildren<QLabel*>();
            return std::ranges::any_of(
                labels, [&](const QLabel* label) { return label->text().contains(text); });
        };
        places->setFocus();
        QTest::keyClick(places, Qt::Key_Down);
        QCOMPARE(context.predictionHostName(), QString("cluster"));
        QTRY_VERIFY(says("asking cluster"));
        QCOMPARE(design.check().request().machine, context.machine()->machine);
        letGo();
        QTRY_COMPARE_WITH_TIMEOUT(design.check().request().machine.host, std::string("gpu"),
                                  patience);
        QTRY_VERIFY(says("published rates"));
        const std::vector<DeviceSheet>& sheets = design.check().request().machine.devices;
        QCOMPARE(sheets.size(), std::size_t{5});
        QVERIFY(std::ranges::none_of(sheets, &DeviceSheet::isPresent));
        auto* list = devices.findChild<QTreeWidget*>();
        QTRY_VERIFY(list->topLevelItemCount() == 1 &&
                    list->topLevelItem(0)->text(1) == "cluster: a node of gpu");
        // This machine, measured again, is not that of the place.
        context.setMachine(std::make_shared<const MachineReport>(surveyMachine()));
        QCOMPARE(design.check().request().machine.host, std::string("gpu"));
        QTest::keyClick(places, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(context.predictionHost()->report != nullptr, true, patience);
        QTRY_VERIFY(!says("published rates"));
        QTRY_VERIFY(list->topLevelItem(0)->text(1).startsWith("here: "));
        context.control.hosts().forget("here");
        QCOMPARE(context.predictionHostName(), QString());
        QCOMPARE(design.check().request().machine, context.machine()->machine);
        QTRY_COMPARE(places->currentText(), QString("This machine"));
    }

private:
    Look look_;
    std::unique_ptr<test::OwnUser> folder_;
};

std::unique_ptr<QObject> makeTestHostsPanel() { return std::make_unique<TestHostsPanel>(); }

#include "tst_hosts_panel.moc"
