// SPDX-License-Identifier: Apache-2.0
// Keys are the user's: recorded by a click, named where another has them, remembered; F1 helps.
#include "commands/key_presets.h"
#include "panels/help/help_panel.h"
#include "shell/docks/docks.h"
#include "shell/keys/key_list.h"
#include "stories/window_story.h"
#include "support/test_main.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>

using namespace weft;
using namespace weft::test;

class TestKeys : public QObject {
    Q_OBJECT

    struct Page {
        explicit Page(WindowStory& story) : window(&story.window()) {
            story.command("help.keys");
            dialog = story.window().findChild<ui::KeyList*>();
            tree = dialog->findChild<QTreeWidget*>();
        }
        ~Page() {
            delete dialog;
            window->activateWindow();
            (void)QTest::qWaitForWindowActive(window);
        }
        [[nodiscard]] QTreeWidgetItem* row(const QString& id) const {
            for (int i = 0; i < tree->topLevelItemCount(); ++i) {
                for (int k = 0; k < tree->topLevelItem(i)->childCount(); ++k) {
                    QTreeWidgetItem* item = tree->topLevelItem(i)->child(k);
                    if (item->data(0, Qt::UserRole).toString() == id) {
                        return item;
                    }
                }
            }
            qFatal("no row of %s", qPrintable(id));
        }
        void clickKeysOf(const QString& id) const {
            QTreeWidgetItem* item = row(id);
            tree->scrollToItem(item);
            const QRect box = tree->visualItemRect(item);
            const QPoint at(tree->columnViewportPosition(1) + 20, box.center().y());
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, at);
        }
        void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
            QTest::keyClick(tree, key, modifiers);
        }
        [[nodiscard]] QPushButton* button(const QString& text) const {
            for (auto* button : dialog->findChildren<QPushButton*>()) {
                if (button->text() == text) {
                    return button;
                }
            }
            return nullptr;
        }
        QWidget* window;
        ui::KeyList* dialog;
        QTreeWidget* tree;
    };

    static QKeySequence keyOf(WindowStory& story, const char* id) {
        return story.window().context().commands.find(QLatin1String(id))->shortcut();
    }

private Q_SLOTS:
    void aClickRecordsAKeyThatWorks() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const LayerId layer = story.design().network.layers[2].id;
        {
            Page page(story);
            page.clickKeysOf(QStringLiteral("layer.mute"));
            QVERIFY(
                page.row(QStringLiteral("layer.mute"))->text(1).contains(QLatin1String("Press")));
            page.press(Qt::Key_K);
            QCOMPARE(page.row(QStringLiteral("layer.mute"))->text(1), QStringLiteral("K"));
        }
        story.page().view().setFocus();
        story.page().design().selection().select({layer});
        story.key(Qt::Key_M);
        QVERIFY(!findLayer(story.design().network, layer)->muted);
        story.key(Qt::Key_K);
        QVERIFY(findLayer(story.design().network, layer)->muted);
        // With Ctrl it is heard in the whole window.
        {
            Page page(story);
            page.clickKeysOf(QStringLiteral("layer.mute"));
            page.press(Qt::Key_K, Qt::ControlModifier);
        }
        story.window().docks().reveal(QStringLiteral("problems"));
        story.key(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(!findLayer(story.design().network, layer)->muted);
    }

    void thePaletteOutlivesTheFieldThatHadTheFocus() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        auto field = std::make_unique<QLineEdit>(&story.window());
        field->show();
        field->setFocus();
        story.window().showPalette();
        field.reset(); // as the editor of a table's cell goes
        story.type(QStringLiteral("design or run"));
        story.key(Qt::Key_Return);
        QVERIFY(story.window().docks().workspace() == ui::Workspace::run);
    }

    void everyCommandStandsInAMenu() {
        WindowStory story;
        QSet<QAction*> there;
        for (const QMenu* menu : story.window().findChildren<QMenu*>()) {
            for (QAction* action : menu->actions()) {
                there << action;
            }
        }
        for (const ui::CommandInfo& info : story.window().context().commands.all()) {
            QVERIFY2(there.contains(story.window().context().commands.find(info.id)),
                     qPrintable(info.id));
        }
    }

    void whatIsFoundByARuleIsAssignedAtOnce() {
        WindowStory story;
        story.openSample(QStringLiteral("alexnet-one-weird-trick"));
        QVERIFY(story.waitForCheck());
        story.page().view().setFocus();
        story.key(Qt::Key_F, Qt::ControlModifier);
        story.type(QStringLiteral("conv2d filters>200"));
        story.key(Qt::Key_Return, Qt::ControlModifier);
        QStringList selected;
        for (const LayerId layer : story.page().design().selection().list()) {
            selected << QString::fromStdString(findLayer(story.design().network, layer)->name);
        }
        selected.sort();
        QCOMPARE(selected, QStringList({"conv3", "conv4", "conv5"}));
        story.key(Qt::Key_3, Qt::AltModifier);
        for (const Layer& layer : story.design().network.layers) {
            const bool isMeant = selected.contains(QString::fromStdString(layer.name));
            const bool isStacked =
                layer.assignment && layer.assignment->words == std::vector{AxisWord::modelStack};
            if (layer.kind == "conv2d") {
                QCOMPARE(isStacked, isMeant);
            }
        }
    }

    void aKeyOfAnotherIsNamedAndCanBeTaken() {
        WindowStory story;
        const Page page(story);
        page.clickKeysOf(QStringLiteral("layer.mute"));
        page.press(Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(keyOf(story, "layer.mute"), QKeySequence(Qt::Key_M));
        QPushButton* take = page.button(QStringLiteral("Take it from Save"));
        QVERIFY(take != nullptr && take->isVisible());
        QTest::mouseClick(take, Qt::LeftButton);
        QCOMPARE(keyOf(story, "layer.mute"), QKeySequence(Qt::CTRL | Qt::Key_S));
        QVERIFY(keyOf(story, "file.save").isEmpty());
        QCOMPARE(story.keysGivenTwice(), QStringList());
    }

    void escapeAndGesturesLeaveItAsItIs() {
        WindowStory story;
        const Page page(story);
        page.clickKeysOf(QStringLiteral("layer.mute"));
        page.press(Qt::Key_Tab);
        page.press(Qt::Key_Escape);
        page.press(Qt::Key_J);
        QCOMPARE(keyOf(story, "layer.mute"), QKeySequence(Qt::Key_M));
        QVERIFY(page.dialog->isVisible());
    }

    void keysAreRememberedAndReset() {
        WindowStory story;
        ui::CommandSet& commands = story.window().context().commands;
        commands.setKeys(QStringLiteral("layer.mute"), {QKeySequence(Qt::Key_K)});
        commands.setKeys(QStringLiteral("layer.bypass"), {});
        ui::CommandSet next;
        const auto add = [&](const QString& id) -> QAction& {
            return next.add(*commands.info(id), [](bool) {});
        };
        QCOMPARE(add(QStringLiteral("layer.mute")).shortcut(), QKeySequence(Qt::Key_K));
        QVERIFY(add(QStringLiteral("layer.bypass")).shortcuts().isEmpty());
        QVERIFY(next.hasOwnKeys(QStringLiteral("layer.mute")));
        const Page page(story);
        QTest::mouseClick(page.button(QStringLiteral("Reset all")), Qt::LeftButton);
        QCOMPARE(keyOf(story, "layer.mute"), QKeySequence(Qt::Key_M));
        QCOMPARE(keyOf(story, "layer.bypass"), QKeySequence(Qt::Key_B));
        QVERIFY(!QSettings().contains("keys/layer.mute"));
    }

    void presetsHaveNoTwoCommandsOnAKey_data() {
        QTest::addColumn<QString>("preset");
        for (const QString& preset : ui::presetNames()) {
            QTest::newRow(qPrintable(preset)) << preset;
        }
    }
    void presetsHaveNoTwoCommandsOnAKey() {
        QFETCH(const QString, preset);
        WindowStory story;
        ui::CommandSet& commands = story.window().context().commands;
        commands.choosePreset(preset);
        QCOMPARE(story.keysGivenTwice(), QStringList());
        int others = 0;
        for (const ui::CommandInfo& info : commands.all()) {
            const auto keys = ui::presetKeys(preset, info.id);
            others += keys ? 1 : 0;
            QVERIFY2(!keys || commands.find(info.id)->shortcuts() == *keys, qPrintable(info.id));
            QVERIFY2(!commands.hasOwnKeys(info.id), qPrintable(info.id));
        }
        // Every command that it names is there.
        QCOMPARE(others, ui::presetSize(preset));
    }

    void aPresetIsChosenRememberedAndUndone() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const LayerId layer = story.design().network.layers[2].id;
        const auto isMuted = [&] { return findLayer(story.design().network, layer)->muted; };
        const auto choose = [&](Qt::Key first) {
            const Page page(story);
            auto* presets = page.dialog->findChild<QComboBox*>();
            presets->setFocus();
            QTest::keyClick(presets, first); // the first that begins so
            QTest::keyClick(presets, Qt::Key_Return);
        };
        const auto press = [&](Qt::Key key) {
            story.page().view().setFocus();
            story.page().design().selection().select({layer});
            story.key(key);
        };
        choose(Qt::Key_H);
        QCOMPARE(story.window().context().commands.preset(), QStringLiteral("Houdini/Nuke"));
        press(Qt::Key_M);
        QVERIFY(!isMuted());
        press(Qt::Key_D);
        QVERIFY(isMuted());
        ui::CommandSet next; // a later session
        QCOMPARE(next.add(*story.window().context().commands.info(QStringLiteral("layer.mute")),
                          [](bool) {})
                     .shortcut(),
                 QKeySequence(Qt::Key_D));
        choose(Qt::Key_W);
        press(Qt::Key_D);
        QVERIFY(isMuted());
        press(Qt::Key_M);
        QVERIFY(!isMuted());
        QVERIFY(!QSettings().contains("keys/layer.mute"));
    }

    void tooltipsTellTheKey() {
        WindowStory story;
        ui::CommandSet& commands = story.window().context().commands;
        QAction* mute = commands.find(QStringLiteral("layer.mute"));
        QVERIFY(mute->toolTip().endsWith(QStringLiteral("\nM, Ctrl+M")));
        commands.setKeys(QStringLiteral("layer.mute"), {QKeySequence(Qt::CTRL | Qt::Key_K)});
        QVERIFY(mute->toolTip().endsWith(QStringLiteral("\nCtrl+K")));
        commands.resetKeys(QStringLiteral("layer.mute"));
    }

    void f1HelpsOnTheSelectedLayer() {
        WindowStory story;
        story.openSample(QStringLiteral("lenet-mnist"));
        const Layer& layer = story.design().network.layers[2];
        story.page().view().setFocus();
        story.page().design().selection().select({layer.id});
        story.key(Qt::Key_F1);
        auto* help =
            static_cast<ui::HelpPanel*>(story.window().docks().panel(QStringLiteral("help")));
        QTRY_VERIFY(help->isVisible());
        QCOMPARE(help->page(), QStringLiteral("kind:") + QString::fromStdString(layer.kind));
        QVERIFY(help->text().contains(QString::fromStdString(layer.kind)));
    }

    void f1OnTheStartPageListsKeys() {
        WindowStory story;
        story.key(Qt::Key_F1);
        QVERIFY(story.window().findChild<ui::KeyList*>() != nullptr);
    }
};

std::unique_ptr<QObject> makeTestKeys() { return std::make_unique<TestKeys>(); }

#include "tst_keys.moc"
