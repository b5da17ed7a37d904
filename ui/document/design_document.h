// SPDX-License-Identifier: Apache-2.0
#pragma once
// One open design: the plain value, its file, its history. Views read `design()` and hear
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

/// What a view must do anew.
struct DesignChange {
    std::uint64_t revision = 0;
    /// Only where things stand on the canvas: nothing that is checked or computed.
    bool isOnlyAppearance = false;
};

class DesignDocument : public QObject {
    Q_OBJECT

public:
    explicit DesignDocument(Kinds kinds, QObject* parent = nullptr);
    ~DesignDocument() override;

    [[nodiscard]] const Design& design() const { return design_; }
    [[nodiscard]] const Kinds& kinds() const { return kinds_; }
    /// Grows with every change, undone ones too.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    using Edit = std::function<Edited(Design&)>;
    /// One step of the history, readable as "Undo <name>". A refused edit changes nothing and is
    /// told by `refused` too. Steps in a row with the same `merge` are one: a drag, a number typed.
    Edited edit(const QString& name, const Edit& change, const QString& merge = {});
    /// The same, and a refusal is the caller's to show: while one types, half a word is no failure.
    Edited tryEdit(const QString& name, const Edit& change, const QString& merge = {});
    /// The next edit begins a step of its own whatever its `merge`.
    void endMerging();
    /// All edits until `endStep` are one step of this name; without a change there is none. Saving
    /// between ends it and begins another.
    void beginStep(const QString& name);
    void endStep();
    [[nodiscard]] QUndoStack& history() { return history_; }

    /// Empty for a design that has never been saved.
    [[nodiscard]] const QString& file() const { return file_; }
    /// What stands in a tab: the file's name, or the design's.
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool isModified() const { return !history_.isClean(); }
    /// What the file held and could not be understood.
    [[nodiscard]] const std::vector<Diagnostic>& loadProblems() const { return loadProblems_; }

    /// A design that belongs to no file yet: a template, what was recovered. Modified from the
    /// start when `isUnsaved`.
    void setDesign(Design design, bool isUnsaved);
    /// What was lost, as the unsaved state of its file; an empty name: of none.
    void recover(Design design, const QString& file);
    /// Throws Error and stays as it was. Here as above what has no place on the canvas is given
    /// one, which is no change of the design.
    void load(const QString& file);
    void save();
    void saveAs(const QString& file);
    /// Whether the file is no longer what was read or written here.
    [[nodiscard]] bool hasChangedOnDisk() const;

Q_SIGNALS:
    void changed(const weft::ui::DesignChange& change);
    /// Before `changed`, of edits alone: what the step of the history began with, which may have
    /// begun with an earlier edit.
    void edited(const QString& name, const weft::Design& before, bool isContinued);
    void refused(const weft::Diagnostic& why);
    /// The file, the title or whether it is modified.
    void fileChanged();

private:
    friend class EditStep;
    void take(const class DesignDelta& delta, bool isForward);
    void reset(Design design);
    void remember(const QString& file);

    Kinds kinds_;
    Design design_;
    std::uint64_t revision_ = 0;
    QUndoStack history_;
    QString mergeKey_;
    int stretch_ = 0; ///< counts merges, so that two of one key stay apart
    std::unique_ptr<Design> mergeBase_;
    std::unique_ptr<Design> stepBase_; ///< of the step that is open
    QString stepName_;
    QString file_;
    QByteArray fileHash_;
    std::vector<Diagnostic> loadProblems_;
};

/// Where the files are looked for that it names; empty: where the program was started.
[[nodiscard]] QString dataFolderOf(const DesignDocument& document);

} // namespace weft::ui
