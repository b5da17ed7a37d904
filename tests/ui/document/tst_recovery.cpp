// SPDX-License-Identifier: Apache-2.0
// A program that dies loses seconds: what it had not saved is offered to the next.
#include "document/recovery.h"
#include "support/test_main.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace weft;
using namespace weft::ui;

class TestRecovery : public QObject {
    Q_OBJECT

    static Kinds kinds() { return std::make_shared<const std::vector<LayerKindInfo>>(catalogue()); }
    static void add(DesignDocument& document, const char* kind) {
        document.edit("Add", [&](Design& design) { return addLayer(design, {}, {.kind = kind}); });
    }

private Q_SLOTS:
    void whatAKilledProgramHadIsOffered() {
        const QTemporaryDir folder;
        const pid_t child = fork();
        if (child == 0) {
            // A program of its own: it edits, waits for the writing and is killed in the middle.
            Recovery recovery(folder.path());
            DesignDocument document(kinds());
            recovery.watch(document);
            add(document, "dense");
            const bool isWritten = QTest::qWaitFor(
                [&] { return !QDir(folder.path()).entryList({"*.json"}).isEmpty(); }, 10000);
            ::kill(getpid(), isWritten ? SIGKILL : SIGTERM);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        const Recovery next(folder.path());
        const std::vector<LostDesign> lost = next.lost();
        QCOMPARE(lost.size(), std::size_t{1});
        DesignDocument restored(kinds());
        Recovery::restore(lost.front(), restored);
        QCOMPARE(restored.design().network.layers.size(), std::size_t{1});
        QVERIFY(restored.isModified());
        Recovery::forget(lost.front());
        QVERIFY(next.lost().empty());
    }

    void whatLivesOrIsSavedIsNotOffered() {
        const QTemporaryDir folder;
        Recovery recovery(folder.path());
        DesignDocument document(kinds());
        recovery.watch(document);
        add(document, "dense");
        QVERIFY(QTest::qWaitFor(
            [&] { return !QDir(folder.path()).entryList({"*.json"}).isEmpty(); }, 10000));
        const Recovery other(folder.path());
        QVERIFY(other.lost().empty());
        document.saveAs(folder.filePath("saved.weft"));
        QVERIFY(QDir(folder.path()).entryList({"*.json"}).isEmpty());
    }
};

std::unique_ptr<QObject> makeTestRecovery() { return std::make_unique<TestRecovery>(); }

#include "tst_recovery.moc"
