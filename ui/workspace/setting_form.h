// SPDX-License-Identifier: Apache-2.0
#pragma once
// A form for settings of a design, one field per key as in the file ("training.learning_rate").
// Typing edits the design immediately.

#include "widgets/attribute_field.h"
#include "workspace/panel.h"

class QVBoxLayout;

namespace weft::ui {

struct Setting {
    QString key;
    AttributeSpec spec; ///< from the table of settings
    /// Returns std::nullopt if the setting does not apply, for example if the optimizer has no such
    /// attribute.
    std::function<std::optional<AttributeValue>(const Design&)> read;
};

class SettingForm : public Panel {
    Q_OBJECT

public:
    /// `keys`: such as "data.batch" or "training.optimizer.with.momentum".
    SettingForm(Bench& bench, const QStringList& keys, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    /// Layout to which a panel can add widgets above and below the fields.
    [[nodiscard]] QVBoxLayout& rows() { return *rows_; }

private:
    void take(const Setting& setting, AttributeField& field, const QString& text);

    std::vector<Setting> settings_;
    std::vector<AttributeField*> fields_;
    QVBoxLayout* rows_;
};

} // namespace weft::ui
