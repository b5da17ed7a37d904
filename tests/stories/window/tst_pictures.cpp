// SPDX-License-Identifier: Apache-2.0
// The main views in both themes and two sizes, as pictures for people to look at; the suite holds
// that each is drawn and differs from the others.
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "support/view_pictures.h"

#include <QTranslator>

using namespace weft;
using namespace weft::test;

namespace {

/// Another language, whose texts take 40 % more room.
class LongWords : public QTranslator {
public:
    LongWords() { QCoreApplication::installTranslator(this); }
    ~LongWords() override { QCoreApplication::removeTranslator(this); }
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char*, const char* text, const char*,
                                    int) const override {
        const QString words = QString::fromUtf8(text);
        // Signs and placeholders are the same in all languages.
        return words.size() < 3 || words.contains('%')
                   ? words
                   : words + QString("ig").repeated((words.size() + 4) / 5);
    }
};

} // namespace

class TestPictures : public QObject {
    Q_OBJECT

    static QImage seen(WindowStory& story, const QString& name) {
        story.picture(name);
        return story.window().grab().toImage();
    }
    static void both(WindowStory& story, const QString& name) {
        story.look().choose(ui::Look::Choice::dark);
        QVERIFY(story.waitForAnswers());
        const QImage dark = seen(story, name + "-dark");
        story.look().choose(ui::Look::Choice::light);
        QVERIFY(story.waitForAnswers());
        const QImage light = seen(story, name + "-light");
        QVERIFY(dark != light);
        QCOMPARE(QSizeF(dark.size()), QSizeF(story.window().size()) * qApp->devicePixelRatio());
        QVERIFY(isSharp(dark));
    }

private Q_SLOTS:
    void theStartPage() {
        WindowStory story;
        both(story, QStringLiteral("start"));
    }

    void aDesign_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("isLong");
        QTest::newRow("1600") << QSize(1600, 1000) << false;
        QTest::newRow("1366") << QSize(1366, 768) << false;
        QTest::newRow("1920") << QSize(1920, 1080) << false;
        QTest::newRow("3840") << QSize(3840, 2160) << false;
        QTest::newRow("1600-long") << QSize(1600, 1000) << true;
        QTest::newRow("1366-long") << QSize(1366, 768) << true;
    }
    void aDesign() {
        QFETCH(const QSize, size);
        QFETCH(const bool, isLong);
        const std::unique_ptr<LongWords> words = isLong ? std::make_unique<LongWords>() : nullptr;
        WindowStory story(size);
        story.openSample(QStringLiteral("alexnet-one-weird-trick"));
        const LayerId chosen = story.layerNamed("fc6");
        story.page().design().selection().select(
            {chosen.isNone() ? story.design().network.layers[2].id : chosen});
        QVERIFY(story.waitForAnswers());
        const QWidget* foot = story.window().docks().panel(QStringLiteral("prediction"));
        QCOMPARE(foot->height() == ui::tokens().sizes.size.topBar, size.width() < 1500);
        both(story, QStringLiteral("design-") + QTest::currentDataTag());
    }

    void thePanelsBehind() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().selection().select({story.layerNamed("conv1")});
        for (const char* id : {"data", "training", "help", "problems", "devices"}) {
            story.window().docks().reveal(QLatin1String(id));
            both(story, QStringLiteral("panel-") + QLatin1String(id));
        }
        story.command("help.keys");
        auto* keys = story.window().findChild<QWidget*>(QStringLiteral("keyList"));
        QVERIFY(keys != nullptr);
        (void)savePicture(*keys, QStringLiteral("keys"));
    }

    void whatIsWrong() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().selection().select({story.layerNamed("flat")});
        story.command("edit.delete");
        QVERIFY(story.waitForCheck());
        story.window().docks().reveal(QStringLiteral("problems"));
        both(story, QStringLiteral("problems"));
        story.page().view().setFocus();
        story.command("help.palette");
        story.type(QStringLiteral("align"));
        both(story, QStringLiteral("palette"));
    }
};

std::unique_ptr<QObject> makeTestPictures() { return std::make_unique<TestPictures>(); }

#include "tst_pictures.moc"
