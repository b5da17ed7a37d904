// SPDX-License-Identifier: Apache-2.0
#include "shell/commands/command_permits.h"

#include "commands/command_set.h"
#include "workspace/open_designs.h"

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("permits", text); }

} // namespace

void permitCommands(CommandSet& commands, OpenDesign* design, Workspace workspace) {
    const bool isOpen = design != nullptr;
    const bool isChosen = isOpen && !design->selection().layers().empty();
    const bool isWire = isOpen && design->selection().wire().has_value();
    const QString noDesign = isOpen ? QString() : tr("Open or make a design first");
    const QString noLayer = !isOpen ? noDesign : isChosen ? QString() : tr("Select a layer first");
    // The view of a run has a layout of its own, so edits there would not match the design.
    const QString noEditing = workspace == Workspace::run
                                  ? tr("The network of a run cannot be edited: go to Design")
                                  : noDesign;
    for (const CommandInfo& info : commands.all()) {
        switch (info.needs) {
        case Needs::nothing: commands.setRefusal(info.id, {}); break;
        case Needs::design: commands.setRefusal(info.id, noDesign); break;
        case Needs::layers: commands.setRefusal(info.id, noLayer); break;
        case Needs::editing: commands.setRefusal(info.id, noEditing); break;
        case Needs::editingLayers:
            commands.setRefusal(info.id, noEditing.isEmpty() ? noLayer : noEditing);
            break;
        case Needs::other: break;
        }
    }
    commands.setRefusal("edit.delete", !noEditing.isEmpty() ? noEditing
                                       : isChosen || isWire ? QString()
                                                            : tr("Select a layer or a wire first"));
    const bool canUndo = isOpen && design->document().history().canUndo();
    const bool canRedo = isOpen && design->document().history().canRedo();
    commands.setRefusal("edit.undo", canUndo ? QString() : tr("There is nothing to undo"));
    commands.setRefusal("edit.redo", canRedo ? QString() : tr("There is nothing to redo"));
    QAction& undo = *commands.find("edit.undo");
    QAction& redo = *commands.find("edit.redo");
    undo.setText(canUndo ? tr("Undo %1").arg(design->document().history().undoText()) : tr("Undo"));
    redo.setText(canRedo ? tr("Redo %1").arg(design->document().history().redoText()) : tr("Redo"));
}

} // namespace weft::ui
