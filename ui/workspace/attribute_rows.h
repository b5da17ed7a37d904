// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows for the attributes of the kind that a setting chooses ("training.optimizer"), as the kind
// declares them, rebuilt when the kind changes.

#include "workspace/bench.h"
#include <weft/settings.h>

#include <QPointer>
#include <QWidget>

namespace weft::ui {

class AttributeField;
struct FieldValue;

class AttributeRows : public QWidget {
    Q_OBJECT

public:
    /// The Tab key leads from `before` to the first row.
    AttributeRows(Bench& bench, SettingInfo setting, QWidget* before, QWidget* parent = nullptr);

    /// nullptr: shows nothing.
    void show(OpenDesign* design);

private:
    void build();
    void add(const AttributeSpec& spec);
    /// Sets the attribute by its key in the file; "null" restores the default.
    void change(AttributeField& field, const std::string& text);
    [[nodiscard]] FieldValue valueOf(const AttributeSpec& spec) const;
    [[nodiscard]] QString problemOf(const AttributeSpec& spec) const;

    Bench& bench_;
    SettingInfo setting_;
    QWidget* before_;
    QPointer<OpenDesign> design_;
    const SettingKind* kind_ = nullptr;
    std::vector<AttributeField*> fields_;
};

} // namespace weft::ui
