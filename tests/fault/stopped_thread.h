// SPDX-License-Identifier: Apache-2.0
#pragma once
// One thread of another process held still while its other threads go on: what a hung driver or a
// sick disk makes of a rank, which still beats.

#include <QByteArray>
#include <QString>

namespace weft::test {

class StoppedThread {
public:
    /// The first thread whose name begins so. Of the thread that makes it.
    StoppedThread(int process, const QByteArray& name);
    /// It goes on.
    ~StoppedThread();
    StoppedThread(const StoppedThread&) = delete;
    StoppedThread& operator=(const StoppedThread&) = delete;

    /// Why it is not held; empty where it is.
    [[nodiscard]] const QString& fault() const { return fault_; }
    /// Returns true if it has been killed meanwhile. Its process cannot end before this was asked.
    [[nodiscard]] bool isDead() const;

private:
    int thread_ = 0;
    QString fault_;
};

} // namespace weft::test
