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

HostForm::HostForm(Bench& bench, QWidget* parent)
    : QWidget(parent),
      bench_(bench),
      fields_(hostFields()),
      title_(new QLabel(this)),
      refusal_(new QWidget(this)),
      mark_(new QLabel(refusal_)),
      reason_(new QLabel(refusal_)) {
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
    auto* row = new QHBoxLayout(refusal_);
    row->setContentsMargins(sizes.space.l, sizes.space.xs, sizes.space.l, sizes.space.xs);
    row->setSpacing(sizes.space.s);
    row->addWidget(mark_, 0, Qt::AlignTop);
    reason_->setWordWrap(true);
    reason_->setObjectName(QStringLiteral("refusal"));
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(reason_, 1);
    layout->addStretch();
    setFocusProxy(editors_.front());
    connect(&bench_.look, &Look::changed, this, &HostForm::sayRefusal);
    showNew();
}

void HostForm::add(const HostField& field, std::size_t at) {
    auto* editor = new AttributeField(bench_.look, field.spec, this);
    editor->focusProxy()->setObjectName(QString::fromUtf8(field.id.data(), std::ssize(field.id)));
    if (!field.spec.choices.empty()) {
        editor->nameChoices({{tr("As processes of the host")},
                             {tr("By mpirun on machines")},
                             {tr("In Slurm's queue")}});
    }
    connect(editor, &AttributeField::chosen, this,
            [this, at](const AttributeValue& value) { take(at, value); });
    connect(editor, &AttributeField::resetWanted, this, [this, at] {
        take(at, fields_[at].id == "via" ? usualCommand(drafts_[shown_].typed.name)
                                         : fields_[at].spec.defaultValue);
        keep();
        fill();
    });
    connect(editor, &AttributeField::typed, this, [this, at](const QString& text) {
        Draft& draft = drafts_[shown_];
        draft.at = at;
        draft.unread = tr("%1 is not valid: %2 takes a number")
                           .arg(text, QString::fromStdString(fields_[at].spec.name));
    });
    connect(editor, &AttributeField::finished, this, &HostForm::keep);
    editors_.push_back(editor);
    layout()->addWidget(editor);
}

void HostForm::showHost(const Host& host) {
    shown_ = host.name;
    Draft& draft = drafts_[host.name];
    if (draft.kept != host) {
        draft = {.kept = host, .typed = host};
    }
    fill();
}

void HostForm::showNew() {
    shown_.clear();
    drafts_[shown_] = {.kept = {}, .typed = {.name = {}, .via = usualCommand({})}};
    fill();
}

void HostForm::take(std::size_t at, const AttributeValue& value) {
    Draft& draft = drafts_[shown_];
    const std::string before = usualCommand(draft.typed.name);
    fields_[at].write(draft.typed, value);
    draft.at = at;
    draft.unread.clear();
    if (isNew() && draft.typed.via == before) {
        draft.typed.via = usualCommand(draft.typed.name);
    }
    if (!fields_[at].spec.choices.empty()) {
        keep();
    }
    fill();
}

void HostForm::keep() {
    Draft& draft = drafts_[shown_];
    Host host = draft.typed;
    if (host.start != JobStart::mpirun) {
        host.machines.clear(); // the field keeps them in case mpirun is chosen again
    }
    draft.refusal = draft.unread;
    const bool isNamed = !isNew() || !host.name.empty();
    if (draft.unread.isEmpty() && isNamed && host != draft.kept) {
        const Host before = std::exchange(draft.kept, host);
        const bool isTaken =
            isNew() && bench_.control.hosts().find(QString::fromStdString(host.name)) != nullptr;
        draft.refusal = isTaken
                            ? tr("%1 already exists: choose it in the list, or use another name")
                                  .arg(QString::fromStdString(host.name))
                            : bench_.control.hosts().keep(host);
        if (!draft.refusal.isEmpty()) {
            draft.kept = before;
        } else if (isNew()) {
            showHost(host);
            Q_EMIT added(QString::fromStdString(host.name));
            return;
        }
    }
    sayRefusal();
}

void HostForm::fill() {
    const Draft& draft = drafts_[shown_];
    title_->setText(isNew() ? tr("New host") : QString::fromStdString(shown_));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const HostField& field = fields_[i];
        const bool isName = field.id == "name";
        const AttributeValue value = field.read(draft.typed);
        const bool isDefault =
            isName || value == field.spec.defaultValue ||
            (field.id == "via" && draft.typed.via == usualCommand(draft.typed.name));
        editors_[i]->setVisible(isName ? isNew() : field.isOf(draft.typed));
        editors_[i]->show({.value = value, .isDefault = isDefault});
    }
    sayRefusal();
}

void HostForm::sayRefusal() {
    const Draft& draft = drafts_[shown_];
    for (std::size_t i = 0; i < editors_.size(); ++i) {
        editors_[i]->showProblem(i == draft.at ? draft.refusal : QString());
    }
    const QColor& tint = bench_.look.theme().semantic.error;
    mark_->setPixmap(symbol(QStringLiteral("states/error"), tokens().sizes.size.icon, tint,
                            devicePixelRatioF()));
    QPalette ink = reason_->palette();
    ink.setColor(QPalette::WindowText, tint);
    reason_->setPalette(ink);
    reason_->setText(draft.refusal);
    auto* rows = static_cast<QVBoxLayout*>(layout());
    rows->removeWidget(refusal_);
    rows->insertWidget(rows->indexOf(editors_[draft.at]) + 1, refusal_);
    refusal_->setVisible(!draft.refusal.isEmpty());
    if (refusal_->isVisible()) {
        QTimer::singleShot(0, this, &HostForm::bringRefusal);
    }
}

void HostForm::bringRefusal() {
    for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(around)) {
            area->ensureWidgetVisible(refusal_, 0, tokens().sizes.space.m);
            return;
        }
    }
}

} // namespace weft::ui
