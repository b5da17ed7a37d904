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
    QString file; ///< the file it was opened from; empty: none
    QDateTime when;
};

class Recovery : public QObject {
    Q_OBJECT

public:
    /// Manages the recovery files of this process; `folder` is shared by all processes of the user.
    explicit Recovery(QString folder, QObject* parent = nullptr);
    ~Recovery() override;

    [[nodiscard]] static QString standardFolder();
    /// Saves the document's changes until it is closed.
    void watch(DesignDocument& document);
    /// Returns the designs that dead processes left behind.
    [[nodiscard]] std::vector<LostDesign> lost() const;
    /// Throws Error if the recovery file cannot be read.
    static void restore(const LostDesign& lost, DesignDocument& into);
    static void forget(const LostDesign& lost);
    /// Waits until all pending writes are done; for tests and for the exit.
    void finish();

private:
    void write(DesignDocument& document);
    [[nodiscard]] QString entryOf(const DesignDocument& document) const;

    QString folder_;
    QString session_;
    std::unique_ptr<QLockFile> lock_;
    QThreadPool pool_; ///< one thread, so that writes keep their order
    std::map<const DesignDocument*, int> numbers_;
    int next_ = 0;
};

} // namespace weft::ui
