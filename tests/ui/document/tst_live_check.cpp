// SPDX-License-Identifier: Apache-2.0
#include "document/live_check.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/edits.h>

#include <QTest>
#include <algorithm>
#include <semaphore>

using namespace weft;
using namespace weft::ui;

class TestLiveCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersForTheNewestRevision() {
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        PreviewQueue previewQueue;
        LiveCheck check(document, previewQueue);
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
            std::ranges::any_of(check.answer()->preview->problems,
                                [&](const Diagnostic& problem) { return problem.layer == layer; }));
    }

    void movingAsksNothing() {
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        const LayerId layer =
            document
                .edit("Add", [](Design& design) { return addLayer(design, {}, {.kind = "dense"}); })
                .layer();
        PreviewQueue previewQueue;
        LiveCheck check(document, previewQueue);
        QTRY_VERIFY(check.answer()->revision > 0);
        document.edit("Move", [&](Design& design) {
            return moveLayers(design, {}, {layer}, {8, 8});
        });
        QVERIFY(check.isCurrent());
    }

    void olderNumbersAreKeptUntilTheNewAreThere() {
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        document.setDesign(
            loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft").design,
            false);
        PreviewQueue previewQueue;
        LiveCheck check(document, previewQueue);
        QTRY_VERIFY_WITH_TIMEOUT(check.isWhole(), 120'000);
        const auto before = check.answer();
        QVERIFY(before->preview->step && before->preview->run);
        QVERIFY(!before->isStepOlder() && !before->isRunOlder());
        std::vector<std::shared_ptr<const CheckedDesign>> heard;
        connect(&check, &LiveCheck::checked, this, [&] { heard.push_back(check.answer()); });
        document.edit("Batch", [](Design& design) {
            design.data.batch *= 2;
            return Edited{};
        });
        QTRY_VERIFY_WITH_TIMEOUT(check.isWhole(), 120'000);
        QCOMPARE(heard.size(), std::size_t{3});
        QVERIFY(heard[0]->isStepOlder() && heard[0]->withStep == before->preview);
        QCOMPARE(heard[0]->batch * 2, heard[1]->batch);
        QVERIFY(!heard[1]->isStepOlder() && heard[1]->isRunOlder());
        QVERIFY(!heard[2]->isStepOlder() && !heard[2]->isRunOlder());
        // A design that cannot be planned shows no numbers, not even old ones.
        document.edit("Clear", [](Design& design) {
            design.network = {};
            return Edited{};
        });
        QTRY_VERIFY_WITH_TIMEOUT(check.isWhole(), 120'000);
        QVERIFY(check.answer()->withStep == nullptr && check.answer()->withRun == nullptr);
    }

    void aShortLastBatchIsAProblemWithAFixAndNumbersStay() {
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        Design design =
            loadDesign(test::sourceFolder() / "projects/lca-dictionary/design.weft").design;
        const auto code =
            std::ranges::find(design.network.layers, std::string("lca"), &Layer::kind);
        QVERIFY(code != design.network.layers.end());
        code->attributes.set("start", std::string("warm"));
        design.data.batch = 17;
        design.data.lastBatch = "keep";
        document.setDesign(design, false);
        PreviewQueue previewQueue;
        LiveCheck check(document, previewQueue);
        QTRY_VERIFY_WITH_TIMEOUT(check.isWhole(), 120'000);
        const auto answer = check.answer();
        const auto found = std::ranges::find(answer->preview->problems, "E069", &Diagnostic::code);
        QVERIFY(found != answer->preview->problems.end());
        QVERIFY(!found->layer.isNone());
        QVERIFY(answer->preview->step && answer->withRun == nullptr);
        QCOMPARE(answer->withStep, answer->preview);
        document.edit("Fix",
                      [&](Design& mended) { return applyFix(mended, found->fix, catalogue()); });
        QTRY_VERIFY_WITH_TIMEOUT(check.isWhole(), 120'000);
        QVERIFY(!hasErrors(check.answer()->preview->problems));
        QVERIFY(check.answer()->withRun != nullptr);
    }

    void cancelsItsRequestAtItsEnd() {
        std::binary_semaphore begun{0};
        std::binary_semaphore further{0};
        std::binary_semaphore ended{0};
        bool isWanted = true;
        PreviewQueue previewQueue([&](const Design&, PreviewCache&, const PreviewRequest& request) {
            begun.release();
            further.acquire();
            isWanted = request.isWanted();
            ended.release();
            return std::make_shared<const Preview>();
        });
        DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
        {
            const LiveCheck check(document, previewQueue);
            begun.acquire();
        }
        further.release();
        ended.acquire();
        QVERIFY(!isWanted);
    }
};

std::unique_ptr<QObject> makeTestLiveCheck() { return std::make_unique<TestLiveCheck>(); }

#include "tst_live_check.moc"
