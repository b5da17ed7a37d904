// SPDX-License-Identifier: Apache-2.0
#include "comm/host/proof.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTest>
#include <memory>

using namespace weft;

class TestProof : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The first and the sixteenth of the published vectors, with the key 00 01 .. 0f.
    void sumsAsPublished() {
        const Secret key{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};
        QCOMPARE(keyedHash(key, ""), (Secret{0xe6a825ba047f81a3U, 0x930255c71472f66dU}));
        std::string text;
        for (char c = 0; c < 15; ++c) {
            text += c;
        }
        QCOMPARE(keyedHash(key, text), (Secret{0x11a8b03399e99354U, 0xd9c3cf970fec087eU}));
    }

    void secretsSurviveAsText() {
        const Secret secret = drawSecret();
        QCOMPARE(secretFrom(textOf(secret)), secret);
        QVERIFY(secret != drawSecret());
    }

    void whatIsNoSecretIsRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addRow("nothing") << "";
        QTest::addRow("short") << QString(31, 'a');
        QTest::addRow("long") << QString(33, 'a');
        QTest::addRow("no digits") << QString(32, 'g');
    }
    void whatIsNoSecretIsRefused() {
        QFETCH(const QString, text);
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(secretFrom(text.toStdString())));
    }

    void anotherSecretProvesOtherwise() {
        QVERIFY(proofOf(drawSecret(), "rank 1") != proofOf(drawSecret(), "rank 1"));
    }
};

std::unique_ptr<QObject> makeTestProof() { return std::make_unique<TestProof>(); }
#include "tst_proof.moc"
