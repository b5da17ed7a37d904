// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that takes longer than a frame, on a thread of the pool; what comes of it is heard on the
// GUI thread, by an owner that still lives then.

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace weft::ui {

/// `work` must touch nothing of the GUI thread and throw nothing; `done` takes what it returns.
template <class Work, class Done>
void aside(QObject* owner, Work work, Done done) {
    QThreadPool::globalInstance()->start(
        [guard = QPointer<QObject>(owner), work = std::move(work), done = std::move(done)] {
            auto result = std::make_shared<decltype(work())>(work());
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [guard, done, result] {
                    if (guard) {
                        done(*result);
                    }
                },
                Qt::QueuedConnection);
        });
}

/// Before the application goes: what is painted aside needs it until it is done.
inline void endAside() {
    QThreadPool::globalInstance()->clear();
    QThreadPool::globalInstance()->waitForDone();
}

} // namespace weft::ui
