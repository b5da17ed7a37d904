// SPDX-License-Identifier: Apache-2.0
#include "panels/data/source_rows.h"

#include "widgets/attribute_field.h"
#include "workspace/mend.h"
#include "workspace/pick_data.h"
#include <weft/data_edits.h>

#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

bool isPlace(const AttributeSpec& spec) {
    return spec.content == TextContent::folder || (spec.namesFiles() && spec.required);
}

} // namespace

SourceRows::SourceRows(Bench& bench, Part part, QWidget* parent)
    : QWidget(parent), bench_(bench), part_(part) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
}

void SourceRows::show(OpenDesign* design) {
    const SettingKind* kind = design == nullptr ? nullptr : sourceOf(design->document().design());
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
    setVisible(!isEmpty());
}

void SourceRows::build() {
    for (AttributeField* field : std::exchange(fields_, {})) {
        field->hide();
        field->setParent(nullptr); // findChild must not find the old row
        field->deleteLater(); // deleted later, because one of the rows may have made the change
    }
    if (kind_ == nullptr) {
        return;
    }
    for (const AttributeSpec& spec : kind_->attributes) {
        if (isPlace(spec) == (part_ == Part::places)) {
            add(spec);
        }
    }
}

void SourceRows::add(const AttributeSpec& spec) {
    auto* field = new AttributeField(bench_.look, spec, this);
    fields_.push_back(field);
    connect(field, &AttributeField::chosen, this, [this, field](const AttributeValue& value) {
        change(*field, [&](Design& target) {
            return setSourceAttribute(target, field->spec().name, value);
        });
    });
    connect(field, &AttributeField::resetWanted, this, [this, field] {
        change(*field,
               [&](Design& target) { return resetSourceAttribute(target, field->spec().name); });
    });
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
    connect(field, &AttributeField::pickWanted, this, [this, field] {
        if (design_ != nullptr) {
            pickPaths(bench_, *design_, field->spec().name, *this);
        }
    });
    connect(field, &AttributeField::dropped, this, [this, field](const QStringList& paths) {
        if (design_ != nullptr) {
            takePaths(bench_, *design_, field->spec().name, paths);
        }
    });
    layout()->addWidget(field);
}

void SourceRows::change(AttributeField& field, const DesignDocument::Edit& edit) {
    if (design_ == nullptr) {
        return;
    }
    const Edited edited = design_->document().tryEdit(
        tr("Change %1").arg(labelOf(field.spec().name).toLower()), edit,
        QString::fromStdString("data.source.with." + field.spec().name));
    field.showProblem(edited.refusal ? QString::fromStdString(edited.refusal->text) : QString());
}

FieldValue SourceRows::valueOf(const AttributeSpec& spec) const {
    const AttributeValue* given = design_->document().design().data.attributes.find(spec.name);
    FieldValue shown{.value = given == nullptr ? spec.defaultValue : *given,
                     .isDefault = given == nullptr};
    const bool isNoText = given != nullptr && *given == AttributeValue(std::string());
    shown.isMissing = spec.required && (given == nullptr || isNoText);
    return shown;
}

QString SourceRows::problemOf(const AttributeSpec& spec) const {
    const std::vector<Diagnostic> problems = problemsOf(*design_);
    const auto found = std::ranges::find_if(problems, [&](const Diagnostic& problem) {
        // Notes concern settings such as data.order rather than the source's attributes.
        return problem.layer.isNone() && problem.layerName == "data" &&
               problem.attribute == spec.name && problem.severity != Severity::note;
    });
    return found == problems.end() ? QString() : QString::fromStdString(found->text);
}

} // namespace weft::ui
