// SPDX-License-Identifier: Apache-2.0
// The main views in both themes and two sizes, as pictures for people to look at; the suite holds
// that each is drawn and differs from the others.
#include "support/test_main.h"
#include "window_story.h"

#include <QThreadPool>

using namespace weft;
using namespace weft::test;

class TestPictures : public QObject {
    Q_OBJECT

    static void both(WindowStory& story, const QString& name) {
        QImage dark;
        for (const ui::Look::Choice choice : {ui::Look::Choice::dark, ui::Look::Choice::light}) {
            story.look().choose(choice);
            QThreadPool::globalInstance()->waitForDone();
            QCoreApplication::processEvents();
            const bool isDark = choice == ui::Look::Choice::dark;
            story.picture(name + (isDark ? "-dark" : "-light"));
            const QImage image = story.window().grab().toImage();
            if (isDark) {
                dark = image;
            } else {
                QVERIFY(image != dark);
            }
        }
    }

private Q_SLOTS:
    void theStartPage() {
        WindowStory story;
        QVERIFY(
            QTest::qWaitFor([&] { return story.window().bench().machine() != nullptr; }, 20000));
        both(story, QStringLiteral("start"));
    }

    void aDesign_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1600") << QSize(1600, 1000);
        QTest::newRow("1366") << QSize(1366, 768);
    }
    void aDesign() {
        QFETCH(const QSize, size);
        WindowStory story(size);
        story.openSample(QStringLiteral("alexnet-one-weird-trick"));
        const LayerId chosen = story.layerNamed("fc6");
        story.page().design().selection().select(
            {chosen.isNone() ? story.design().network.layers[2].id : chosen});
        both(story, QStringLiteral("design-%1").arg(size.width()));
    }
};

std::unique_ptr<QObject> makeTestPictures() { return std::make_unique<TestPictures>(); }

#include "tst_pictures.moc"
