// SPDX-License-Identifier: Apache-2.0
#pragma once
// The open designs in the order of their tabs, and the current one. An open design consists of a
// document with its selection and live check.

#include "document/design_document.h"
#include "document/live_check.h"
#include "runs/run_hub.h"
#include "workspace/selection.h"

#include <QObject>
#include <memory>
#include <set>
#include <vector>

namespace weft::ui {

class OpenDesign : public QObject {
    Q_OBJECT

public:
    OpenDesign(Kinds kinds, PreviewQueue& previewQueue, QObject* parent = nullptr);

    [[nodiscard]] DesignDocument& document() { return document_; }
    [[nodiscard]] const DesignDocument& document() const { return document_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] LiveCheck& check() { return check_; }

    /// Records the present design as the origin of a run, which then belongs to it even if the
    /// design changes.
    void recordRunStart(); ///< a run of the present design then belongs to it
    /// True if the shown run belongs to this design: started from it, opened from its folder, or
    /// with matching layers. Measurements of other runs are not shown on the design.
    [[nodiscard]] bool owns(const RunHub& run) const; ///< the run is of this design

private:
    /// The inputs of the cached result of `owns`.
    struct OwnsInputs {
        std::uint64_t revision = 0;                ///< revision of the document
        std::size_t runNetworks = 0, attempts = 0; ///< counts
        QString file, run;                         ///< path of the design; folder of the run
        bool operator==(const OwnsInputs&) const = default;
    };

    DesignDocument document_;
    Selection selection_;
    LiveCheck check_;
    std::set<std::uint64_t> runNetworkHashes_; ///< hashes of the networks of its runs
    mutable OwnsInputs ownsInputs_;            ///< for which `owns_` holds
    mutable bool owns_ = false;                ///< cached result of `owns`
};

class OpenDesigns : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~OpenDesigns() override;

    [[nodiscard]] const std::vector<std::unique_ptr<OpenDesign>>& all() const { return all_; }
    /// nullptr: the start page is shown.
    [[nodiscard]] OpenDesign* current() const { return current_; }
    OpenDesign& add(std::unique_ptr<OpenDesign> design);
    void setCurrent(OpenDesign* design);
    void close(OpenDesign& design);
    [[nodiscard]] OpenDesign* withFile(const QString& file) const; ///< nullptr: not open

Q_SIGNALS:
    void added(weft::ui::OpenDesign* design);
    void closing(weft::ui::OpenDesign* design); ///< the design is about to be destroyed
    void currentChanged();

private:
    std::vector<std::unique_ptr<OpenDesign>> all_;
    OpenDesign* current_ = nullptr;
};

} // namespace weft::ui
