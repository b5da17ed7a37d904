// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs that live now in the folders that are looked into, whoever started them. Files are read on
// another thread.

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace weft::ui {

class LivingRuns : public QObject {
    Q_OBJECT

public:
    explicit LivingRuns(QObject* parent = nullptr);

    /// Looks now; then, as long as some live, every few seconds.
    void lookInto(const QStringList& foldersOfRuns);
    /// Their folders, newest first.
    [[nodiscard]] const QStringList& folders() const { return found_; }

Q_SIGNALS:
    void changed();

private:
    void look();

    QStringList places_;
    QStringList found_;
    int asked_ = 0;
    QTimer again_;
};

/// A run as a list names it: the design's name, the host where it isn't this one, and the time of
/// day, "lenet, 14:02", "lenet on cluster, 14:02".
[[nodiscard]] QString titleOfRun(const QString& folder);
/// The name that it was given, without the date that its folder's begins with.
[[nodiscard]] QString nameOfRun(const QString& folder);

} // namespace weft::ui
