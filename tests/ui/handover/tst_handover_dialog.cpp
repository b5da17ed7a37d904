// SPDX-License-Identifier: Apache-2.0
#include "handover/handover_dialog.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::ui;

class TestHandoverDialog : public QObject {
    Q_OBJECT

    static Design design() {
        Design design =
            loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
                .design;
        design.name = "digits";
        return design;
    }
    /// The way of that title.
    static void choose(HandoverDialog& dialog, const char* title) {
        auto* ways = dialog.findChild<QListWidget*>();
        const auto found = ways->findItems(QString::fromUtf8(title), Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        ways->setCurrentItem(found.front());
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void eachWayShowsItsFinalText() {
        HandoverDialog dialog(look_, design(), "/data");
        QVERIFY(dialog.text().startsWith("#!/usr/bin/env bash"));
        choose(dialog, "Slurm");
        QVERIFY(dialog.text().contains("#SBATCH --job-name=digits"));
        choose(dialog, "Kubernetes");
        QVERIFY(dialog.text().contains("kind: MPIJob"));
        choose(dialog, "mpirun");
        QVERIFY(dialog.text().contains("--ranks 1"));
    }

    void fieldsChangeTheText() {
        HandoverDialog dialog(look_, design(), "/data");
        dialog.show();
        choose(dialog, "Slurm");
        int seen = 0;
        for (QSpinBox* field : dialog.findChildren<QSpinBox*>()) {
            if (field->accessibleName() == "Nodes") {
                field->setValue(3);
            }
            seen += field->isVisible() ? 1 : 0;
        }
        QCOMPARE(seen, 5);
        QVERIFY(dialog.text().contains("#SBATCH --nodes=3"));
        choose(dialog, "This machine");
        QVERIFY(!dialog.text().contains("SBATCH"));
    }

    void whatThisBuildCannotRunIsTold() {
        Design drawn = design();
        drawn.devices.push_back({.name = "hip:0", .sheet = "h200"});
        HandoverDialog dialog(look_, drawn, "/data");
        dialog.show();
        const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains("no backend for hip:0");
        }));
        QVERIFY(dialog.text().contains("devices --need hip:0"));
    }

    void whatCannotBeSaidIsTold() {
        HandoverDialog dialog(look_, design(), "/data");
        choose(dialog, "Slurm");
        for (QLineEdit* field : dialog.findChildren<QLineEdit*>()) {
            if (field->accessibleName() == "Partition") {
                field->setText("two words");
            }
        }
        QVERIFY(dialog.text().isEmpty());
    }

    void whatWasEditedIsSaved() {
        const QTemporaryDir folder;
        HandoverDialog dialog(look_, design(), "/data");
        choose(dialog, "Slurm");
        auto* editor = dialog.findChild<QPlainTextEdit*>();
        editor->moveCursor(QTextCursor::End);
        QTest::keyClicks(editor, "# mine");
        dialog.setPathChooser([&](const QString&, bool) { return folder.path() + "/job"; });
        QSignalSpy saved(&dialog, &HandoverDialog::saved);
        dialog.saveFolder();
        QCOMPARE(saved.size(), 1);
        QFile file(folder.path() + "/job/job.sbatch");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().endsWith("# mine"));
        QVERIFY(QFile::exists(folder.path() + "/job/design.weft"));
        dialog.setPathChooser(
            [&](const QString& name, bool) { return folder.path() + "/" + name; });
        dialog.saveText();
        QVERIFY(QFile::exists(folder.path() + "/job.sbatch"));
        QSignalSpy failed(&dialog, &HandoverDialog::failed);
        dialog.setPathChooser([](const QString&, bool) { return QString("/none/of/these"); });
        dialog.saveText();
        QCOMPARE(failed.size(), 1);
    }

    void copiesTextAndCommand() {
        HandoverDialog dialog(look_, design(), {});
        dialog.copyText();
        QCOMPARE(QGuiApplication::clipboard()->text(), dialog.text());
        dialog.copyCommand();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("weft run design.weft"));
    }

    void picturesOfBothThemes() {
        HandoverDialog dialog(look_, design(), "/data/digits");
        choose(dialog, "Slurm");
        dialog.show();
        test::saveBothThemes(look_, dialog, QStringLiteral("handover"));
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestHandoverDialog() { return std::make_unique<TestHandoverDialog>(); }
#include "tst_handover_dialog.moc"
