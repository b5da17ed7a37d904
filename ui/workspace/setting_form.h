// SPDX-License-Identifier: Apache-2.0
#pragma once
// A form for settings of a design, one field per key as in the file ("training.learning_rate"). A
// setting that chooses a kind is followed by the attributes of that kind. Typing edits the design
// immediately.

#include "widgets/attribute_field.h"
#include "workspace/panel.h"
#include <weft/settings.h>

class QVBoxLayout;

namespace weft::ui {

class AttributeRows;

class SettingForm : public Panel {
    Q_OBJECT

public:
    /// `keys`: such as "data.batch" or "training.optimizer".
    SettingForm(WindowContext& context, const QStringList& keys, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    /// Returns a field whose choices are the kinds of the setting.
    [[nodiscard]] AttributeField* makeField(const SettingInfo& setting, QWidget& parent) const;
    /// Layout to which a panel can add widgets above and below the fields.
    [[nodiscard]] QVBoxLayout& rows() { return *rows_; } ///< layout of the fields

private:
    void applyText(const SettingInfo& setting, AttributeField& field, const QString& text);

    std::vector<SettingInfo> settings_;
    std::vector<AttributeField*> fields_;    ///< one for each of `settings_`
    std::vector<AttributeRows*> attributes_; ///< rows for settings that choose a kind
    QVBoxLayout* rows_;
};

} // namespace weft::ui
