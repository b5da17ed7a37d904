// SPDX-License-Identifier: Apache-2.0
#include "document/design_document.h"

#include "document/design_delta.h"
#include "layout/arrange.h"
#include <weft/design_file.h>

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QUndoCommand>

namespace weft::ui {

/// An undo step. It is created after the change, so its first redo does nothing.
class EditStep : public QUndoCommand {
public:
    EditStep(DesignDocument& document, const QString& name, DesignDelta delta, int mergeNumber)
        : QUndoCommand(name),
          document_(document),
          delta_(std::move(delta)),
          mergeNumber_(mergeNumber) {}

    void undo() override { document_.applyUndoStep(delta_, false); }
    void redo() override {
        if (isDone_) {
            document_.applyUndoStep(delta_, true);
        }
        isDone_ = true;
    }
    [[nodiscard]] int id() const override { return mergeNumber_ > 0 ? 1 : -1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto& step = static_cast<const EditStep&>(*next);
        if (step.mergeNumber_ != mergeNumber_) {
            return false;
        }
        delta_ = DesignDelta(*document_.mergeBase_, document_.design_);
        setText(step.text());
        setObsolete(delta_.isEmpty());
        return true;
    }

private:
    DesignDocument& document_;
    DesignDelta delta_;
    int mergeNumber_; ///< steps with the same number are merged; 0: never merged
    bool isDone_ = false;
};

namespace {

QByteArray hashOf(const QString& file) {
    QFile open(file);
    // Opening a pipe would block until another process writes to it.
    if (!QFileInfo(open).isFile() || !open.open(QIODevice::ReadOnly)) {
        return {};
    }
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(&open);
    return hash.result();
}

} // namespace

DesignDocument::DesignDocument(Kinds kinds, QObject* parent)
    : QObject(parent), kinds_(std::move(kinds)) {
    connect(&history_, &QUndoStack::cleanChanged, this, &DesignDocument::fileChanged);
}

DesignDocument::~DesignDocument() { history_.disconnect(this); }

Edited DesignDocument::edit(const QString& name, const Edit& change, const QString& merge) {
    Edited edited = tryEdit(name, change, merge);
    if (edited.refusal) {
        emit refused(*edited.refusal);
    }
    return edited;
}

Edited DesignDocument::tryEdit(const QString& name, const Edit& change, const QString& merge) {
    Design after = design_;
    Edited edited = change(after);
    if (!edited.isDone()) {
        return edited;
    }
    DesignDelta delta(design_, after);
    if (delta.isEmpty()) {
        return edited;
    }
    const bool isOnlyAppearance = delta.isOnlyAppearance();
    if (stepBase_) {
        design_ = std::move(after);
        ++revision_;
        emit changed({revision_, isOnlyAppearance});
        return edited;
    }
    bool isContinued = false;
    if (merge.isEmpty()) {
        endMerging();
    } else if (merge != mergeKey_ || !mergeBase_) {
        mergeBase_ = std::make_unique<Design>(design_);
        mergeKey_ = merge;
        ++mergeNumber_;
    } else {
        isContinued = true;
    }
    const Design before = std::exchange(design_, std::move(after));
    ++revision_;
    history_.push(new EditStep(*this, name, std::move(delta), merge.isEmpty() ? 0 : mergeNumber_));
    emit this->edited(name, isContinued ? *mergeBase_ : before, isContinued);
    emit changed({revision_, isOnlyAppearance});
    return edited;
}

void DesignDocument::beginStep(const QString& name) {
    endMerging();
    stepBase_ = std::make_unique<Design>(design_);
    stepName_ = name;
}

void DesignDocument::endStep() {
    const std::unique_ptr<Design> base = std::move(stepBase_);
    if (!base) {
        return;
    }
    if (DesignDelta delta(*base, design_); !delta.isEmpty()) {
        history_.push(new EditStep(*this, stepName_, std::move(delta), 0));
    }
}

void DesignDocument::endMerging() {
    mergeKey_.clear();
    mergeBase_.reset();
}

QString DesignDocument::title() const {
    if (!file_.isEmpty()) {
        return QFileInfo(file_).fileName();
    }
    return design_.name.empty() ? tr("Untitled") : QString::fromStdString(design_.name);
}

void DesignDocument::setDesign(Design design, bool isUnsaved) {
    file_.clear();
    fileHash_.clear();
    loadProblems_.clear();
    reset(std::move(design));
    if (isUnsaved) {
        history_.resetClean();
    }
    emit fileChanged();
}

void DesignDocument::recover(Design design, const QString& file) {
    loadProblems_.clear();
    file_.clear();
    fileHash_.clear();
    if (!file.isEmpty()) {
        rememberFile(file);
    }
    reset(std::move(design));
    history_.resetClean();
    emit fileChanged();
}

void DesignDocument::load(const QString& file) {
    LoadedDesign loaded = loadDesign(file.toStdString(), *kinds_);
    loadProblems_ = std::move(loaded.diagnostics);
    rememberFile(file);
    reset(std::move(loaded.design));
    emit fileChanged();
}

void DesignDocument::save() { saveAs(file_); }

void DesignDocument::saveAs(const QString& file) {
    saveDesign(design_, file.toStdString());
    rememberFile(file);
    endMerging();
    const bool isInStep = stepBase_ != nullptr;
    endStep();
    history_.setClean();
    if (isInStep) {
        beginStep(stepName_);
    }
    emit fileChanged();
}

bool DesignDocument::hasChangedOnDisk() const {
    return !file_.isEmpty() && hashOf(file_) != fileHash_;
}

void DesignDocument::applyUndoStep(const DesignDelta& delta, bool isForward) {
    delta.apply(design_, isForward ? Direction::forward : Direction::backward);
    endMerging();
    ++revision_;
    emit changed({revision_, delta.isOnlyAppearance()});
}

void DesignDocument::reset(Design design) {
    endMerging();
    history_.clear();
    constexpr double aspect = 1.5; // width / height of the canvas between its docks
    design_ = placed(std::move(design), *kinds_, aspect);
    ++revision_;
    emit changed({revision_, false});
}

void DesignDocument::rememberFile(const QString& file) {
    file_ = QFileInfo(file).absoluteFilePath();
    fileHash_ = hashOf(file_);
}

QString dataFolderOf(const DesignDocument& document) {
    return document.file().isEmpty() ? QString() : QFileInfo(document.file()).absolutePath();
}

} // namespace weft::ui
