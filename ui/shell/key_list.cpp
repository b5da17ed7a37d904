// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/key_list.h"

#include "session/bench.h"

#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

void fill(QTreeWidget& tree, Bench& bench, const QString& query) {
    tree.clear();
    QHash<QString, QTreeWidgetItem*> places;
    const auto add = [&](const QString& place, const QString& text, const QString& keys,
                         const QString& help) {
        if (!(text + place + keys).contains(query, Qt::CaseInsensitive)) {
            return;
        }
        QTreeWidgetItem*& top = places[place];
        if (top == nullptr) {
            top = new QTreeWidgetItem(&tree, {place});
            top->setExpanded(true);
        }
        auto* item = new QTreeWidgetItem(top, {text, keys, help});
        item->setFont(1, Look::mono(tokens().sizes.type.small));
    };
    for (const CommandInfo& info : bench.commands.all()) {
        QStringList keys;
        for (const QKeySequence& key : bench.commands.find(info.id)->shortcuts()) {
            keys << key.toString(QKeySequence::NativeText);
        }
        if (!keys.isEmpty()) {
            add(info.place, bench.commands.find(info.id)->text(), keys.join(QStringLiteral(", ")),
                info.help);
        }
    }
    const QString gestures = QCoreApplication::translate("keys", "Gestures");
    const std::pair<const char*, const char*> all[] = {
        {QT_TRANSLATE_NOOP("keys", "Wheel"), QT_TRANSLATE_NOOP("keys", "Zoom at the pointer")},
        {QT_TRANSLATE_NOOP("keys", "Middle drag, Space and drag"),
         QT_TRANSLATE_NOOP("keys", "Pan")},
        {QT_TRANSLATE_NOOP("keys", "Drag on nothing"),
         QT_TRANSLATE_NOOP("keys",
                           "Select in a box; Shift adds, Ctrl takes away; Ctrl+Alt: lasso")},
        {QT_TRANSLATE_NOOP("keys", "Tab, double click on nothing"),
         QT_TRANSLATE_NOOP("keys", "Add a layer there")},
        {QT_TRANSLATE_NOOP("keys", "Drag from a port"),
         QT_TRANSLATE_NOOP("keys", "Draw a wire; let go over nothing: what fits is offered")},
        {QT_TRANSLATE_NOOP("keys", "Ctrl and drag from a port"),
         QT_TRANSLATE_NOOP("keys", "Take its wires off, and elsewhere")},
        {QT_TRANSLATE_NOOP("keys", "Alt and click on a port"),
         QT_TRANSLATE_NOOP("keys", "Take its wires off")},
        {QT_TRANSLATE_NOOP("keys", "Y and drag, Ctrl and right drag"),
         QT_TRANSLATE_NOOP("keys", "Cut wires")},
        {QT_TRANSLATE_NOOP("keys", "Ctrl+Shift and drag"),
         QT_TRANSLATE_NOOP("keys", "Zoom about where it began")},
        {QT_TRANSLATE_NOOP("keys", "Ctrl+1 to Ctrl+9"),
         QT_TRANSLATE_NOOP("keys", "Remember this place")},
        {QT_TRANSLATE_NOOP("keys", "1 to 9"), QT_TRANSLATE_NOOP("keys", "Go to that place")},
        {QT_TRANSLATE_NOOP("keys", "Double click on a name, F2"),
         QT_TRANSLATE_NOOP("keys", "Edit it in place")},
        {QT_TRANSLATE_NOOP("keys", "Space"),
         QT_TRANSLATE_NOOP("keys", "Select what has the focus, or no longer")},
        {QT_TRANSLATE_NOOP("keys", "Drop a layer on a wire"),
         QT_TRANSLATE_NOOP("keys", "Insert it; Alt: only move")},
        {QT_TRANSLATE_NOOP("keys", "Arrows"), QT_TRANSLATE_NOOP("keys", "Go along wires")},
        {QT_TRANSLATE_NOOP("keys", "Double click a group"), QT_TRANSLATE_NOOP("keys", "Enter it")},
        {QT_TRANSLATE_NOOP("keys", "Escape"),
         QT_TRANSLATE_NOOP("keys", "Cancel, select nothing, leave the group")}};
    for (const auto& [gesture, meaning] : all) {
        add(gestures, QCoreApplication::translate("keys", meaning),
            QCoreApplication::translate("keys", gesture), {});
    }
}

} // namespace

void showKeyList(Bench& bench, QWidget& window) {
    auto* dialog = new QDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("keyList"));
    dialog->setWindowTitle(QCoreApplication::translate("keys", "Keys and gestures"));
    dialog->resize(760, 640);
    auto* layout = new QVBoxLayout(dialog);
    auto* field = new QLineEdit(dialog);
    field->setPlaceholderText(QCoreApplication::translate("keys", "Find a command or a key"));
    field->setClearButtonEnabled(true);
    layout->addWidget(field);
    auto* tree = new QTreeWidget(dialog);
    tree->setHeaderLabels({QCoreApplication::translate("keys", "Command"),
                           QCoreApplication::translate("keys", "Keys"),
                           QCoreApplication::translate("keys", "What it does")});
    tree->header()->resizeSection(0, 300);
    tree->header()->resizeSection(1, 190);
    tree->setAccessibleName(dialog->windowTitle());
    layout->addWidget(tree);
    QObject::connect(field, &QLineEdit::textChanged, tree,
                     [tree, &bench](const QString& query) { fill(*tree, bench, query); });
    fill(*tree, bench, {});
    dialog->open();
}

} // namespace weft::ui
