// SPDX-License-Identifier: Apache-2.0
#include "history/history_view.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "ui/runs/run_writer.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace weft;
using namespace weft::ui;

class TestHistoryView : public QObject {
    Q_OBJECT

    void write(const QString& name, int steps, double loss, const std::string& design = "LeNet") {
        Design made;
        made.name = design;
        made.training.learningRate = loss / 100;
        made.data.batch = 32;
        test::RunWriter writer((folder_->path() + '/' + name).toStdString(), 1, made);
        for (int step = 1; step <= steps; ++step) {
            writer.step(step, {{"loss", loss / step}, {"throughput", 3200}});
        }
        writer.finish(steps);
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_->path() + '/' + name; }
    /// After the folder was read anew.
    bool isRead(HistoryView& view, int rows) {
        return QTest::qWaitFor(
            [&] {
                view.refresh();
                return view.model().rowCount() == rows;
            },
            60'000);
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        write("2026-01-01_100000_lenet", 10, 4);
        write("2026-01-02_100000_lenet", 20, 2);
    }

    void runsAreListedAndNewOnesAppear() {
        HistoryView view(look_, control_);
        QAbstractItemModelTester tester(&view.model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        const ListedRun* run = view.model().find(path("2026-01-02_100000_lenet"));
        QCOMPARE(run->summary.lastStep, 20);
        QCOMPARE(run->figures.best->loss, 0.1);
        QCOMPARE(quantity::seconds(run->figures.step), 0.01);
        QCOMPARE(run->summary.devices.size(), std::size_t{2});
        QVERIFY2(run->designChanges.contains("0.02"), qPrintable(run->designChanges));
        write("2026-01-03_100000_from-elsewhere", 5, 1);
        QVERIFY(isRead(view, 3));
        QDir(path("2026-01-01_100000_lenet")).removeRecursively();
        QVERIFY(isRead(view, 2));
        QVERIFY(view.model().find(path("2026-01-01_100000_lenet")) == nullptr);
    }

    void noteAndStarStayWithTheRun() {
        {
            HistoryView view(look_, control_);
            view.setFolder(folder_->path());
            QVERIFY(isRead(view, 2));
            RunModel& model = view.model();
            QVERIFY(model.setData(model.index(0, RunModel::note), "the good one", Qt::EditRole));
            QVERIFY(model.setData(model.index(0, RunModel::star), true, Qt::EditRole));
            QVERIFY(!model.setData(model.index(0, RunModel::step), 3, Qt::EditRole));
        }
        HistoryView view(look_, control_);
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        QCOMPARE(view.model().runs()[0].marks.note, QString("the good one"));
        QVERIFY(view.model().runs()[0].marks.isStarred);
        QVERIFY(!view.model().runs()[1].marks.isStarred);
    }

    void theStarIsSetByAClick() {
        HistoryView view(look_, control_);
        view.resize(1000, 400);
        view.show();
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        auto* table = view.findChild<QTableView*>();
        const QRect cell = table->visualRect(table->model()->index(0, RunModel::star));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(
            readMarks(table->model()->index(0, 0).data(RunModel::folderRole).toString()).isStarred);
    }

    void deletingIsAskedOnce() {
        HistoryView view(look_, control_);
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        const QStringList both{path("2026-01-01_100000_lenet"), path("2026-01-02_100000_lenet")};
        view.choose(both);
        QCOMPARE(view.chosen().size(), 2);
        int asked = 0;
        view.setConfirmation([&](const QStringList&) { return ++asked > 1; });
        view.deleteChosen();
        QVERIFY(QDir(both[0]).exists());
        view.deleteChosen();
        QCOMPARE(asked, 2);
        QVERIFY(!QDir(both[0]).exists() && !QDir(both[1]).exists());
        QVERIFY(isRead(view, 0));
    }

    /// The runs named in the question are those that are deleted.
    void deletingNamesTheRunsAndSparesStarredOnes() {
        HistoryView view(look_, control_);
        view.resize(1000, 400);
        view.show();
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        const QString starred = path("2026-01-01_100000_lenet");
        const QString plain = path("2026-01-02_100000_lenet");
        writeMarks(starred, {.note = {}, .isStarred = true});
        QTRY_VERIFY_WITH_TIMEOUT((view.refresh(), view.model().find(starred)->marks.isStarred),
                                 60'000);
        QString asked;
        QString pressed = QStringLiteral("Cancel");
        QTimer looking;
        connect(&looking, &QTimer::timeout, &looking, [&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr) {
                return;
            }
            asked = question->text() + question->informativeText();
            QCOMPARE(question->defaultButton()->text().remove('&'), QString("Cancel"));
            (void)test::savePicture(*question, QStringLiteral("history-delete"));
            for (QAbstractButton* button : question->buttons()) {
                if (button->text().remove('&') == pressed) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
            }
            question->reject();
        });
        looking.start(20);
        view.choose({starred, plain});
        view.deleteChosen();
        QVERIFY2(asked.contains("2026-01-02_100000_lenet"), qPrintable(asked));
        QVERIFY2(asked.indexOf("Starred runs are kept") < asked.indexOf("2026-01-01_100000_lenet"),
                 qPrintable(asked));
        QVERIFY(QDir(plain).exists());
        pressed = QStringLiteral("Delete");
        view.deleteChosen();
        QVERIFY(!QDir(plain).exists() && QDir(starred).exists());
        asked.clear();
        view.choose({starred});
        view.deleteChosen();
        QVERIFY(asked.isEmpty() && QDir(starred).exists());
    }

    /// A design that was saved has runs from the time before.
    void runsOfTheDesignFromAnotherPlaceAreListedToo() {
        const QTemporaryDir other;
        HistoryView view(look_, control_);
        view.setPlaces({{.folder = other.path()}, {folder_->path(), "LeNet"}});
        QVERIFY(isRead(view, 2));
        QCOMPARE(view.folder(), QDir(other.path()).absolutePath());
        view.setPlaces({{.folder = other.path()}, {folder_->path(), "Another"}});
        QVERIFY(isRead(view, 0));
    }

    /// In whichever order the rows were chosen.
    void theDifferenceIsWhatTheLaterRunHas() {
        HistoryView view(look_, control_);
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        QSignalSpy wanted(&view, &HistoryView::differenceWanted);
        const QString first = path("2026-01-01_100000_lenet");
        const QString second = path("2026-01-02_100000_lenet");
        auto* table = view.findChild<QTableView*>();
        for (const bool isReversed : {false, true}) {
            table->sortByColumn(RunModel::run,
                                isReversed ? Qt::DescendingOrder : Qt::AscendingOrder);
            view.choose({first, second});
            for (QPushButton* button : view.findChildren<QPushButton*>()) {
                if (button->text() == "Difference") {
                    button->click();
                }
            }
        }
        QCOMPARE(wanted.size(), 2);
        for (const QList<QVariant>& one : wanted) {
            QCOMPARE(one[0].toString(), first);
            QCOMPARE(one[1].toString(), second);
        }
    }

    void aLivingRunIsNotDeleted() {
        Design design;
        test::RunWriter writer(path("2026-01-04_100000_living").toStdString(), 1, design);
        writer.step(1, {{"loss", 1}});
        writer.flush();
        HistoryView view(look_, control_);
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 3));
        view.choose({path("2026-01-04_100000_living")});
        view.setConfirmation([](const QStringList&) { return true; });
        view.deleteChosen();
        QVERIFY(QDir(path("2026-01-04_100000_living")).exists());
    }

    void buttonsAskForWhatIsChosen() {
        HistoryView view(look_, control_);
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 2));
        QSignalSpy curves(&view, &HistoryView::curvesWanted);
        QSignalSpy opened(&view, &HistoryView::runWanted);
        view.choose({path("2026-01-01_100000_lenet"), path("2026-01-02_100000_lenet")});
        for (QPushButton* button : view.findChildren<QPushButton*>()) {
            if (button->text() == "Compare curves") {
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        QCOMPARE(curves.size(), 1);
        QCOMPARE(curves[0][0].toStringList().size(), 2);
        view.choose({path("2026-01-02_100000_lenet")});
        view.openChosen();
        QCOMPARE(opened[0][0].toString(), path("2026-01-02_100000_lenet"));
        view.copyCommand();
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith("weft run "),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void picturesOfBothThemes() {
        write("2026-01-03_100000_wide", 300, 3, "Wide LeNet");
        HistoryView view(look_, control_);
        view.resize(1150, 300);
        view.show();
        view.setFolder(folder_->path());
        QVERIFY(isRead(view, 3));
        view.model().setData(view.model().index(0, RunModel::note), "wider", Qt::EditRole);
        view.model().setData(view.model().index(0, RunModel::star), true, Qt::EditRole);
        view.choose({path("2026-01-03_100000_wide")});
        test::saveBothThemes(look_, view, QStringLiteral("history"));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    Look look_;
    RunControl control_{"weft"};
};

std::unique_ptr<QObject> makeTestHistoryView() { return std::make_unique<TestHistoryView>(); }
#include "tst_history_view.moc"
