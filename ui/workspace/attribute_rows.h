// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows for the attributes of the kind that a setting chooses ("training.optimizer"), as the kind
// declares them, rebuilt when the kind changes.

#include "workspace/window_context.h"
#include <weft/edits.h>
#include <weft/settings.h>

#include <QPointer>
#include <QWidget>

namespace weft::ui {

class AttributeField;
struct FieldValue;

class AttributeRows : public QWidget {
    Q_OBJECT

public:
    /// The Tab key leads from `before`, if given, to the first row.
    AttributeRows(WindowContext& context, SettingInfo setting, QWidget* before,
                  QWidget* parent = nullptr);

    void show(OpenDesign* design); ///< nullptr: shows nothing
    [[nodiscard]] bool isEmpty() const { return fields_.empty(); }

protected:
    /// True if the attribute has a row here.
    [[nodiscard]] virtual bool has(const AttributeSpec& /*spec*/) const { return true; }
    virtual void added(AttributeField& /*field*/) {} ///< called for each new row
    /// Sets the attribute; none: restores its default.
    virtual Edited set(Design& target, const std::string& name,
                       const std::optional<AttributeValue>& value) const;
    [[nodiscard]] WindowContext& context() { return context_; }
    [[nodiscard]] OpenDesign* design() const { return design_; }

private:
    void build();                        ///< rebuilds all rows
    void add(const AttributeSpec& spec); ///< a row for the attribute
    void change(AttributeField& field, const std::optional<AttributeValue>& value);
    [[nodiscard]] std::string settingKeyOf(const std::string& name) const;
    [[nodiscard]] FieldValue valueOf(const AttributeSpec& spec) const;
    [[nodiscard]] QString problemOf(const AttributeSpec& spec) const; ///< text; empty: none

    WindowContext& context_;
    SettingInfo setting_;     ///< the setting that chooses the kind
    QWidget* tabPredecessor_; ///< before the first row in the tab order; or nullptr
    QPointer<OpenDesign> design_;
    const SettingKind* kind_ = nullptr; ///< the chosen kind; nullptr: none or unknown
    std::vector<AttributeField*> fields_;
};

} // namespace weft::ui
