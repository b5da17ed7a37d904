// SPDX-License-Identifier: Apache-2.0
#pragma once
// The attributes of the source that a design has, a row each, as its kind declares them; made anew
// where it is another kind. Files and folders are typed, picked or dropped.

#include "session/bench.h"
#include <weft/settings.h>

#include <QPointer>
#include <QWidget>

namespace weft::ui {

class AttributeField;
struct FieldValue;

class SourceRows : public QWidget {
    Q_OBJECT

public:
    /// Where the examples lie: the folder, and files that must be named. The rest.
    enum class Part : std::uint8_t { places, rest };

    SourceRows(Bench& bench, Part part, QWidget* parent = nullptr);

    /// nullptr: nothing is shown.
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
