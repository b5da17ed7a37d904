// SPDX-License-Identifier: Apache-2.0
#pragma once
// The designs that are open, in the order of their tabs, and the one that is looked at. An open
// design is its document with what belongs to it alone: selection, live check and runs.

#include "document/design_document.h"
#include "document/live_check.h"
#include "session/run_hub.h"
#include "session/selection.h"

#include <QObject>
#include <memory>
#include <set>
#include <vector>

namespace weft::ui {

class OpenDesign : public QObject {
    Q_OBJECT

public:
    OpenDesign(Kinds kinds, Planner& planner, QObject* parent = nullptr);

    [[nodiscard]] DesignDocument& document() { return document_; }
    [[nodiscard]] const DesignDocument& document() const { return document_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] LiveCheck& check() { return check_; }

    /// Its run begins soon, as it stands: that one is its own whatever becomes of it.
    void beginRun();
    /// Whether the run that is looked at is one of this design: begun from it, opened from its
    /// folder, or told by its layers. What another design's run measured is shown nowhere on it.
    [[nodiscard]] bool owns(const RunHub& run) const;

private:
    /// What the answer depends on.
    struct Asked {
        std::uint64_t revision = 0;
        std::size_t began = 0, attempts = 0;
        QString file, run;
        bool operator==(const Asked&) const = default;
    };

    DesignDocument document_;
    Selection selection_;
    LiveCheck check_;
    std::set<std::uint64_t> began_; ///< fingerprints of its networks
    mutable Asked asked_;
    mutable bool owns_ = false;
};

class OpenDesigns : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~OpenDesigns() override;

    [[nodiscard]] const std::vector<std::unique_ptr<OpenDesign>>& all() const { return all_; }
    /// nullptr: the start page.
    [[nodiscard]] OpenDesign* current() const { return current_; }
    OpenDesign& add(std::unique_ptr<OpenDesign> design);
    void setCurrent(OpenDesign* design);
    void close(OpenDesign& design);
    /// The one that has this file; nullptr where none does.
    [[nodiscard]] OpenDesign* withFile(const QString& file) const;

Q_SIGNALS:
    void added(weft::ui::OpenDesign* design);
    /// Before it goes.
    void closing(weft::ui::OpenDesign* design);
    void currentChanged();

private:
    std::vector<std::unique_ptr<OpenDesign>> all_;
    OpenDesign* current_ = nullptr;
};

} // namespace weft::ui
