// SPDX-License-Identifier: Apache-2.0
#include "document/live_check.h"
#include "support/test_main.h"

#include <QCoreApplication>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLiveCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersForTheNewestRevision() {
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        LiveCheck check(document);
        LayerId layer;
        for (int i = 0; i < 20; ++i) {
            layer =
                document
                    .edit("Add",
                          [](Design& design) { return addLayer(design, {}, {.kind = "dense"}); })
                    .layer();
        }
        QTRY_VERIFY(check.isCurrent());
        QCOMPARE(check.answer()->revision, document.revision());
        QVERIFY(
            std::ranges::any_of(check.answer()->preview.problems,
                                [&](const Diagnostic& problem) { return problem.layer == layer; }));
    }

    void movingAsksNothing() {
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        const LayerId layer =
            document
                .edit("Add", [](Design& design) { return addLayer(design, {}, {.kind = "dense"}); })
                .layer();
        LiveCheck check(document);
        QTRY_VERIFY(check.answer()->revision > 0);
        document.edit("Move", [&](Design& design) {
            return moveLayers(design, {}, {layer}, {8, 8});
        });
        QVERIFY(check.isCurrent());
    }

    void endsWhileAnAnswerIsUnderWay() {
        for (int i = 0; i < 20; ++i) {
            DesignDocument document(
                std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
            const LiveCheck check(document);
        }
        QCoreApplication::processEvents();
    }
};

std::unique_ptr<QObject> makeTestLiveCheck() { return std::make_unique<TestLiveCheck>(); }

#include "tst_live_check.moc"
