// SPDX-License-Identifier: Apache-2.0
#include "shell/macros/macro_list.h"

#include "shell/macros/macros.h"
#include "theme/style.h"
#include "widgets/padded_delegate.h"
#include <weft/error.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

namespace weft::ui {

MacroList::MacroList(WindowContext& context, Macros& macros, QWidget& window, const QString& name)
    : QDialog(&window),
      context_(context),
      macros_(macros),
      names_(new QListWidget(this)),
      name_(new QLineEdit(this)),
      keys_(new QLabel(this)),
      text_(new QPlainTextEdit(this)),
      message_(new QLabel(this)) {
    constexpr int namesWidth = 200;
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("macroList"));
    setWindowTitle(tr("Macros"));
    resize(820, 520);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    names_->setFrameShape(QFrame::NoFrame);
    names_->setFixedWidth(namesWidth);
    names_->setItemDelegate(new PaddedDelegate(names_));
    names_->setAccessibleName(windowTitle());
    row->addWidget(names_);
    row->addLayout(makeRight(), 1);
    connect(names_, &QListWidget::currentRowChanged, this, &MacroList::showChosen);
    connect(name_, &QLineEdit::editingFinished, this, &MacroList::keepName);
    connect(text_, &QPlainTextEdit::textChanged, this, &MacroList::keepText);
    fill(name);
    if (!name.isEmpty()) {
        name_->setFocus();
        name_->selectAll();
    }
}

QLayout* MacroList::makeRight() {
    const Sizes& sizes = Look::sizes();
    auto* right = new QVBoxLayout;
    right->setContentsMargins(sizes.space.l, sizes.space.l, sizes.space.l, sizes.space.l);
    right->setSpacing(sizes.space.m);
    auto* top = new QHBoxLayout;
    auto* label = new QLabel(tr("Name"), this);
    label->setBuddy(name_);
    setTier(*label, Tier::secondary);
    top->addWidget(label);
    name_->setAccessibleName(tr("Name of the macro"));
    top->addWidget(name_, 1);
    setTier(*keys_, Tier::secondary);
    top->addWidget(keys_);
    right->addLayout(top);
    text_->setFont(Look::mono(sizes.type.body));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setTabChangesFocus(true);
    text_->setAccessibleName(tr("Lines of the macro"));
    right->addWidget(text_, 1);
    message_->setWordWrap(true);
    setTier(*message_, Tier::secondary);
    right->addWidget(message_);
    right->addLayout(makeFoot());
    return right;
}

QLayout* MacroList::makeFoot() {
    auto* foot = new QHBoxLayout;
    const auto add = [&](const QString& text, const QString& help, auto run) {
        auto* button = new QPushButton(text, this);
        button->setToolTip(help);
        button->setAutoDefault(false);
        foot->addWidget(button);
        connect(button, &QPushButton::clicked, this, run);
        return button;
    };
    remove_ = add(tr("Delete"), tr("Deletes the macro and its key"), [this] {
        if (macros_.remove(chosen())) {
            fill({});
        }
    });
    add(tr("New"), tr("Adds an empty macro to be written by hand"), [this] {
        const QString name = macros_.files().freeName();
        if (macros_.write(name, {})) {
            fill(name);
            text_->setFocus();
        }
    });
    foot->addStretch();
    const auto trigger = [this](const char* command) {
        close();
        context_.commands.find(QLatin1String(command))->trigger();
    };
    add(tr("Key …"), tr("Opens the list of keys, where you can set one"),
        [trigger] { trigger("help.keys"); });
    add(tr("Lines"), tr("Help on the lines of a macro"), [trigger] {
        trigger("macros.lines");
    })->setEnabled(context_.designs.current() != nullptr);
    play_ = add(tr("Play"), tr("Plays the macro on the selected layers"), [this] {
        QAction* action = context_.commands.find(Macros::commandOf(chosen()));
        close();
        action->trigger();
    });
    makePrimary(*play_);
    return foot;
}

QString MacroList::chosen() const {
    return names_->currentItem() == nullptr ? QString() : names_->currentItem()->text();
}

void MacroList::fill(const QString& name) {
    {
        const QSignalBlocker quiet(names_);
        names_->clear();
        names_->addItems(macros_.files().names());
        const auto found = names_->findItems(name, Qt::MatchExactly);
        names_->setCurrentRow(found.isEmpty() ? 0 : names_->row(found.front()));
    }
    showChosen();
}

void MacroList::showChosen() {
    const QString name = chosen();
    const bool isThere = !name.isEmpty();
    for (QWidget* part : std::initializer_list<QWidget*>{name_, text_, play_, remove_}) {
        part->setEnabled(isThere);
    }
    const QAction* action = context_.commands.find(Macros::commandOf(name));
    play_->setEnabled(action != nullptr && action->isEnabled());
    const QString key =
        action == nullptr ? QString() : action->shortcut().toString(QKeySequence::NativeText);
    keys_->setText(key);
    keys_->setVisible(!key.isEmpty());
    name_->setText(name);
    const QSignalBlocker quiet(text_);
    try {
        text_->setPlainText(isThere ? macros_.files().text(name) : QString());
    } catch (const Error& error) {
        text_->clear();
        emit context_.notice(QString::fromUtf8(error.what()), true);
    }
    check();
}

void MacroList::keepName() {
    const QString name = chosen();
    const QString newName = name_->text().trimmed();
    if (name.isEmpty() || newName == name) {
        return;
    }
    if (const QString why = macros_.files().refusal(newName); !why.isEmpty()) {
        showMessage(why);
        return;
    }
    if (macros_.rename(name, newName)) {
        fill(newName);
    }
}

void MacroList::keepText() {
    if (!chosen().isEmpty() && macros_.write(chosen(), text_->toPlainText())) {
        check();
    }
}

void MacroList::check() {
    const PlayedMacro checked = macros_.player().check(text_->toPlainText());
    showMessage(chosen().isEmpty()
                    ? tr("There is no macro yet. Record one with Record macro in the menu "
                         "Macros, or write one with New.")
                : checked.succeeded()
                    ? tr("$1 is the first layer selected when the macro is played, +1 the "
                         "first that it adds.")
                    : tr("It will stop at %1").arg(checked.message()));
}

void MacroList::showMessage(const QString& text) { message_->setText(text); }

} // namespace weft::ui
