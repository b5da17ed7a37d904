// SPDX-License-Identifier: GPL-3.0-or-later
#include "macros/lines_table.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

std::span<const DesignLine> lineTable() {
    static const std::vector<DesignLine> table = [] {
        std::vector<DesignLine> all = layerLines();
        for (const auto& more : {wireLines(), designLines()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return table;
}

const DesignLine* findLine(const QString& id) {
    const auto found = std::ranges::find_if(
        lineTable(), [&](const DesignLine& line) { return id == QLatin1String(line.id); });
    return found == lineTable().end() ? nullptr : &*found;
}

LineInfo infoOf(const DesignLine& line) {
    return {.id = QLatin1String(line.id),
            .arguments = QLatin1String(line.arguments),
            .help = QCoreApplication::translate("lines", line.help),
            .least = line.least};
}

Edited doLine(const DesignLine& line, LineSite at, const QStringList& words) {
    const Design before = at.design;
    const NetworkPath path = at.hand.path;
    LineWords left(words);
    Edited edited = line.run(at, left);
    if (edited.isDone() && !left.isEnd()) {
        edited = refusing(QCoreApplication::translate("lines", "%1 is too much: it takes %2")
                              .arg(left.next(), QLatin1String(line.arguments)));
    }
    if (edited.isDone() && at.hand.path == path) {
        noteMade(at.hand, before, at.design);
    }
    return edited;
}

Edited refusing(const QString& why) {
    return {.refusal = Diagnostic{.code = "E201", .text = why.toStdString()}};
}

Edited noSuchLayer(const QString& word) {
    return refusing(QCoreApplication::translate("lines", "there is no layer %1 here").arg(word));
}

Edited onLayers(LineSite& at, LineWords& words,
                const std::function<Edited(const std::vector<LayerId>&)>& edit) {
    std::vector<LayerId> layers = at.hand.selected;
    if (words.take(QLatin1String("for"))) {
        layers.clear();
        while (!words.isEnd()) {
            const QString word = words.next();
            const auto layer = layerMeant(at.design, at.hand, word);
            if (!layer) {
                return noSuchLayer(word);
            }
            layers.push_back(*layer);
        }
    }
    if (layers.empty()) {
        return refusing(QCoreApplication::translate("lines", "no layer is selected"));
    }
    return edit(layers);
}

Edited onEachLayer(LineSite& at, LineWords& words, const std::function<Edited(LayerId)>& edit) {
    return onLayers(at, words, [&](const std::vector<LayerId>& layers) {
        Edited edited;
        for (const LayerId layer : layers) {
            edited = edit(layer);
            if (!edited.isDone()) {
                break;
            }
        }
        return edited;
    });
}

} // namespace weft::ui
