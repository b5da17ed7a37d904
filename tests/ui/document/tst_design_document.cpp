// SPDX-License-Identifier: Apache-2.0
#include "document/design_document.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/group_edits.h>

#include <QFile>
#include <QIODevice>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

namespace {

Kinds kinds() { return std::make_shared<const std::vector<LayerKindInfo>>(catalogue()); }

LayerId add(DesignDocument& document, const std::string& kind, Point at = {}) {
    return document
        .edit("Add",
              [&](Design& design) { return addLayer(design, {}, {.kind = kind, .position = at}); })
        .layer();
}

void moveBy(DesignDocument& document, LayerId layer, double by, const QString& merge) {
    document.edit(
        "Move",
        [&](Design& design) {
            return moveLayers(design, {}, {layer}, {by, 0});
        },
        merge);
}

} // namespace

class TestDesignDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allEditsOfAStepAreOne() {
        DesignDocument document(kinds());
        const LayerId x = add(document, "input");
        const Design before = document.design();
        const QSignalSpy told(&document, &DesignDocument::edited);
        document.beginStep("Play");
        add(document, "dense", {0, 100});
        moveBy(document, x, 10, "move");
        moveBy(document, x, 10, "move");
        document.endStep();
        QCOMPARE(document.history().count(), 2);
        QCOMPARE(document.history().undoText(), QStringLiteral("Play"));
        QCOMPARE(told.count(), 0); // whoever plays them knows what they are
        const Design after = document.design();
        document.history().undo();
        QVERIFY(document.design() == before);
        document.history().redo();
        QVERIFY(document.design() == after);
        document.beginStep("Nothing");
        document.endStep();
        QCOMPARE(document.history().count(), 2);
    }

    void savingWithinAStepIsAStateOfTheHistory() {
        const QTemporaryDir folder;
        DesignDocument document(kinds());
        document.beginStep("Play");
        add(document, "input");
        document.saveAs(folder.filePath("a.weft"));
        const Design saved = document.design();
        add(document, "dense");
        document.endStep();
        QVERIFY(document.isModified());
        document.history().undo();
        QVERIFY(document.design() == saved);
        QVERIFY(!document.isModified());
        document.history().undo();
        QVERIFY(document.design().network.layers.empty());
    }

    void anEditTellsWhatItsStepBeganWith() {
        DesignDocument document(kinds());
        const LayerId x = add(document, "input");
        const Design first = document.design();
        std::vector<std::pair<Design, bool>> told;
        connect(&document, &DesignDocument::edited, this,
                [&](const QString&, const Design& before, bool isContinued) {
                    told.emplace_back(before, isContinued);
                });
        moveBy(document, x, 10, "move");
        moveBy(document, x, 10, "move");
        QCOMPARE(told.size(), std::size_t{2});
        QVERIFY(told[0] == std::pair(first, false));
        QVERIFY(told[1] == std::pair(first, true));
        document.history().undo();
        QCOMPARE(told.size(), std::size_t{2}); // that is no edit
    }

    void undoAndRedoLeadBackExactly() {
        DesignDocument document(kinds());
        std::vector<Design> states{document.design()};
        const auto keep = [&] { states.push_back(document.design()); };
        const LayerId x = add(document, "input");
        keep();
        const LayerId fc = add(document, "dense", {0, 100});
        keep();
        document.edit("Connect", [&](Design& design) {
            return weft::connect(design, {}, {x, "y"}, {fc, "x"});
        });
        keep();
        document.edit("Units", [&](Design& design) {
            return setAttribute(design, {}, fc, "units", AttributeValue(std::int64_t{12}));
        });
        keep();
        document.edit("Group",
                      [&](Design& design) { return makeGroup(design, {}, {fc}, "block"); });
        keep();
        document.edit("Delete", [&](Design& design) { return removeLayers(design, {}, {x}); });
        keep();
        document.edit("Rate", [](Design& design) {
            return applySetting(design, "training.learning_rate", "0.5");
        });
        keep();
        QCOMPARE(document.history().count(), 7);
        for (std::size_t i = states.size() - 1; i > 0; --i) {
            QVERIFY(document.design() == states[i]);
            document.history().undo();
        }
        QVERIFY(document.design() == states[0]);
        for (std::size_t i = 1; i < states.size(); ++i) {
            document.history().redo();
            QVERIFY(document.design() == states[i]);
        }
    }

    void oneDragIsOneStep() {
        DesignDocument document(kinds());
        const LayerId layer = add(document, "dense");
        const Design before = document.design();
        for (int i = 0; i < 5; ++i) {
            moveBy(document, layer, 3, "move");
        }
        QCOMPARE(document.history().count(), 2);
        document.endMerging();
        moveBy(document, layer, 3, "move");
        QCOMPARE(document.history().count(), 3);
        document.history().undo();
        document.history().undo();
        QVERIFY(document.design() == before);
        document.history().redo();
        QCOMPARE(document.design().network.layers[0].position->x, 15.0);
    }

    void aDragThatComesBackIsNoStep() {
        DesignDocument document(kinds());
        const LayerId layer = add(document, "dense");
        moveBy(document, layer, 8, "move");
        moveBy(document, layer, -8, "move");
        QCOMPARE(document.history().count(), 1);
    }

    void aRefusedEditChangesNothingAndSaysWhy() {
        DesignDocument document(kinds());
        const LayerId layer = add(document, "dense");
        QSignalSpy refused(&document, &DesignDocument::refused);
        QSignalSpy changed(&document, &DesignDocument::changed);
        const std::uint64_t revision = document.revision();
        const Edited edited = document.edit(
            "Rename", [&](Design& design) { return renameLayer(design, {}, layer, "a/b"); });
        QVERIFY(!edited.isDone());
        QCOMPARE(refused.count(), 1);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(document.revision(), revision);
    }

    void movingIsOnlyAppearance() {
        DesignDocument document(kinds());
        const LayerId layer = add(document, "dense");
        std::vector<bool> seen;
        connect(&document, &DesignDocument::changed, this,
                [&](const DesignChange& change) { seen.push_back(change.isOnlyAppearance); });
        moveBy(document, layer, 8, {});
        document.edit("Mute", [&](Design& design) { return setMuted(design, {}, {layer}, true); });
        document.history().undo();
        document.history().undo();
        QVERIFY((seen == std::vector<bool>{true, false, false, true}));
    }

    void savesAndKnowsWhenTheFileChangedBehindIt() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("one.weft");
        DesignDocument document(kinds());
        add(document, "dense");
        QVERIFY(document.isModified());
        document.saveAs(file);
        QVERIFY(!document.isModified());
        QVERIFY(!document.hasChangedOnDisk());
        QCOMPARE(document.title(), QString("one.weft"));

        DesignDocument other(kinds());
        other.load(file);
        QVERIFY(other.design() == document.design());
        add(other, "relu");
        other.save();
        QVERIFY(document.hasChangedOnDisk());
        document.history().undo();
        QVERIFY(document.isModified());
    }

    void aFileThatCannotBeReadLeavesTheDocumentAlone() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("broken.weft"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"weft": 1, "layers": [)");
        file.close();
        DesignDocument document(kinds());
        add(document, "dense");
        const Design before = document.design();
        QVERIFY_THROWS_EXCEPTION(Error, document.load(file.fileName()));
        QVERIFY(document.design() == before);
        QVERIFY(document.file().isEmpty());
    }
};

std::unique_ptr<QObject> makeTestDesignDocument() { return std::make_unique<TestDesignDocument>(); }

#include "tst_design_document.moc"
