// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keeps what is not saved beside the designs' own files, so that a program that dies loses seconds:
// written a moment after each change, on a thread of its own; gone once saved or closed. What a
// program that has died left behind is offered by the next.

#include "document/design_document.h"

#include <QDateTime>
#include <QThreadPool>
#include <map>
#include <memory>

class QLockFile;

namespace weft::ui {

/// A design that was not saved when its program died.
struct LostDesign {
    QString entry; ///< where it is kept
    QString title;
    QString file; ///< it was opened from; empty: none
    QDateTime when;
};

class Recovery : public QObject {
    Q_OBJECT

public:
    /// Recovery files of this process; `folder` is shared by all processes of the user.
    explicit Recovery(QString folder, QObject* parent = nullptr);
    ~Recovery() override;

    [[nodiscard]] static QString standardFolder();
    /// Until it is closed.
    void watch(DesignDocument& document);
    /// What others left that no longer live.
    [[nodiscard]] std::vector<LostDesign> lost() const;
    /// Throws Error where it cannot be read.
    static void restore(const LostDesign& lost, DesignDocument& into);
    static void forget(const LostDesign& lost);
    /// All that is being written has been; for tests and the end.
    void finish();

private:
    void write(DesignDocument& document);
    [[nodiscard]] QString entryOf(const DesignDocument& document) const;

    QString folder_;
    QString session_;
    std::unique_ptr<QLockFile> lock_;
    QThreadPool pool_; ///< one thread: of two writings the later one stays
    std::map<const DesignDocument*, int> numbers_;
    int next_ = 0;
};

} // namespace weft::ui
