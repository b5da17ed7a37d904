// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The attributes of the kind that a setting chooses ("training.optimizer"), a field each as the
// kind declares them. The fields are made anew when the design chooses another kind.

#include "session/bench.h"
#include <weft/settings.h>

#include <QPointer>
#include <QWidget>

namespace weft::ui {

class AttributeField;
struct FieldValue;

class AttributeRows : public QWidget {
    Q_OBJECT

public:
    /// `before` is the field that the Tab key leaves for the first of these.
    AttributeRows(Bench& bench, SettingInfo setting, QWidget* before, QWidget* parent = nullptr);

    /// nullptr: no fields are shown.
    void show(OpenDesign* design);

private:
    void build();
    void add(const AttributeSpec& spec);
    /// Sets the attribute by its key in the file; "null" brings back the default.
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
