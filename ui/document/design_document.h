// SPDX-License-Identifier: Apache-2.0
#pragma once
// An open design: its value, its file and its undo history. Views read `design()` and listen to
// `changed`; only `edit` changes it. Lives on the GUI thread.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>
#include <weft/edits.h>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <vector>

namespace weft::ui {

using Kinds = std::shared_ptr<const std::vector<LayerKindInfo>>;

/// Describes a change to the views.
struct DesignChange {
    std::uint64_t revision = 0;    ///< after the change
    bool isOnlyAppearance = false; ///< only positions and texts; needs no new check
};

class DesignDocument : public QObject {
    Q_OBJECT

public:
    explicit DesignDocument(Kinds kinds, QObject* parent = nullptr);
    ~DesignDocument() override;

    [[nodiscard]] const Design& design() const { return design_; }
    [[nodiscard]] const Kinds& kinds() const { return kinds_; }
    /// Increases with every change, including undo.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    using Edit = std::function<Edited(Design&)>; ///< changes the design
    /// Makes one undo step, shown as "Undo <name>". A refused edit changes nothing and emits
    /// `refused`. Successive edits with the same `merge` key form one step, for example a drag or a
    /// typed number.
    Edited edit(const QString& name, const Edit& change, const QString& merge = {});
    /// Like `edit`, but without emitting `refused`: an incomplete word is not an error while the
    /// user is typing.
    Edited tryEdit(const QString& name, const Edit& change, const QString& merge = {});
    void endMerging(); ///< the next edit starts a new undo step
    /// Combines all edits until `endStep` into one undo step of this name; adds no step if there
    /// was no edit. Saving in between splits the step.
    void beginStep(const QString& name); ///< all edits until `endStep` form one undo step
    void endStep();                      ///< ends `beginStep`
    [[nodiscard]] QUndoStack& history() { return history_; } ///< undo steps

    [[nodiscard]] const QString& file() const { return file_; } ///< empty: never saved
    [[nodiscard]] QString title() const; ///< title of the tab: the name of the file or the design
    [[nodiscard]] bool isModified() const { return !history_.isClean(); }
    /// Problems with content of the file that could not be read.
    [[nodiscard]] const std::vector<Diagnostic>& loadProblems() const { return loadProblems_; }

    /// Replaces the document by a design without a file, for example a template. With `isUnsaved`,
    /// it counts as modified.
    void setDesign(Design design, bool isUnsaved); ///< replaces the document; it has no file then
    /// Replaces the document by a recovered design, as the unsaved state of `file`; an empty name:
    /// no file.
    void recover(Design design, const QString& file); ///< as unsaved state of `file`
    /// Loads a file; throws Error and changes nothing if that fails. This function and those above
    /// assign positions to layers without one, which doesn't count as a modification.
    void load(const QString& file);
    void save();                                 ///< to `file()`; throws Error
    void saveAs(const QString& file);            ///< throws Error
    [[nodiscard]] bool hasChangedOnDisk() const; ///< since the file was last read or written here

Q_SIGNALS:
    void changed(const weft::ui::DesignChange& change);
    /// Emitted before `changed`, for edits only. `before` is the design at the start of the undo
    /// step, which may include earlier edits (`isContinued`).
    void edited(const QString& name, const weft::Design& before, bool isContinued);
    void refused(const weft::Diagnostic& why); ///< an edit was refused
    void fileChanged(); ///< the file, the title or the modified state has changed

private:
    friend class EditStep;
    void applyUndoStep(const class DesignDelta& delta, bool isForward); ///< or redoes
    void reset(Design design);              ///< replaces the design and clears the history
    void rememberFile(const QString& file); ///< and its hash

    Kinds kinds_;
    Design design_;
    std::uint64_t revision_ = 0; ///< increases with every change, including undo
    QUndoStack history_;         ///< undo steps
    QString mergeKey_;           ///< key of the last edit; empty: no merging
    int mergeNumber_ = 0;        ///< counts merges, so that two merges with one key stay separate
    std::unique_ptr<Design> mergeBase_; ///< design before the merged edits
    std::unique_ptr<Design> stepBase_;  ///< design before the open step
    QString stepName_;                  ///< name of the open step
    QString file_;
    QByteArray fileHash_; ///< hash of the file when it was last read or written
    std::vector<Diagnostic> loadProblems_;
};

/// Returns the folder for relative file names in the design; empty: the working directory of the
/// process.
[[nodiscard]] QString dataFolderOf(const DesignDocument& document);

} // namespace weft::ui
