// SPDX-License-Identifier: Apache-2.0
#include "panels/data/figure_lines.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace weft::ui {

namespace {

class FigureLines {
    Q_DECLARE_TR_FUNCTIONS(FigureLines)
};

QString countOf(std::int64_t count) { return quantity::count(static_cast<double>(count)); }

/// Returns one number, or the smallest and the largest of several.
QString spanOf(const std::vector<double>& numbers) {
    const auto [least, most] = std::ranges::minmax(numbers);
    const QString first = quantity::number(least);
    const QString last = quantity::number(most);
    return first == last ? first : FigureLines::tr("%1 to %2").arg(first, last);
}

QString lineOf(const FieldFigures& field) {
    return FigureLines::tr("%1 from %2 to %3, mean %4, standard deviation %5")
        .arg(QString::fromStdString(field.name).simplified(), quantity::number(field.least),
             quantity::number(field.most), spanOf(field.mean), spanOf(field.deviation));
}

QString nameOf(const SampleFigures& figures, std::size_t id) {
    constexpr int longest = 32;
    const QString name = id < figures.classNames.size()
                             ? QString::fromStdString(figures.classNames[id]).simplified()
                             : QString::number(id);
    return name.size() > longest ? name.left(longest) + QStringLiteral("…") : name;
}

/// Lists each class if there are few, otherwise the classes with least and most examples.
QString classesOf(const SampleFigures& figures) {
    constexpr std::size_t few = 12;
    const auto named = [&](std::size_t id) {
        return nameOf(figures, id) + QChar(QChar::Nbsp) + countOf(figures.perClass[id]);
    };
    QStringList words;
    for (std::size_t id = 0; figures.perClass.size() <= few && id < figures.perClass.size(); ++id) {
        words << named(id);
    }
    if (!words.isEmpty()) {
        return FigureLines::tr("Examples per class: %1").arg(words.join(QStringLiteral(" · ")));
    }
    const auto [least, most] = std::ranges::minmax_element(figures.perClass);
    const auto placeOf = [&](auto at) {
        return static_cast<std::size_t>(at - figures.perClass.begin());
    };
    return FigureLines::tr("%1 classes. Fewest examples: %2; most: %3")
        .arg(countOf(std::ssize(figures.perClass)), named(placeOf(least)), named(placeOf(most)));
}

} // namespace

QString figureLines(const SampleFigures& figures, std::int64_t training) {
    QStringList lines;
    for (const FieldFigures& field : figures.fields) {
        lines << lineOf(field);
    }
    if (!lines.isEmpty() && figures.examples < training) {
        lines << FigureLines::tr("These are values of %1 of the training examples")
                     .arg(countOf(figures.examples));
    }
    if (!figures.perClass.empty()) {
        lines << classesOf(figures);
    }
    return lines.join('\n');
}

} // namespace weft::ui
