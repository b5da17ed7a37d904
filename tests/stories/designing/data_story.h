// SPDX-License-Identifier: Apache-2.0
#pragma once
// A window and the hands that give a design its data: boxes opened and chosen from, folders picked
// and dropped, all in the panel Data.

#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/heard.h"

#include <QApplication>
#include <QPointer>
#include <QScrollArea>

class QFileDialog;

namespace weft::test {

class DataStory : public WindowStory {
public:
    explicit DataStory(QSize size = {1600, 1000});

    [[nodiscard]] QWidget& panel() { return *window().docks().panel(QStringLiteral("data")); }
    template <class Kind>
    Kind* part(const QString& name = {}) {
        return panel().findChild<Kind*>(name);
    }
    /// Where it stands in the panel is scrolled to, as a hand would.
    template <class Kind>
    Kind& shown(const QString& name) {
        QPointer<Kind> found;
        const auto isShown = [&] {
            waitUntilHeard();
            found = part<Kind>(name);
            if (found == nullptr || !found->isVisible()) {
                return false;
            }
            part<QScrollArea>()->ensureWidgetVisible(found);
            QCoreApplication::processEvents();
            return found == part<Kind>(name); // else another has taken its place
        };
        if (!QTest::qWaitFor(isShown)) {
            qFatal("%s is not in the panel", qPrintable(name));
        }
        return *found;
    }
    /// By a click on the box and one on the line.
    void choose(const QString& box, const QString& text);
    /// The dialog that asks for a file; nullptr: none comes.
    [[nodiscard]] QFileDialog* picker();
    /// Answers it.
    void pick(const QString& path);
    void dropOn(QWidget& at, const QString& path);
};

} // namespace weft::test
