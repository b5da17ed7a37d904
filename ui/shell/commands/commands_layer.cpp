// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/lay_out.h"
#include "commands/command_place.h"
#include "shell/docks/docks.h"
#include "shell/main_window.h"
#include <weft/group_edits.h>

#include <QInputDialog>

namespace weft::ui {

namespace {

using Layers = std::vector<LayerId>;

class Adder {
public:
    explicit Adder(MainWindow& window)
        : add(window.context().commands, MainWindow::tr("Layer"), Needs::editing),
          window_(window) {}

    const CommandPlace add;
    const CommandPlace looks = add.needing(Needs::layers); ///< commands that change only the view

    /// Adds a command that edits the selected layers.
    void edit(const QString& id, const QString& text, const QString& help, const QString& icon,
              const QList<QKeySequence>& keys,
              std::function<Edited(Design&, const NetworkPath&, const Layers&)> change,
              bool isReplayed = true) const {
        const CommandPlace own = add.needing(Needs::editingLayers);
        const CommandPlace place = isReplayed ? own : own.byHand();
        place(id, text, help, icon, keys, [&window = window_, text, change = std::move(change)] {
            OpenDesign* design = window.context().designs.current();
            const Layers layers = design == nullptr ? Layers{} : design->selection().list();
            if (!layers.empty()) {
                window.edit(QString(text).remove(QStringLiteral(" …")),
                            [&](Design& target, const NetworkPath& path) {
                                return change(target, path, layers);
                            });
            }
        });
    }
    [[nodiscard]] MainWindow& window() const { return window_; }

private:
    MainWindow& window_;
};

/// Sets the flag on all layers if any lacks it, else clears it.
Edited toggle(Design& design, const NetworkPath& path, const Layers& layers, bool Layer::*flag,
              Edited (*set)(Design&, const NetworkPath&, const Layers&, bool)) {
    const Network& network = networkAt(design, path);
    const bool isOn =
        std::ranges::all_of(layers, [&](LayerId id) { return findLayer(network, id)->*flag; });
    return set(design, path, layers, !isOn);
}

Frame frameAround(const Network& network, const Layers& layers, const QString& title) {
    constexpr double margin = 24;
    constexpr double header = 32;
    const Sizes::Size& size = tokens().sizes.size;
    QRectF box;
    for (const LayerId id : layers) {
        const Point at = findLayer(network, id)->position.value_or(Point{});
        box |= QRectF(at.x, at.y, size.nodeWidth, size.nodeHeight);
    }
    box.adjust(-margin, -margin - header, margin, margin);
    return {.title = title.toStdString(),
            .topLeft = {box.left(), box.top()},
            .size = {box.width(), box.height()},
            .layers = layers};
}

void addGroups(Adder& adder) {
    MainWindow& window = adder.window();
    adder.edit("layer.group", MainWindow::tr("Group into a sub-network"),
               MainWindow::tr("Combines the layers into one that can be opened and repeated"),
               "structure/group", {QKeySequence(Qt::CTRL | Qt::Key_G)},
               [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return makeGroup(design, path, layers, "group");
               });
    adder.edit("layer.ungroup", MainWindow::tr("Ungroup"),
               MainWindow::tr("Replaces the group by its layers"), "",
               {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)},
               [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return ungroup(design, path, layers);
               });
    adder.edit("layer.single", MainWindow::tr("Make independent"),
               MainWindow::tr("Gives the group its own layers, so that changing them does not "
                              "change its other instances"),
               "", {}, [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return giveOwnDefinition(design, path, layers.front());
               });
    adder.edit(
        "layer.call-group", MainWindow::tr("Rename sub-network …"),
        MainWindow::tr("Renames the sub-network in all its instances"), "", {},
        [&window](Design& design, const NetworkPath& path, const Layers& layers) {
            const Layer* layer = findLayer(networkAt(design, path), layers.front());
            bool isTaken = false;
            const QString name = QInputDialog::getText(
                &window, MainWindow::tr("Rename sub-network"), MainWindow::tr("Name"),
                QLineEdit::Normal, QString::fromStdString(layer->group), &isTaken);
            return isTaken ? renameGroup(design, layer->group, name.toStdString()) : Edited{};
        },
        false);
}

void addInside(Adder& adder) {
    MainWindow& window = adder.window();
    adder.looks("layer.enter", MainWindow::tr("Enter group"),
                MainWindow::tr("Shows the inside of the group"), "actions/chevron-right",
                {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)}, [&window] {
                    OpenDesign* design = window.context().designs.current();
                    if (design == nullptr) {
                        return;
                    }
                    Selection& selection = design->selection();
                    const Layer* layer = findLayer(selection.network(), selection.current());
                    if (layer != nullptr && layer->kind == groupKind) {
                        selection.enter({layer->group});
                    } else if (layer != nullptr) {
                        window.docks().reveal(QStringLiteral("inspector"));
                    }
                });
    adder.add.needing(Needs::design)(
        "layer.leave", MainWindow::tr("Leave group"), MainWindow::tr("Back to the top level"), "",
        {QKeySequence(Qt::CTRL | Qt::Key_Tab)}, [&window] {
            if (OpenDesign* design = window.context().designs.current()) {
                design->selection().enter({});
            }
        });
    adder.edit(
        "layer.repeat", MainWindow::tr("Repeat …"),
        MainWindow::tr("Sets how many copies of the group follow one another"), "structure/repeat",
        {},
        [&window](Design& design, const NetworkPath& path, const Layers& layers) {
            const Layer* layer = findLayer(networkAt(design, path), layers.front());
            bool isTaken = false;
            const int count = QInputDialog::getInt(
                &window, MainWindow::tr("Repeat"), MainWindow::tr("Copies in sequence"),
                static_cast<int>(layer->repeat), 1, 10000, 1, &isTaken);
            return isTaken ? setRepeat(design, path, layers.front(), count) : Edited{};
        },
        false);
}

void addNotes(Adder& adder) {
    MainWindow& window = adder.window();
    adder.edit(
        "layer.frame", MainWindow::tr("Frame"),
        MainWindow::tr("Draws a titled frame around the layers; dragging the frame moves them"),
        "structure/frame", {QKeySequence(Qt::Key_C)},
        [](Design& design, const NetworkPath& path, const Layers& layers) {
            return addFrame(design, path,
                            frameAround(networkAt(design, path), layers, MainWindow::tr("Frame")));
        });
    adder.add.byHand()(
        "layer.comment", MainWindow::tr("Comment"),
        MainWindow::tr("Adds a text to the canvas, at the pointer"), "",
        {QKeySequence(Qt::SHIFT | Qt::Key_C)}, [&window] {
            if (window.page() == nullptr) {
                return;
            }
            CanvasView& view = window.page()->view();
            const QPointF at = view.pointer();
            window.edit(MainWindow::tr("Comment"), [&](Design& design, const NetworkPath& path) {
                return addComment(design, path,
                                  {.text = MainWindow::tr("Comment").toStdString(),
                                   .position = {at.x(), at.y()}});
            });
            const auto& comments = view.selection().network().comments;
            view.edits().editText({ItemRef::Kind::comment, comments.size() - 1});
        });
}

void addPlaces(Adder& adder) {
    MainWindow& window = adder.window();
    const auto align = [&](const char* id, const QString& text, Qt::Key key, Alignment alignment) {
        adder.edit(id, text,
                   MainWindow::tr("Aligns the layers with the one that is outermost on this side"),
                   "", {QKeySequence(Qt::CTRL | Qt::SHIFT | key)},
                   [alignment](Design& design, const NetworkPath& path, const Layers& layers) {
                       return alignLayers(design, path, layers, alignment);
                   });
    };
    align("layer.align-left", MainWindow::tr("Align left"), Qt::Key_Left, Alignment::left);
    align("layer.align-right", MainWindow::tr("Align right"), Qt::Key_Right, Alignment::right);
    align("layer.align-top", MainWindow::tr("Align top"), Qt::Key_Up, Alignment::top);
    align("layer.align-bottom", MainWindow::tr("Align bottom"), Qt::Key_Down, Alignment::bottom);
    adder.edit("layer.straighten", MainWindow::tr("Straighten"),
               MainWindow::tr("Aligns the layers on one vertical line"), "",
               {QKeySequence(Qt::Key_Q)},
               [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return alignLayers(design, path, layers, Alignment::centre);
               });
    adder.edit("layer.distribute", MainWindow::tr("Distribute down"),
               MainWindow::tr(
                   "Moves the layers between the topmost and the lowest one to equal distances"),
               "", {}, [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return distributeLayers(design, path, layers, false);
               });
    const auto layOut = [&window](bool isAll) {
        return [&window, isAll] {
            if (window.page() != nullptr) {
                const Selection& selection = window.page()->design().selection();
                layOutNetwork(*window.page(), isAll ? std::vector<LayerId>{} : selection.list(),
                              window.context().commands.isPerforming());
            }
        };
    };
    adder.add.needing(Needs::editingLayers)(
        "layer.lay-out", MainWindow::tr("Lay out selection"),
        MainWindow::tr("Arranges the layers in rows, in the order of the data; Escape cancels"),
        "actions/layout", {QKeySequence(Qt::Key_L)}, layOut(false));
    adder.add(
        "layer.lay-out-all", MainWindow::tr("Lay out all"),
        MainWindow::tr("Arranges all layers; a long chain is folded so that it fits the window"),
        "actions/layout", {QKeySequence(Qt::SHIFT | Qt::Key_L)}, layOut(true));
}

} // namespace

void addLayerCommands(MainWindow& window) {
    Adder adder(window);
    adder.add.byHand()("layer.add", MainWindow::tr("Add …"),
                       MainWindow::tr("Searches the layer kinds and places one at the pointer"),
                       "actions/plus", {QKeySequence(Qt::SHIFT | Qt::Key_A)}, [&window] {
                           if (window.page() != nullptr) {
                               window.page()->openAddSearch(window.page()->view().pointer());
                           }
                       });
    adder.add.needing(Needs::editingLayers)
        .byHand()("layer.rename", MainWindow::tr("Rename"),
                  MainWindow::tr("Edits the name in place"), "", {QKeySequence(Qt::Key_F2)},
                  [&window] {
                      if (window.page() != nullptr) {
                          window.page()->view().edits().editName(
                              window.page()->design().selection().current());
                      }
                  });
    adder.add.needing(Needs::editingLayers)
        .byHand()("layer.connect", MainWindow::tr("Connect …"),
                  MainWindow::tr("Searches the inputs of other layers and connects one to the "
                                 "output of the layer"),
                  "", {QKeySequence(Qt::Key_W)}, [&window] {
                      if (window.page() != nullptr) {
                          window.page()->openConnectSearch();
                      }
                  });
    adder.edit("layer.mute", MainWindow::tr("Mute"),
               MainWindow::tr("Leaves the layer out, with the layers that only it feeds"),
               "actions/mute", {QKeySequence(Qt::Key_M), QKeySequence(Qt::CTRL | Qt::Key_M)},
               [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return toggle(design, path, layers, &Layer::muted, setMuted);
               });
    adder.edit("layer.bypass", MainWindow::tr("Bypass"),
               MainWindow::tr("Makes the layer pass on its first input unchanged"),
               "actions/bypass", {QKeySequence(Qt::Key_B), QKeySequence(Qt::CTRL | Qt::Key_B)},
               [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return toggle(design, path, layers, &Layer::bypassed, setBypassed);
               });
    adder.edit("layer.pin", MainWindow::tr("Pin"),
               MainWindow::tr("Keeps the layer where it is when layers are dragged or laid out"),
               "actions/pin", {QKeySequence(Qt::Key_P)},
               [](Design& design, const NetworkPath& path, const Layers& layers) {
                   return toggle(design, path, layers, &Layer::pinned, setPinned);
               });
    adder.looks("layer.collapse", MainWindow::tr("Collapse"),
                MainWindow::tr("Shows the layer one line high, or in full"), "",
                {QKeySequence(Qt::Key_H)}, [&window] {
                    if (window.page() != nullptr) {
                        window.page()->view().collapse(
                            window.page()->design().selection().layers());
                    }
                });
    adder.looks("layer.hide-ports", MainWindow::tr("Hide unused ports"),
                MainWindow::tr("Hides ports without wires, or shows them again"), "",
                {QKeySequence(Qt::CTRL | Qt::Key_H)}, [&window] {
                    if (window.page() != nullptr) {
                        window.page()->view().hidePorts(
                            window.page()->design().selection().layers());
                    }
                });
    addGroups(adder);
    addInside(adder);
    addNotes(adder);
    addPlaces(adder);
}

} // namespace weft::ui
