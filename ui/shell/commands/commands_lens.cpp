// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/live_feed.h"
#include "shell/main_window.h"

#include <QActionGroup>

namespace weft::ui {

namespace {

struct LensInfo {
    Lens lens;
    const char* id;
    QString text;
    QString help;
};

std::vector<LensInfo> lenses() {
    return {{Lens::parallelism, "lens.parallelism", MainWindow::tr("Parallelism"),
             MainWindow::tr("Colours each layer by the devices that it is assigned to")},
            {Lens::time, "lens.time", MainWindow::tr("Time"),
             MainWindow::tr("Shades each layer by its share of the step time")},
            {Lens::critical, "lens.critical", MainWindow::tr("Critical path"),
             MainWindow::tr("Highlights the chain of layers that determines the step time")},
            {Lens::activations, "lens.activations", MainWindow::tr("Activations"),
             MainWindow::tr("Shows the outputs of the visible layers: the run observes a step for "
                            "each of them every two seconds, which slows it down")}};
}

} // namespace

void addLensCommands(MainWindow& window) {
    Bench& bench = window.bench();
    auto* group = new QActionGroup(&window);
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    for (const LensInfo& info : lenses()) {
        QAction& action = bench.commands.add({.id = QLatin1String(info.id),
                                              .text = info.text,
                                              .help = info.help,
                                              .place = MainWindow::tr("Lens"),
                                              .isCheckable = true},
                                             [&window, lens = info.lens](bool) {
                                                 if (CanvasPage* page = window.page()) {
                                                     page->feed().setLens(lens);
                                                 }
                                             });
        action.setActionGroup(group);
    }
    // Each canvas has its own lens.
    const auto follow = [&window, &bench] {
        for (const LensInfo& info : lenses()) {
            const bool isWorn =
                window.page() != nullptr && window.page()->view().live().lens() == info.lens;
            bench.commands.find(QLatin1String(info.id))->setChecked(isWorn);
        }
    };
    QObject::connect(&bench.designs, &OpenDesigns::currentChanged, &window, follow,
                     Qt::QueuedConnection);
    QObject::connect(&bench, &Bench::lensChanged, &window, follow);
}

} // namespace weft::ui
