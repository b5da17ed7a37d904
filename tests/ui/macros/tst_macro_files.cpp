// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_files.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestMacroFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMacroIsKeptRenamedAndRemoved() {
        const QTemporaryDir folder;
        const MacroFiles files(folder.filePath(QStringLiteral("macros")));
        QCOMPARE(files.names(), QStringList());
        QCOMPARE(files.freeName(), QStringLiteral("Macro 1"));
        files.write(QStringLiteral("Macro 1"), QStringLiteral("layer.mute on\n"));
        QCOMPARE(files.freeName(), QStringLiteral("Macro 2"));
        files.rename(QStringLiteral("Macro 1"), QStringLiteral("Leise: alle"));
        QCOMPARE(files.names(), QStringList{QStringLiteral("Leise: alle")});
        QCOMPARE(files.text(QStringLiteral("Leise: alle")), QStringLiteral("layer.mute on\n"));
        files.remove(QStringLiteral("Leise: alle"));
        QCOMPARE(files.names(), QStringList());
    }

    void namesThatAreNoFilesAreRefused() {
        const QTemporaryDir folder;
        const MacroFiles files(folder.path());
        files.write(QStringLiteral("mine"), {});
        for (const char* name : {"", " ", "a/b", "../a", ".a", "a\"b", " a", "Mine"}) {
            QVERIFY2(!files.refusal(QString::fromUtf8(name)).isEmpty(), name);
        }
        QCOMPARE(files.refusal(QStringLiteral("Widen 2x")), QString());
    }

    void whatIsNotThereIsToldWithItsFile() {
        const QTemporaryDir folder;
        const MacroFiles files(folder.path());
        try {
            (void)files.text(QStringLiteral("nothing"));
            QFAIL("read what is not there");
        } catch (const Error& error) {
            QVERIFY(QByteArray(error.what()).contains("nothing.txt"));
        }
    }
};

std::unique_ptr<QObject> makeTestMacroFiles() { return std::make_unique<TestMacroFiles>(); }

#include "tst_macro_files.moc"
