// SPDX-License-Identifier: Apache-2.0
#pragma once
// What panels show follows what was done a moment later: each hears of all of it at once, by a
// timer of no time.

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
    QCoreApplication::processEvents(); // what they have added is laid out
}

} // namespace weft::test
