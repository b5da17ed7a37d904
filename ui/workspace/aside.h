// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs long work on the thread pool and delivers its result on the GUI thread, unless its owner has
// been destroyed meanwhile.

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace weft::ui {

/// `work` must not use objects of the GUI thread and must not throw; `done` receives its result.
template <class Work, class Done>
void runInBackground(QObject* owner, Work work, Done done) {
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

/// Waits for all work before the application is destroyed, because painting on other threads needs
/// the application.
inline void finishBackgroundWork() { ///< waits for it; before the application is destroyed
    QThreadPool::globalInstance()->clear();
    QThreadPool::globalInstance()->waitForDone();
}

} // namespace weft::ui
