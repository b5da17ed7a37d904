// SPDX-License-Identifier: Apache-2.0
#include "panels/hosts/host_form.h"

#include "theme/style.h"
#include "theme/symbols.h"

#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

namespace weft::ui {

HostForm::HostForm(WindowContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      fields_(hostFields()),
      title_(new QLabel(this)),
      refusalRow_(new QWidget(this)),
      refusalIcon_(new QLabel(refusalRow_)),
      refusalText_(new QLabel(refusalRow_)) {
    const Sizes& sizes = tokens().sizes;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, sizes.space.m, 0, sizes.space.m);
    layout->setSpacing(sizes.space.xxs);
    title_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    title_->setContentsMargins(sizes.space.l, 0, sizes.space.l, sizes.space.xs);
    layout->addWidget(title_);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        add(fields_[i], i);
    }
    auto* row = new QHBoxLayout(refusalRow_);
    row->setContentsMargins(sizes.space.l, sizes.space.xs, sizes.space.l, sizes.space.xs);
    row->setSpacing(sizes.space.s);
    row->addWidget(refusalIcon_, 0, Qt::AlignTop);
    refusalText_->setWordWrap(true);
    refusalText_->setObjectName(QStringLiteral("refusal"));
    refusalText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(refusalText_, 1);
    layout->addStretch();
    setFocusProxy(editors_.front());
    connect(&context_.look, &Look::changed, this, &HostForm::showRefusal);
    showNew();
}

void HostForm::add(const HostField& field, std::size_t at) {
    auto* editor = new AttributeField(context_.look, field.spec, this);
    editor->focusProxy()->setObjectName(QString::fromUtf8(field.id.data(), std::ssize(field.id)));
    if (!field.spec.choices.empty()) {
        editor->nameChoices({{tr("As processes of the host")},
                             {tr("By mpirun on machines")},
                             {tr("In Slurm's queue")}});
    }
    connect(editor, &AttributeField::chosen, this,
            [this, at](const AttributeValue& value) { takeInput(at, value); });
    connect(editor, &AttributeField::resetWanted, this, [this, at] {
        takeInput(at, fields_[at].id == "via" ? defaultCommand(drafts_[shownName_].entered.name)
                                              : fields_[at].spec.defaultValue);
        saveDraft();
        fillFields();
    });
    connect(editor, &AttributeField::typed, this, [this, at](const QString& text) {
        Draft& draft = drafts_[shownName_];
        draft.lastField = at;
        draft.parseFault = tr("%1 is not valid: %2 takes a number")
                               .arg(text, QString::fromStdString(fields_[at].spec.name));
    });
    connect(editor, &AttributeField::finished, this, &HostForm::saveDraft);
    editors_.push_back(editor);
    layout()->addWidget(editor);
}

void HostForm::showHost(const Host& host) {
    shownName_ = host.name;
    Draft& draft = drafts_[host.name];
    if (draft.saved != host) {
        draft = {.saved = host, .entered = host};
    }
    fillFields();
}

void HostForm::showNew() {
    shownName_.clear();
    drafts_[shownName_] = {.saved = {}, .entered = {.name = {}, .via = defaultCommand({})}};
    fillFields();
}

void HostForm::takeInput(std::size_t at, const AttributeValue& value) {
    Draft& draft = drafts_[shownName_];
    const std::string before = defaultCommand(draft.entered.name);
    fields_[at].write(draft.entered, value);
    draft.lastField = at;
    draft.parseFault.clear();
    if (isNew() && draft.entered.via == before) {
        draft.entered.via = defaultCommand(draft.entered.name);
    }
    if (!fields_[at].spec.choices.empty()) {
        saveDraft();
    }
    fillFields();
}

void HostForm::saveDraft() {
    Draft& draft = drafts_[shownName_];
    Host host = draft.entered;
    if (host.start != JobStart::mpirun) {
        host.machines.clear(); // the field keeps them in case mpirun is chosen again
    }
    draft.refusal = draft.parseFault;
    const bool isNamed = !isNew() || !host.name.empty();
    if (draft.parseFault.isEmpty() && isNamed && host != draft.saved) {
        const Host before = std::exchange(draft.saved, host);
        const bool isTaken =
            isNew() && context_.control.hosts().find(QString::fromStdString(host.name)) != nullptr;
        draft.refusal = isTaken
                            ? tr("%1 already exists: choose it in the list, or use another name")
                                  .arg(QString::fromStdString(host.name))
                            : context_.control.hosts().save(host);
        if (!draft.refusal.isEmpty()) {
            draft.saved = before;
        } else if (isNew()) {
            showHost(host);
            Q_EMIT added(QString::fromStdString(host.name));
            return;
        }
    }
    showRefusal();
}

void HostForm::fillFields() {
    const Draft& draft = drafts_[shownName_];
    title_->setText(isNew() ? tr("New host") : QString::fromStdString(shownName_));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const HostField& field = fields_[i];
        const bool isName = field.id == "name";
        const AttributeValue value = field.read(draft.entered);
        const bool isDefault =
            isName || value == field.spec.defaultValue ||
            (field.id == "via" && draft.entered.via == defaultCommand(draft.entered.name));
        editors_[i]->setVisible(isName ? isNew() : field.isOf(draft.entered));
        editors_[i]->show({.value = value, .isDefault = isDefault});
    }
    showRefusal();
}

void HostForm::showRefusal() {
    const Draft& draft = drafts_[shownName_];
    for (std::size_t i = 0; i < editors_.size(); ++i) {
        editors_[i]->showProblem(i == draft.lastField ? draft.refusal : QString());
    }
    const QColor& tint = context_.look.theme().semantic.error;
    refusalIcon_->setPixmap(symbol(QStringLiteral("states/error"), tokens().sizes.size.icon, tint,
                                   devicePixelRatioF()));
    QPalette ink = refusalText_->palette();
    ink.setColor(QPalette::WindowText, tint);
    refusalText_->setPalette(ink);
    refusalText_->setText(draft.refusal);
    auto* rows = static_cast<QVBoxLayout*>(layout());
    rows->removeWidget(refusalRow_);
    rows->insertWidget(rows->indexOf(editors_[draft.lastField]) + 1, refusalRow_);
    refusalRow_->setVisible(!draft.refusal.isEmpty());
    if (refusalRow_->isVisible()) {
        QTimer::singleShot(0, this, &HostForm::scrollToRefusal);
    }
}

void HostForm::scrollToRefusal() {
    for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(around)) {
            area->ensureWidgetVisible(refusalRow_, 0, tokens().sizes.space.m);
            return;
        }
    }
}

} // namespace weft::ui
