// SPDX-License-Identifier: Apache-2.0
#include "shell/keys/key_list.h"

#include "commands/key_presets.h"
#include "theme/style.h"
#include "widgets/padded_delegate.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

enum Column : int { commandColumn, keysColumn, helpColumn };

struct Gesture {
    const char* hand;
    const char* meaning;
};

constexpr Gesture gestures[] = {
    {QT_TRANSLATE_NOOP("keys", "Wheel"), QT_TRANSLATE_NOOP("keys", "Zoom at the pointer")},
    {QT_TRANSLATE_NOOP("keys", "Middle drag, Space and drag"), QT_TRANSLATE_NOOP("keys", "Pan")},
    {QT_TRANSLATE_NOOP("keys", "Drag on empty canvas"),
     QT_TRANSLATE_NOOP("keys", "Select in a box; Shift adds, Ctrl takes away; Ctrl+Alt: lasso")},
    {QT_TRANSLATE_NOOP("keys", "Tab, double click on empty canvas"),
     QT_TRANSLATE_NOOP("keys", "Add a layer there")},
    {QT_TRANSLATE_NOOP("keys", "Drag from a port"),
     QT_TRANSLATE_NOOP("keys", "Draw a wire; released on empty canvas, it offers layers")},
    {QT_TRANSLATE_NOOP("keys", "Ctrl and drag from a port"),
     QT_TRANSLATE_NOOP("keys", "Move its wires elsewhere")},
    {QT_TRANSLATE_NOOP("keys", "Alt and click on a port"),
     QT_TRANSLATE_NOOP("keys", "Remove its wires")},
    {QT_TRANSLATE_NOOP("keys", "Alt and drag from a wire"),
     QT_TRANSLATE_NOOP("keys", "Route it through a point; Alt and click removes the point")},
    {QT_TRANSLATE_NOOP("keys", "Y and drag, Ctrl and right drag"),
     QT_TRANSLATE_NOOP("keys", "Cut wires")},
    {QT_TRANSLATE_NOOP("keys", "Ctrl+Shift and drag"),
     QT_TRANSLATE_NOOP("keys", "Zoom about the start point")},
    {QT_TRANSLATE_NOOP("keys", "Ctrl+1 to Ctrl+9"),
     QT_TRANSLATE_NOOP("keys", "Save a bookmark of the view")},
    {QT_TRANSLATE_NOOP("keys", "1 to 9"), QT_TRANSLATE_NOOP("keys", "Go to that bookmark")},
    {QT_TRANSLATE_NOOP("keys", "Double click on a name, F2"),
     QT_TRANSLATE_NOOP("keys", "Edit it in place")},
    {QT_TRANSLATE_NOOP("keys", "Space"),
     QT_TRANSLATE_NOOP("keys", "Select or deselect the focused layer")},
    {QT_TRANSLATE_NOOP("keys", "Drop a layer on a wire"),
     QT_TRANSLATE_NOOP("keys", "Insert it; Alt: only move")},
    {QT_TRANSLATE_NOOP("keys", "Arrows"), QT_TRANSLATE_NOOP("keys", "Move along wires")},
    {QT_TRANSLATE_NOOP("keys", "Double click a group"), QT_TRANSLATE_NOOP("keys", "Enter it")},
    {QT_TRANSLATE_NOOP("keys", "Escape"),
     QT_TRANSLATE_NOOP("keys", "Cancel, select nothing, leave the group")}};

QString textOf(const QList<QKeySequence>& keys) {
    QStringList words;
    for (const QKeySequence& key : keys) {
        words << key.toString(QKeySequence::NativeText);
    }
    return words.join(QStringLiteral(", "));
}

bool isModifier(int key) {
    return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt ||
           key == Qt::Key_Meta || key == Qt::Key_AltGr;
}

/// True for keys that the canvas uses itself, so that no command can take them.
bool isGesture(const QKeyCombination& key) {
    constexpr Qt::Key taken[] = {Qt::Key_Tab, Qt::Key_Space, Qt::Key_Left, Qt::Key_Right,
                                 Qt::Key_Up,  Qt::Key_Down,  Qt::Key_Menu, Qt::Key_Backtab};
    return key.keyboardModifiers() == Qt::NoModifier &&
           std::ranges::find(taken, key.key()) != std::end(taken);
}

} // namespace

KeyList::KeyList(WindowContext& context, QWidget& window)
    : QDialog(&window),
      context_(context),
      searchField_(new QLineEdit(this)),
      presets_(new QComboBox(this)),
      tree_(new QTreeWidget(this)),
      message_(new QLabel(this)),
      replace_(new QPushButton(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("keyList"));
    setWindowTitle(tr("Keys and gestures"));
    resize(820, 640);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(makeTop());
    tree_->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does")});
    tree_->header()->resizeSection(commandColumn, 300);
    tree_->header()->resizeSection(keysColumn, 190);
    tree_->setUniformRowHeights(true);
    tree_->setItemDelegate(new PaddedDelegate(tree_));
    tree_->setAccessibleName(windowTitle());
    tree_->installEventFilter(this);
    layout->addWidget(tree_);
    layout->addLayout(makeFoot());
    connect(searchField_, &QLineEdit::textChanged, this, &KeyList::fill);
    connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem*, int column) {
        record(column == keysColumn ? chosen() : QString());
    });
    connect(tree_, &QTreeWidget::itemActivated, this, [this] { record(chosen()); });
    connect(&context_.commands, &CommandSet::keysChanged, this, [this](const QString& id) {
        if (QTreeWidgetItem* item = rows_.value(id)) {
            item->setText(keysColumn, textOf(context_.commands.find(id)->shortcuts()));
        }
        record({});
    });
    fill();
    record({});
}

QLayout* KeyList::makeTop() {
    searchField_->setPlaceholderText(tr("Find a command or a key"));
    searchField_->setAccessibleName(searchField_->placeholderText());
    searchField_->setClearButtonEnabled(true);
    auto* top = new QHBoxLayout;
    top->addWidget(searchField_, 1);
    auto* label = new QLabel(tr("Keys as in"), this);
    setTier(*label, Tier::secondary);
    top->addWidget(label);
    presets_->addItems(presetNames());
    presets_->setCurrentText(context_.commands.preset());
    presets_->setAccessibleName(tr("Keys as in another program"));
    presets_->setToolTip(tr("Gives every command its keys from that program and discards your own. "
                            "Weft restores the defaults."));
    label->setBuddy(presets_);
    top->addWidget(presets_);
    connect(presets_, &QComboBox::textActivated, this, [this](const QString& name) {
        context_.commands.choosePreset(name);
        showMessage(tr("The keys are those of %1.").arg(name));
    });
    return top;
}

QLayout* KeyList::makeFoot() {
    auto* row = new QHBoxLayout;
    message_->setWordWrap(true);
    setTier(*message_, Tier::secondary);
    row->addWidget(message_, 1);
    row->addWidget(replace_);
    auto* none = new QPushButton(tr("No key"), this);
    auto* reset = new QPushButton(tr("Reset"), this);
    auto* resetAll = new QPushButton(tr("Reset all"), this);
    none->setToolTip(tr("Removes the keys of the selected command"));
    reset->setToolTip(tr("Restores the default keys of the selected command"));
    resetAll->setToolTip(tr("Restores the default keys of every command"));
    for (QPushButton* button : {replace_, none, reset, resetAll}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    connect(replace_, &QPushButton::clicked, this, [this] {
        const QString id = recording_;
        const QKeySequence key = contestedKey_;
        const QString owner = context_.commands.ownerOf(key);
        QList<QKeySequence> left = context_.commands.find(owner)->shortcuts();
        left.removeAll(key);
        context_.commands.setKeys(owner, left);
        assignKey(id, key);
    });
    connect(none, &QPushButton::clicked, this, [this] { context_.commands.setKeys(chosen(), {}); });
    connect(reset, &QPushButton::clicked, this, [this] { context_.commands.resetKeys(chosen()); });
    connect(resetAll, &QPushButton::clicked, this, [this] {
        for (const CommandInfo& info : context_.commands.all()) {
            context_.commands.resetKeys(info.id);
        }
    });
    return row;
}

void KeyList::fill() {
    tree_->clear();
    rows_.clear();
    menuRows_.clear();
    addCommands();
    addGestures();
}

void KeyList::addCommands() {
    for (const CommandInfo& info : context_.commands.all()) {
        addRow(info.place, info.id,
               {nameOf(info.id), textOf(context_.commands.find(info.id)->shortcuts()), info.help});
    }
}

void KeyList::addGestures() {
    for (const Gesture& gesture : gestures) {
        addRow(tr("Gestures"), {},
               {QCoreApplication::translate("keys", gesture.meaning),
                QCoreApplication::translate("keys", gesture.hand),
                {}});
    }
}

void KeyList::addRow(const QString& place, const QString& id, const QStringList& texts) {
    if (!(place + " " + texts.join(' ')).contains(searchField_->text(), Qt::CaseInsensitive)) {
        return;
    }
    QTreeWidgetItem*& top = menuRows_[place];
    if (top == nullptr) {
        top = new QTreeWidgetItem(tree_, {place});
        top->setExpanded(true);
    }
    auto* item = new QTreeWidgetItem(top, texts);
    item->setFont(keysColumn, Look::mono(tokens().sizes.type.small));
    item->setData(commandColumn, Qt::UserRole, id);
    item->setToolTip(helpColumn, texts.last());
    if (!id.isEmpty()) {
        rows_[id] = item;
    }
}

QString KeyList::chosen() const {
    const QTreeWidgetItem* item = tree_->currentItem();
    return item == nullptr ? QString() : item->data(commandColumn, Qt::UserRole).toString();
}

QString KeyList::nameOf(const QString& id) const {
    const CommandInfo* info = context_.commands.info(id);
    return info == nullptr ? QString() : info->text;
}

void KeyList::showMessage(const QString& text) { message_->setText(text); }

void KeyList::record(const QString& id) {
    if (QTreeWidgetItem* before = rows_.value(recording_)) {
        before->setText(keysColumn, textOf(context_.commands.find(recording_)->shortcuts()));
    }
    recording_ = id;
    contestedKey_ = {};
    replace_->hide();
    if (QTreeWidgetItem* item = rows_.value(id)) {
        item->setText(keysColumn, tr("Press a key …"));
        showMessage(
            tr("The next key becomes that of %1. Escape keeps the old one.").arg(nameOf(id)));
    } else {
        showMessage(tr("Click the keys of a command to change them."));
    }
}

void KeyList::take(const QKeySequence& key) {
    const QString text = key.toString(QKeySequence::NativeText);
    if (isGesture(key[0])) {
        showMessage(
            tr("%1 is a gesture of the canvas. Press another key, or one with Ctrl.").arg(text));
        return;
    }
    const QString owner = context_.commands.ownerOf(key);
    if (!owner.isEmpty() && owner != recording_) {
        contestedKey_ = key;
        showMessage(tr("%1 is the key of %2.").arg(text, nameOf(owner)));
        replace_->setText(tr("Take it from %1").arg(nameOf(owner)));
        replace_->show();
        return;
    }
    assignKey(recording_, key);
}

void KeyList::assignKey(const QString& id, const QKeySequence& key) {
    context_.commands.setKeys(id, {key});
    showMessage(
        tr("%1 is now the key of %2.").arg(key.toString(QKeySequence::NativeText), nameOf(id)));
}

bool KeyList::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (recording_.isEmpty() || !isKey) {
        return QDialog::eventFilter(watched, event);
    }
    event->accept();
    const auto& press = *static_cast<QKeyEvent*>(event);
    if (event->type() == QEvent::ShortcutOverride || isModifier(press.key())) {
        return true;
    }
    if (press.key() == Qt::Key_Escape) {
        record({});
    } else {
        // Shift is needed to type signs such as "?", so it is not a modifier of these.
        const bool isSign = press.key() < Qt::Key_Escape && !press.text().isEmpty() &&
                            !press.text().front().isLetterOrNumber() &&
                            press.text().front().isPrint();
        const Qt::KeyboardModifiers modifiers =
            press.modifiers() & ~Qt::KeypadModifier &
            (isSign ? ~Qt::KeyboardModifiers(Qt::ShiftModifier) : ~Qt::KeyboardModifiers());
        take(QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(press.key()))));
    }
    return true;
}

} // namespace weft::ui
