// SPDX-License-Identifier: Apache-2.0
#include "monitor/log_view.h"
#include "support/test_main.h"
#include "theme/look.h"
#include "ui/runs/run_writer.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLogView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatARunSaysIsListedAsItComes() {
        const QTemporaryDir folder;
        const Look look;
        RunHub hub;
        LogView view(look, hub);
        QAbstractItemModelTester tester(&view.model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        view.show();
        auto writer = std::make_unique<test::RunWriter>((folder.path() + "/run").toStdString());
        writer->message("hello");
        writer->flush();
        hub.open(folder.path() + "/run");
        QTRY_COMPARE_WITH_TIMEOUT(view.model().rowCount(), 2, 60'000);
        for (int i = 0; i < 50; ++i) {
            writer->message("again");
        }
        writer->flush();
        QTRY_COMPARE_WITH_TIMEOUT(view.model().rowCount(), 52, 60'000);
        QCOMPARE(view.model().index(1, LogModel::text).data().toString(), QString("hello"));
        QVERIFY(view.failure().isEmpty());
        writer->fail(Error(ErrorCode::numerics, Where{.rank = 1, .layer = "fc"},
                           "the loss is not finite", "lower the learning rate"),
                     7);
        writer.reset();
        QTRY_VERIFY_WITH_TIMEOUT(view.failure().contains("rank 1"), 60'000);
        hub.close();
        QCOMPARE(view.model().rowCount(), 0);
    }
};

std::unique_ptr<QObject> makeTestLogView() { return std::make_unique<TestLogView>(); }
#include "tst_log_view.moc"
