// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/on_grid.h"
#include "commands/command_place.h"
#include "layout/arrange.h"
#include "shell/main_window.h"
#include "workspace/mend.h"
#include <weft/group_edits.h>

#include <QClipboard>
#include <QGuiApplication>

namespace weft::ui {

namespace {

QString copied(OpenDesign& design) {
    return QString::fromStdString(
        copyText(design.document().design(), design.selection().path(), design.selection().list()));
}

void putOnClipboard(MainWindow& window) {
    OpenDesign* design = window.context().designs.current();
    if (design != nullptr && !design->selection().layers().empty()) {
        QGuiApplication::clipboard()->setText(copied(*design));
    }
}

void pasteHere(MainWindow& window) {
    const std::string text = QGuiApplication::clipboard()->text().toStdString();
    if (text.empty() || window.page() == nullptr) {
        return;
    }
    // Pastes at the pointer, whatever the original position.
    const QPointF at = window.page()->view().pointer();
    window.edit(MainWindow::tr("Paste"), [&](Design& design, const NetworkPath& path) {
        Edited pasted = paste(design, path, text, {});
        if (!pasted.isDone() || pasted.layers.empty()) {
            return pasted;
        }
        Network& network = networkAt(design, path);
        placeUnplaced(network, *window.context().kinds, 1);
        Point corner{1e300, 1e300};
        for (const LayerId id : pasted.layers) {
            const Point position = findLayer(network, id)->position.value_or(Point{});
            corner = {std::min(corner.x, position.x), std::min(corner.y, position.y)};
        }
        moveLayers(design, path, pasted.layers,
                   {snappedToGrid(at.x()) - corner.x, snappedToGrid(at.y()) - corner.y});
        return pasted;
    });
}

/// Creates an edit of the layers selected when the command runs.
template <class Change>
auto onLayers(MainWindow& window, const QString& name, Change change) {
    return [&window, name, change] {
        OpenDesign* design = window.context().designs.current();
        if (design == nullptr) {
            return;
        }
        const std::vector<LayerId> layers = design->selection().list();
        if (!layers.empty()) {
            window.edit(name, [&](Design& target, const NetworkPath& path) {
                return change(target, path, layers);
            });
        }
    };
}

Edited removeSelected(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers) {
    return removeLayers(design, path, layers);
}

void addUndo(WindowContext& context, const CommandPlace& add) {
    add("edit.undo", MainWindow::tr("Undo"), MainWindow::tr("Undoes the last edit"), "actions/undo",
        {QKeySequence(Qt::CTRL | Qt::Key_Z)}, [&context] {
            if (OpenDesign* design = context.designs.current()) {
                design->document().history().undo();
            }
        });
    add("edit.redo", MainWindow::tr("Redo"), MainWindow::tr("Repeats the edit that was undone"),
        "actions/redo",
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
        [&context] {
            if (OpenDesign* design = context.designs.current()) {
                design->document().history().redo();
            }
        });
}

void addClipboard(MainWindow& window, const CommandPlace& add) {
    const CommandPlace editing = add.needing(Needs::editing);
    const CommandPlace editingLayers = add.needing(Needs::editingLayers);
    editingLayers("edit.cut", MainWindow::tr("Cut"),
                  MainWindow::tr("Copies the layers and deletes them"), "",
                  {QKeySequence(Qt::CTRL | Qt::Key_X)},
                  [&window, cut = onLayers(window, MainWindow::tr("Cut"), removeSelected)] {
                      putOnClipboard(window);
                      cut();
                  });
    add.needing(Needs::layers)(
        "edit.copy", MainWindow::tr("Copy"),
        MainWindow::tr("Copies the layers as JSON text, for this window or another"),
        "actions/copy", {QKeySequence(Qt::CTRL | Qt::Key_C)},
        [&window] { putOnClipboard(window); });
    editing("edit.paste", MainWindow::tr("Paste"),
            MainWindow::tr("Pastes the copied layers at the pointer"), "actions/paste",
            {QKeySequence(Qt::CTRL | Qt::Key_V)}, [&window] { pasteHere(window); });
    const auto copies = [](bool withInputs) {
        return [withInputs](Design& design, const NetworkPath& path,
                            const std::vector<LayerId>& layers) {
            return duplicate(design, path, layers, {264, 24}, withInputs);
        };
    };
    editingLayers("edit.duplicate", MainWindow::tr("Duplicate"),
                  MainWindow::tr("Copies the layers with the wires among them"), "",
                  {QKeySequence(Qt::CTRL | Qt::Key_D), QKeySequence(Qt::SHIFT | Qt::Key_D)},
                  onLayers(window, MainWindow::tr("Duplicate"), copies(false)));
    editingLayers("edit.duplicate-wired", MainWindow::tr("Duplicate with inputs"),
                  MainWindow::tr("Copies the layers and connects the copies to the same inputs"),
                  "", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)},
                  onLayers(window, MainWindow::tr("Duplicate with inputs"), copies(true)));
}

void addRemoval(MainWindow& window, const CommandPlace& add) {
    WindowContext& context = window.context();
    const auto removeAny = onLayers(window, MainWindow::tr("Delete"), removeSelected);
    add.needing(Needs::other)(
        "edit.delete", MainWindow::tr("Delete"),
        MainWindow::tr("Deletes layers with their wires, or a wire"), "actions/delete",
        {QKeySequence(Qt::Key_Delete), QKeySequence(Qt::Key_Backspace)},
        [&window, &context, removeAny] {
            OpenDesign* design = context.designs.current();
            if (design != nullptr && design->selection().wire()) {
                const Wire wire = *design->selection().wire();
                window.edit(MainWindow::tr("Delete wire"),
                            [&](Design& target, const NetworkPath& path) {
                                return disconnect(target, path, wire.from, wire.to);
                            });
                return;
            }
            removeAny();
        });
    add.needing(Needs::editingLayers)(
        "edit.dissolve", MainWindow::tr("Delete and reconnect"),
        MainWindow::tr("Deletes the layer and connects its input to the layers it fed"), "",
        {QKeySequence(Qt::CTRL | Qt::Key_Delete)},
        onLayers(window, MainWindow::tr("Delete and reconnect"),
                 [kinds = context.kinds](Design& design, const NetworkPath& path,
                                         const std::vector<LayerId>& layers) {
                     return dissolve(design, path, layers, *kinds);
                 }));
}

void addSelecting(MainWindow& window, const CommandPlace& add) {
    const CommandPlace layers = add.needing(Needs::layers);
    const auto onSelection = [&context = window.context()](void (*run)(Selection&)) {
        return [&context, run] {
            if (OpenDesign* design = context.designs.current()) {
                run(design->selection());
            }
        };
    };
    add("edit.select-all", MainWindow::tr("Select all"),
        MainWindow::tr("Selects all layers of the open network"), "",
        {QKeySequence(Qt::CTRL | Qt::Key_A)}, onSelection([](Selection& selection) {
            std::vector<LayerId> all;
            for (const Layer& layer : selection.network().layers) {
                all.push_back(layer.id);
            }
            selection.select(all);
        }));
    layers("edit.select-upstream", MainWindow::tr("Select upstream"),
           MainWindow::tr("Adds all layers that feed the selection"), "",
           {QKeySequence(Qt::Key_BracketLeft)},
           onSelection([](Selection& selection) { selection.growUpstream(); }));
    layers("edit.select-downstream", MainWindow::tr("Select downstream"),
           MainWindow::tr("Adds all layers that the selection feeds"), "",
           {QKeySequence(Qt::Key_BracketRight)},
           onSelection([](Selection& selection) { selection.growDownstream(); }));
    add.byHand()("edit.find", MainWindow::tr("Find …"),
                 MainWindow::tr("Finds layers by name, kind, shape or problem"), "actions/search",
                 {QKeySequence(Qt::CTRL | Qt::Key_F)}, [&window] {
                     if (window.page() != nullptr) {
                         window.page()->openFindSearch();
                     }
                 });
}

void mendNext(WindowContext& context) {
    OpenDesign* design = context.designs.current();
    if (design == nullptr) {
        return;
    }
    const std::vector<Diagnostic> problems = problemsOf(*design);
    const Diagnostic* problem = firstFixableProblem(*design, problems);
    if (problem == nullptr) {
        Q_EMIT context.notice(MainWindow::tr("There is no problem with an automatic fix."), false);
        return;
    }
    design->selection().enter({problem->group});
    if (!problem->layer.isNone()) {
        Q_EMIT context.revealWanted(problem->layer);
    }
    mend(design->document(), *problem);
}

} // namespace

void addEditCommands(MainWindow& window) {
    const CommandPlace add(window.context().commands, MainWindow::tr("Edit"), Needs::design);
    addUndo(window.context(), add.needing(Needs::other).byHand());
    addClipboard(window, add);
    addRemoval(window, add);
    addSelecting(window, add);
    add.needing(Needs::editing)(
        "problem.fix", MainWindow::tr("Apply fix"),
        MainWindow::tr("Fixes the problem of the selected layer, or else the worst problem"), "",
        {QKeySequence(Qt::CTRL | Qt::Key_Period)},
        [&context = window.context()] { mendNext(context); });
}

} // namespace weft::ui
