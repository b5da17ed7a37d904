// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/live_feed.h"
#include "shell/main_window.h"

#include <QActionGroup>

namespace weft::ui {

void addLensCommands(MainWindow& window) {
    WindowContext& context = window.context();
    auto* group = new QActionGroup(&window);
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    LensList list;
    lenses::fill(list);
    for (const auto& lens : list.lenses) {
        if (!lens->info.hasCommand) {
            continue;
        }
        QAction& action = context.commands.add({.id = "lens." + lens->info.id,
                                                .text = lens->info.title,
                                                .help = lens->info.help,
                                                .place = MainWindow::tr("Lens"),
                                                .isCheckable = true},
                                               [&window, id = lens->info.id](bool) {
                                                   if (CanvasPage* page = window.page()) {
                                                       page->feed().setLens(id);
                                                   }
                                               });
        action.setData(lens->info.id);
        action.setActionGroup(group);
    }
    // Each canvas has its own lens.
    const auto follow = [&window, group] {
        CanvasPage* page = window.page();
        for (QAction* action : group->actions()) {
            action->setChecked(page != nullptr &&
                               page->view().live().lens().info.id == action->data().toString());
        }
    };
    QObject::connect(&context.designs, &OpenDesigns::currentChanged, &window, follow,
                     Qt::QueuedConnection);
    QObject::connect(&context, &WindowContext::lensChanged, &window, follow);
}

} // namespace weft::ui
