// SPDX-License-Identifier: Apache-2.0
#include "workspace/setting_form.h"

#include "theme/style.h"
#include "workspace/attribute_rows.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace weft::ui {

SettingForm::SettingForm(WindowContext& context, const QStringList& keys, QWidget* parent)
    : Panel(context, parent) {
    const std::vector<SettingInfo> table = settings();
    for (const QString& key : keys) {
        settings_.push_back(*findSetting(table, key.toStdString()));
    }
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
    for (const SettingInfo& setting : settings_) {
        AttributeField* field = makeField(setting, *content);
        fields_.push_back(field);
        connect(field, &AttributeField::chosen, this,
                [this, &setting, field](const AttributeValue& value) {
                    applyText(setting, *field, QString::fromStdString(toString(value)));
                });
        connect(field, &AttributeField::finished, this, [this] {
            if (design() != nullptr) {
                design()->document().endMerging();
            }
        });
        rows_->addWidget(field);
        if (!setting.kinds.empty()) {
            attributes_.push_back(new AttributeRows(context, setting, field, content));
            rows_->addWidget(attributes_.back());
        }
    }
    rows_->addStretch();
    scroll->setWidget(content);
    if (!fields_.empty()) {
        setFocusProxy(fields_.front());
    }
}

AttributeField* SettingForm::makeField(const SettingInfo& setting, QWidget& parent) const {
    AttributeSpec spec = setting.spec;
    std::vector<ChoiceText> kinds;
    for (const SettingKind& kind : setting.kinds) {
        spec.choices.push_back(kind.name);
        kinds.push_back({QString::fromStdString(kind.title.empty() ? kind.name : kind.title),
                         paragraphs(QString::fromStdString(kind.help))});
    }
    auto* field = new AttributeField(context().look, spec, &parent);
    field->nameChoices(kinds);
    return field;
}

void SettingForm::applyText(const SettingInfo& setting, AttributeField& field,
                            const QString& text) {
    if (design() == nullptr) {
        return;
    }
    const Edited edited = design()->document().tryEdit(
        tr("Change %1").arg(labelOf(setting.spec.name).toLower()),
        [&](Design& target) { return applySetting(target, setting.key(), text.toStdString()); },
        QString::fromStdString(setting.key()));
    field.showProblem(edited.refusal ? QString::fromStdString(edited.refusal->text) : QString());
}

void SettingForm::refresh(unsigned) {
    for (std::size_t i = 0; i < settings_.size(); ++i) {
        const auto value = design() == nullptr
                               ? std::nullopt
                               : settingOf(design()->document().design(), settings_[i].key());
        fields_[i]->setEnabled(value.has_value());
        if (value) {
            fields_[i]->show(
                {.value = *value, .isDefault = *value == settings_[i].spec.defaultValue});
        }
    }
    for (AttributeRows* rows : attributes_) {
        rows->show(design());
    }
}

} // namespace weft::ui
