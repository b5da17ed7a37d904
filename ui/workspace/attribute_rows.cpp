// SPDX-License-Identifier: Apache-2.0
#include "workspace/attribute_rows.h"

#include "widgets/attribute_field.h"
#include "workspace/mend.h"

#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

AttributeRows::AttributeRows(WindowContext& context, SettingInfo setting, QWidget* before,
                             QWidget* parent)
    : QWidget(parent), context_(context), setting_(std::move(setting)), tabPredecessor_(before) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
}

void AttributeRows::show(OpenDesign* design) {
    const SettingKind* kind = nullptr;
    if (design != nullptr) {
        const std::string chosen =
            std::get<std::string>(*settingOf(design->document().design(), setting_.key()));
        const auto found = std::ranges::find(setting_.kinds, chosen, &SettingKind::name);
        kind = found == setting_.kinds.end() ? nullptr : &*found;
    }
    const bool isOther = design != design_ || kind != kind_;
    design_ = design;
    kind_ = kind;
    if (isOther) {
        build();
    }
    for (AttributeField* field : fields_) {
        field->show(valueOf(field->spec()));
        field->showProblem(problemOf(field->spec()));
    }
    setVisible(!fields_.empty());
}

void AttributeRows::build() {
    for (AttributeField* field : std::exchange(fields_, {})) {
        field->hide();
        field->setParent(nullptr); // findChild must not find the old row
        field->deleteLater(); // deleted later, because one of the rows may have made the change
    }
    if (kind_ == nullptr) {
        return;
    }
    QWidget* before = tabPredecessor_;
    for (const AttributeSpec& spec : kind_->attributes) {
        if (!has(spec)) {
            continue;
        }
        add(spec);
        if (before != nullptr) {
            setTabOrder(before, fields_.back());
        }
        before = fields_.back();
    }
}

void AttributeRows::add(const AttributeSpec& spec) {
    auto* field = new AttributeField(context_.look, spec, this);
    fields_.push_back(field);
    connect(field, &AttributeField::chosen, this,
            [this, field](const AttributeValue& value) { change(*field, value); });
    connect(field, &AttributeField::resetWanted, this,
            [this, field] { change(*field, std::nullopt); });
    connect(field, &AttributeField::typed, this, [field](const QString& text) {
        field->showProblem(tr("%1 is not valid: %2 takes %3")
                               .arg(text, labelOf(field->spec().name),
                                    QString::fromUtf8(nameOf(typeOf(field->spec().defaultValue)))));
    });
    connect(field, &AttributeField::finished, this, [this] {
        if (design_ != nullptr) {
            design_->document().endMerging();
        }
    });
    added(*field);
    layout()->addWidget(field);
}

void AttributeRows::change(AttributeField& field, const std::optional<AttributeValue>& value) {
    if (design_ == nullptr) {
        return;
    }
    const Edited edited = design_->document().tryEdit(
        tr("Change %1").arg(labelOf(field.spec().name).toLower()),
        [&](Design& target) { return set(target, field.spec().name, value); },
        QString::fromStdString(settingKeyOf(field.spec().name)));
    field.showProblem(edited.refusal ? QString::fromStdString(edited.refusal->text) : QString());
}

std::string AttributeRows::settingKeyOf(const std::string& name) const {
    return setting_.key() + ".with." + name;
}

Edited AttributeRows::set(Design& target, const std::string& name,
                          const std::optional<AttributeValue>& value) const {
    return applySetting(target, settingKeyOf(name), value ? toString(*value) : "null");
}

FieldValue AttributeRows::valueOf(const AttributeSpec& spec) const {
    const Attributes given = settingAttributes(design_->document().design(), setting_.key());
    const AttributeValue* value = given.find(spec.name);
    const bool isMissing =
        spec.required && (value == nullptr || *value == AttributeValue(std::string()));
    if (value == nullptr) {
        return {.value = spec.defaultValue, .isMissing = isMissing};
    }
    FieldValue shown{.value = *value, .isDefault = false, .isMissing = isMissing};
    const AttributeType type = typeOf(spec.defaultValue);
    const auto* whole = std::get_if<std::int64_t>(value);
    if (type == AttributeType::real && whole != nullptr) {
        shown.value = static_cast<double>(*whole);
    } else if (typeOf(*value) != type) {
        shown.value = spec.defaultValue; // the check reports the value
    }
    return shown;
}

QString AttributeRows::problemOf(const AttributeSpec& spec) const {
    const std::vector<Diagnostic> problems = problemsOf(*design_);
    const auto found = std::ranges::find_if(problems, [&](const Diagnostic& problem) {
        return problem.layer.isNone() && problem.layerName == setting_.section &&
               problem.attribute == spec.name && problem.severity != Severity::note;
    });
    return found == problems.end() ? QString() : QString::fromStdString(found->text);
}

} // namespace weft::ui
