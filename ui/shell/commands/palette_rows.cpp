// SPDX-License-Identifier: Apache-2.0
#include "shell/commands/palette_rows.h"

#include "widgets/fuzzy.h"

#include <QCoreApplication>

namespace weft::ui {

namespace {

/// A line with a complete id can be performed; a line with a partial id shows its arguments.
void addLines(const CommandSet& commands, const QString& query,
              std::vector<std::pair<double, SearchRow>>& found) {
    constexpr double first = 1000;
    const QString id = query.section(' ', 0, 0);
    if (!id.contains('.')) {
        return;
    }
    for (const LineInfo& line : commands.lines()) {
        const bool isTyped = line.id == id && query.contains(' ');
        if (line.id.startsWith(id)) {
            found.emplace_back(isTyped ? first : first / 2,
                               SearchRow{.id = "line:" + query,
                                         .text = isTyped ? query : line.id,
                                         .where = line.arguments,
                                         .icon = QStringLiteral("actions/chevron-right"),
                                         .isEnabled = isTyped});
        }
    }
}

} // namespace

std::vector<SearchRow> paletteRows(WindowContext& context, const QString& query) {
    std::vector<std::pair<double, SearchRow>> found;
    for (const CommandInfo& info : context.commands.all()) {
        const QAction& action = *context.commands.find(info.id);
        QString text = action.text();
        text.remove('&');
        if (const auto match = fuzzyMatch(query, text)) {
            found.emplace_back(
                match->score + (action.isEnabled() || query.isEmpty() ? 0 : -20),
                SearchRow{.id = info.id,
                          .text = text,
                          .where = info.place,
                          .key = action.shortcut().toString(QKeySequence::NativeText),
                          .icon = info.icon,
                          .matched = match->at,
                          .isEnabled = action.isEnabled()});
        }
    }
    addLines(context.commands, query, found);
    if (OpenDesign* design = context.designs.current(); design != nullptr && !query.isEmpty()) {
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
    return bestFirst(std::move(found));
}

std::vector<SearchRow> attachRows(const WindowContext& context, const QString& query) {
    std::vector<std::pair<double, SearchRow>> found;
    for (const QString& folder : context.unseenRuns()) {
        const QString title = titleOfRun(folder);
        if (const auto match = fuzzyMatch(query, title)) {
            found.emplace_back(match->score, SearchRow{.id = folder,
                                                       .text = title,
                                                       .where = folder,
                                                       .icon = QStringLiteral("actions/attach"),
                                                       .matched = match->at});
        }
    }
    std::vector<SearchRow> rows = bestFirst(std::move(found));
    rows.push_back({.id = {},
                    .text = QCoreApplication::translate("palette", "Choose a run's folder …"),
                    .icon = QStringLiteral("actions/open")});
    return rows;
}

} // namespace weft::ui
