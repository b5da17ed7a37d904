// SPDX-License-Identifier: Apache-2.0
// Panels that are dragged, and what happens meanwhile.
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/test_main.h"

#include <QDockWidget>
#include <QWindow>

using namespace weft;
using namespace weft::test;

class TestDocks : public QObject {
    Q_OBJECT

    static QDockWidget& dockOf(WindowStory& story, const QString& id) {
        return *story.window().findChild<QDockWidget*>(id);
    }
    static void press(WindowStory& story, QPoint from, QPoint to) {
        QWindow* window = story.window().windowHandle();
        QTest::mousePress(window, Qt::LeftButton, {}, from);
        constexpr int stops = 5;
        for (int i = 1; i <= stops; ++i) {
            QTest::mouseMove(window, from + (to - from) * i / stops);
        }
    }
    static void release(WindowStory& story, QPoint at) {
        QTest::mouseRelease(story.window().windowHandle(), Qt::LeftButton, {}, at);
        QCoreApplication::processEvents();
    }

private Q_SLOTS:
    /// Whoever holds a panel can press the keys of the other workspace, and a run may begin.
    void aWorkspaceIsLeftWhileAPanelIsHeld_data() {
        QTest::addColumn<QSize>("size");
        QTest::addRow("wide") << QSize(1500, 800);
        QTest::addRow("narrow") << QSize(1100, 720);
    }
    void aWorkspaceIsLeftWhileAPanelIsHeld() {
        QFETCH(const QSize, size);
        WindowStory story(size);
        story.openSample(QStringLiteral("quickstart-digits"));
        ui::Docks& docks = story.window().docks();
        QDockWidget& dock = dockOf(story, QStringLiteral("assignment"));
        QVERIFY(dock.isVisible());
        const QWidget& title = *dock.titleBarWidget();
        const QPoint at = title.mapTo(&story.window(), title.rect().center());
        const QPoint off = at + QPoint(-60, 90); // over the docks, which make room for it
        press(story, at, off);
        QVERIFY(dock.isFloating());
        for (int i = 0; i < 3; ++i) {
            docks.setWorkspace(ui::Workspace::run);
            QCoreApplication::processEvents();
            docks.setWorkspace(ui::Workspace::design);
            QCoreApplication::processEvents();
            QVERIFY(dock.isVisible());
            QVERIFY(dock.isFloating()); // it was let go where it was held
        }
        release(story, off);
        docks.reset();
        QVERIFY(!dock.isFloating());
        QVERIFY(dock.isVisible());
    }

    /// The window can be destroyed at any time, for example when the session of the desktop ends.
    void theWindowIsDestroyedWhileAPanelIsHeld_data() {
        QTest::addColumn<QPoint>("way");
        QTest::addRow("over docks") << QPoint(-60, 90);
        QTest::addRow("over the canvas") << QPoint(-500, 90);
        QTest::addRow("over a border") << QPoint(-60, 500);
        QTest::addRow("outside") << QPoint(900, 90);
    }
    void theWindowIsDestroyedWhileAPanelIsHeld() {
        QFETCH(const QPoint, way);
        WindowStory story({1100, 720});
        story.openSample(QStringLiteral("quickstart-digits"));
        const QWidget& title = *dockOf(story, QStringLiteral("assignment")).titleBarWidget();
        const QPoint at = title.mapTo(&story.window(), title.rect().center());
        press(story, at, at + way);
        QTest::qWait(100); // docks move apart
        QVERIFY(dockOf(story, QStringLiteral("assignment")).isFloating());
    }
};

std::unique_ptr<QObject> makeTestDocks() { return std::make_unique<TestDocks>(); }

#include "tst_docks.moc"
