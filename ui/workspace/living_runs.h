// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds live runs in the given folders, whoever started them. Files are read on another thread.

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace weft::ui {

class LivingRuns : public QObject {
    Q_OBJECT

public:
    explicit LivingRuns(QObject* parent = nullptr);

    /// Searches now and, while there are live runs, every few seconds.
    void lookInto(const QStringList& foldersOfRuns);
    /// Folders of the live runs, newest first.
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

/// Returns the title of a run in lists: the design's name, the host if it is another one, and the
/// time of day: "lenet, 14:02", "lenet on cluster, 14:02".
[[nodiscard]] QString titleOfRun(const QString& folder);
/// Returns the name of a run without the date at the beginning of its folder's name.
[[nodiscard]] QString nameOfRun(const QString& folder);

} // namespace weft::ui
