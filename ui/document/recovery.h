// SPDX-License-Identifier: Apache-2.0
#pragma once
// Saves unsaved designs in a recovery folder, so that a crash loses only seconds of work. A
// recovery file is written shortly after each change on a separate thread, and deleted once the
// design is saved or closed. The next process offers the recovery files of a crashed one.

#include "document/design_document.h"

#include <QDateTime>
#include <QThreadPool>
#include <map>
#include <memory>

class QLockFile;

namespace weft::ui {

/// An unsaved design of a process that has died.
struct LostDesign {
    QString entry; ///< path of the recovery file
    QString title;
    QString file;   ///< the file it was opened from; empty: none
    QDateTime when; ///< time of the last save
};

class Recovery : public QObject {
    Q_OBJECT

public:
    /// Manages the recovery files of this process; `folder` is shared by all processes of the user.
    explicit Recovery(QString folder, QObject* parent = nullptr);
    ~Recovery() override;

    [[nodiscard]] static QString standardFolder();      ///< in the user's data folder
    void watch(DesignDocument& document);               ///< saves its changes until it is closed
    [[nodiscard]] std::vector<LostDesign> lost() const; ///< left behind by dead processes
    static void restore(const LostDesign& lost, DesignDocument& into); ///< throws Error
    static void forget(const LostDesign& lost); ///< deletes the recovery file
    void finish();                              ///< waits until all pending writes are done

private:
    void write(DesignDocument& document); ///< its recovery file, on another thread
    [[nodiscard]] QString recoveryFileOf(const DesignDocument& document) const; ///< path

    QString folder_;                  ///< shared by all processes of the user
    QString processId_;               ///< random, begins the names of this process' files
    std::unique_ptr<QLockFile> lock_; ///< held while this process lives
    QThreadPool pool_;                ///< one thread, so that writes keep their order
    std::map<const DesignDocument*, int> numbers_; ///< number of each document in its file's name
    int nextNumber_ = 0;
};

} // namespace weft::ui
