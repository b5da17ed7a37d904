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

    void searchFolders(const QStringList& foldersOfRuns); ///< now, and again while runs are live
    /// Folders of the live runs, newest first.
    [[nodiscard]] const QStringList& folders() const { return liveFolders_; }

Q_SIGNALS:
    void changed(); ///< `folders` has changed

private:
    void startSearch(); ///< on another thread

    QStringList parentFolders_; ///< folders that contain runs
    QStringList liveFolders_;   ///< folders of live runs, newest first
    int newestSearch_ = 0;      ///< number of the newest search
    QTimer repeatTimer_;        ///< active while there are live runs
};

/// Returns the title of a run in lists: the design's name, the host if it is another one, and the
/// time of day: "lenet, 14:02", "lenet on cluster, 14:02".
[[nodiscard]] QString titleOfRun(const QString& folder);
/// Returns the name of a run without the date at the beginning of its folder's name.
[[nodiscard]] QString nameOfRun(const QString& folder);

} // namespace weft::ui
