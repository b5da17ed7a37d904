// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The designs that are open, in the order of their tabs, and the one that is looked at. An open
// design is its document with what belongs to it alone: selection and live check.

#include "document/design_document.h"
#include "document/live_check.h"
#include "session/selection.h"

#include <QObject>
#include <memory>
#include <vector>

namespace weft::ui {

class OpenDesign : public QObject {
    Q_OBJECT

public:
    explicit OpenDesign(Kinds kinds, QObject* parent = nullptr);

    [[nodiscard]] DesignDocument& document() { return document_; }
    [[nodiscard]] const DesignDocument& document() const { return document_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] LiveCheck& check() { return check_; }

private:
    DesignDocument document_;
    Selection selection_;
    LiveCheck check_;
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
