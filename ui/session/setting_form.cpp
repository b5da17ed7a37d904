// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/setting_form.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace weft::ui {

SettingForm::SettingForm(Bench& bench, std::vector<Setting> settings, QWidget* parent)
    : Panel(bench, parent), settings_(std::move(settings)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(scroll);
    auto* content = new QWidget(scroll);
    rows_ = new QVBoxLayout(content);
    rows_->setContentsMargins(0, tokens().sizes.space.l, 0, tokens().sizes.space.l);
    rows_->setSpacing(2);
    for (const Setting& setting : settings_) {
        auto* field = new AttributeField(bench.look, setting.spec, content);
        fields_.push_back(field);
        connect(field, &AttributeField::chosen, this,
                [this, &setting, field](const AttributeValue& value) {
                    take(setting, *field, QString::fromStdString(toString(value)));
                });
        connect(field, &AttributeField::finished, this, [this] {
            if (design() != nullptr) {
                design()->document().endMerging();
            }
        });
        rows_->addWidget(field);
    }
    rows_->addStretch();
    scroll->setWidget(content);
    if (!fields_.empty()) {
        setFocusProxy(fields_.front());
    }
}

void SettingForm::take(const Setting& setting, AttributeField& field, const QString& text) {
    if (design() == nullptr) {
        return;
    }
    const Edited edited = design()->document().tryEdit(
        tr("Change %1").arg(labelOf(setting.spec.name).toLower()),
        [&](Design& target) {
            return applySetting(target, setting.key.toStdString(), text.toStdString());
        },
        setting.key);
    field.showProblem(edited.refusal ? QString::fromStdString(edited.refusal->text) : QString());
}

void SettingForm::refresh(unsigned) {
    for (std::size_t i = 0; i < settings_.size(); ++i) {
        fields_[i]->setEnabled(design() != nullptr);
        if (design() != nullptr) {
            const AttributeValue value = settings_[i].read(design()->document().design());
            fields_[i]->show({.value = value, .isDefault = value == settings_[i].spec.fallback});
        }
    }
}

} // namespace weft::ui
