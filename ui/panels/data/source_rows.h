// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows for the attributes of the data source as its kind declares them, rebuilt when the kind
// changes. Files and folders can be typed, picked or dropped.

#include "workspace/bench.h"
#include <weft/settings.h>

#include <QPointer>
#include <QWidget>

namespace weft::ui {

class AttributeField;
struct FieldValue;

class SourceRows : public QWidget {
    Q_OBJECT

public:
    /// places: the folder and required files; rest: all other attributes.
    enum class Part : std::uint8_t { places, rest };

    SourceRows(Bench& bench, Part part, QWidget* parent = nullptr);

    /// nullptr: shows nothing.
    void show(OpenDesign* design);
    [[nodiscard]] bool isEmpty() const { return fields_.empty(); }

private:
    void build();
    void add(const AttributeSpec& spec);
    void change(AttributeField& field, const DesignDocument::Edit& edit);
    [[nodiscard]] FieldValue valueOf(const AttributeSpec& spec) const;
    [[nodiscard]] QString problemOf(const AttributeSpec& spec) const;

    Bench& bench_;
    Part part_;
    QPointer<OpenDesign> design_;
    const SettingKind* kind_ = nullptr;
    std::vector<AttributeField*> fields_;
};

} // namespace weft::ui
