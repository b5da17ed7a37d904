// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings of a design as fields, each by its key as the file has it ("training.learning_rate").
// Below a setting that chooses a kind stand the attributes of that kind. What is typed goes into
// the design as one types.

#include "session/panel.h"
#include "widgets/attribute_field.h"
#include <weft/settings.h>

class QVBoxLayout;

namespace weft::ui {

class AttributeRows;

class SettingForm : public Panel {
    Q_OBJECT

public:
    /// The keys of the settings: "data.batch", "training.optimizer".
    SettingForm(Bench& bench, const QStringList& keys, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    /// The layout of the fields, to which a panel adds what stands above and below its fields.
    [[nodiscard]] QVBoxLayout& rows() { return *rows_; }

private:
    void take(const SettingInfo& setting, AttributeField& field, const QString& text);

    std::vector<SettingInfo> settings_; ///< the kinds of each are its choices
    std::vector<AttributeField*> fields_;
    std::vector<AttributeRows*> attributes_;
    QVBoxLayout* rows_;
};

} // namespace weft::ui
