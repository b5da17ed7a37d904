// SPDX-License-Identifier: Apache-2.0
#include "workspace/setting_form.h"

#include <weft/settings.h>

#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

const AttributeSpec* attributeOf(const SettingKind& kind, const std::string& name) {
    const auto found = std::ranges::find(kind.attributes, name, &AttributeSpec::name);
    return found == kind.attributes.end() ? nullptr : &*found;
}

/// Reads the attribute of the chosen kind; the field is created from the first kind that has this
/// attribute.
Setting attributeSetting(const SettingInfo& info, const QString& key) {
    const std::string name = key.section('.', -1).toStdString();
    const auto has = [&](const SettingKind& kind) { return attributeOf(kind, name) != nullptr; };
    const auto first = std::ranges::find_if(info.kinds, has);
    return {key, *attributeOf(*first, name),
            [info, name](const Design& design) -> std::optional<AttributeValue> {
                const auto chosen = std::get<std::string>(*settingOf(design, info.key()));
                const auto kind = std::ranges::find(info.kinds, chosen, &SettingKind::name);
                const AttributeSpec* spec =
                    kind == info.kinds.end() ? nullptr : attributeOf(*kind, name);
                if (spec == nullptr) {
                    return std::nullopt;
                }
                const Attributes given = settingAttributes(design, info.key());
                const AttributeValue* value = given.find(name);
                return value == nullptr || typeOf(*value) != typeOf(spec->defaultValue)
                           ? spec->defaultValue
                           : *value;
            }};
}

Setting settingFor(const std::vector<SettingInfo>& table, const QString& key) {
    const SettingInfo& info =
        *findSetting(table, key.section(QStringLiteral(".with."), 0, 0).toStdString());
    if (key.contains(QStringLiteral(".with."))) {
        return attributeSetting(info, key);
    }
    Setting made{key, info.spec,
                 [name = info.key()](const Design& design) { return settingOf(design, name); }};
    for (const SettingKind& kind : info.kinds) {
        made.spec.choices.push_back(kind.name);
    }
    return made;
}

} // namespace

SettingForm::SettingForm(Bench& bench, const QStringList& keys, QWidget* parent)
    : Panel(bench, parent) {
    const std::vector<SettingInfo> table = settings();
    for (const QString& key : keys) {
        settings_.push_back(settingFor(table, key));
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
        const auto value =
            design() == nullptr ? std::nullopt : settings_[i].read(design()->document().design());
        fields_[i]->setEnabled(value.has_value());
        if (value) {
            fields_[i]->show(
                {.value = *value, .isDefault = *value == settings_[i].spec.defaultValue});
        }
    }
}

} // namespace weft::ui
