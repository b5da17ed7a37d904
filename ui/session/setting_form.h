// SPDX-License-Identifier: Apache-2.0
#pragma once
// Settings of a design as fields: each by its key as the file has it ("training.learning_rate").
// What is typed goes into the design as one types.

#include "session/panel.h"
#include "widgets/attribute_field.h"

class QVBoxLayout;

namespace weft::ui {

struct Setting {
    QString key;
    AttributeSpec spec; ///< as the table of settings has it
    /// Nothing: the design's optimizer, say, has no such attribute.
    std::function<std::optional<AttributeValue>(const Design&)> read;
};

class SettingForm : public Panel {
    Q_OBJECT

public:
    /// By their keys: "data.batch", "training.optimizer.with.momentum".
    SettingForm(Bench& bench, const QStringList& keys, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    /// Communicator for what a panel adds above and below its fields.
    [[nodiscard]] QVBoxLayout& rows() { return *rows_; }

private:
    void take(const Setting& setting, AttributeField& field, const QString& text);

    std::vector<Setting> settings_;
    std::vector<AttributeField*> fields_;
    QVBoxLayout* rows_;
};

} // namespace weft::ui
