// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waits until panels show the effect of an edit: each panel is refreshed once by a timer with no
// delay.

#include <QCoreApplication>
#include <QTest>
#include <QTimer>

namespace weft::test {

/// Until what was to hear of what was done so far has heard of it, and shows it.
inline void waitUntilHeard() {
    QTimer last;
    last.setSingleShot(true);
    last.start(0); // the others were started before, and so they end before
    (void)QTest::qWaitFor([&] { return !last.isActive(); });
    QCoreApplication::processEvents(); // lays out the widgets that they have added
}

} // namespace weft::test
