// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/palette_rows.h"

#include "widgets/fuzzy.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ui {

std::vector<SearchRow> paletteRows(Bench& bench, const QString& query) {
    std::vector<std::pair<double, SearchRow>> found;
    for (const CommandInfo& info : bench.commands.all()) {
        const QAction& action = *bench.commands.find(info.id);
        QString text = action.text();
        text.remove('&');
        if (const auto match = fuzzyMatch(query, text)) {
            found.emplace_back(
                match->score + (action.isEnabled() ? 0 : -20),
                SearchRow{.id = info.id,
                          .text = text,
                          .where = info.place,
                          .key = action.shortcut().toString(QKeySequence::NativeText),
                          .icon = info.icon,
                          .matched = match->at,
                          .isEnabled = action.isEnabled()});
        }
    }
    if (OpenDesign* design = bench.designs.current(); design != nullptr && !query.isEmpty()) {
        for (const Layer& layer : design->selection().network().layers) {
            const QString name = QString::fromStdString(layer.name);
            if (const auto match = fuzzyMatch(query, name)) {
                found.emplace_back(
                    match->score - 1,
                    SearchRow{.id = QStringLiteral("layer:%1").arg(layer.id.value),
                              .text = name,
                              .where = QCoreApplication::translate("palette", "Layer"),
                              .icon = QStringLiteral("actions/chevron-right"),
                              .matched = match->at});
            }
        }
    }
    if (!query.isEmpty()) {
        std::ranges::stable_sort(found, std::ranges::greater{},
                                 &std::pair<double, SearchRow>::first);
    }
    std::vector<SearchRow> rows;
    rows.reserve(found.size());
    for (auto& [score, row] : found) {
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace weft::ui
