// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows for the attributes of the kind that a setting chooses ("training.optimizer"), as the kind
// declares them, rebuilt when the kind changes.

#include "workspace/bench.h"
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
    AttributeRows(Bench& bench, SettingInfo setting, QWidget* before, QWidget* parent = nullptr);

    /// nullptr: shows nothing.
    void show(OpenDesign* design);
    [[nodiscard]] bool isEmpty() const { return fields_.empty(); }

protected:
    /// True if the attribute has a row here.
    [[nodiscard]] virtual bool has(const AttributeSpec& /*spec*/) const { return true; }
    /// Called for each new row.
    virtual void added(AttributeField& /*field*/) {}
    /// Sets the attribute; none: restores its default.
    virtual Edited set(Design& target, const std::string& name,
                       const std::optional<AttributeValue>& value) const;
    [[nodiscard]] Bench& bench() { return bench_; }
    [[nodiscard]] OpenDesign* design() const { return design_; }

private:
    void build();
    void add(const AttributeSpec& spec);
    void change(AttributeField& field, const std::optional<AttributeValue>& value);
    [[nodiscard]] std::string keyOf(const std::string& name) const;
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
