// SPDX-License-Identifier: Apache-2.0
// Writes the lines for changed settings by comparing the designs in their file form, which has the
// names of all settings.
#include "macros/edit_as_lines.h"
#include <weft/design_file.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace weft::ui {

namespace {

/// Returns a value as typed: a text that would parse as a number is quoted.
QString textOf(const QString& text) {
    const QByteArray alone = "[" + text.toUtf8() + "]";
    const bool readsAsOther = !text.isEmpty() && !QJsonDocument::fromJson(alone).isNull();
    return readsAsOther
               ? QString::fromUtf8(QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact))
                     .mid(1)
                     .chopped(1)
               : text;
}

QString compact(const QJsonValue& value) {
    if (value.isString()) {
        return textOf(value.toString());
    }
    if (value.isDouble()) {
        return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    }
    const QByteArray text =
        QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact); // "[value]"
    return QString::fromUtf8(text.mid(1, text.size() - 2));
}

/// Returns the default of a setting that files omit.
QString usual(const QString& key) {
    const TrainingSettings training;
    const DataSettings data;
    const auto textOf = [](const std::string& text) { return QString::fromStdString(text); };
    const auto number = [](double value) { return compact(value); };
    const QHash<QString, QString> words = {
        {"training.optimizer", textOf(training.optimizer)},
        {"training.learning_rate", number(training.learningRate)},
        {"training.schedule", textOf(training.schedule)},
        {"training.order", textOf(training.order)},
        {"training.seed", QString::number(training.seed)},
        {"training.bucket_megabytes", number(training.bucketMegabytes)},
        {"training.update_period", QString::number(training.updatePeriod)},
        {"training.first_update", QString::number(training.firstUpdate)},
        {"training.sync_every", QString::number(training.syncEvery)},
        {"training.sync", textOf(training.sync)},
        {"training.precision", textOf(training.precision)},
        {"training.target", R"({"metric":"","value":0})"},
        {"data.source", {}},
        {"data.feeds", "{}"},
        {"data.batch", QString::number(data.batch)},
        {"data.order", textOf(data.order)},
        {"data.last_batch", textOf(data.lastBatch)}};
    return words.value(key, QStringLiteral("0"));
}

void addLines(const QString& key, const QJsonObject& now, const QJsonObject& wanted,
              std::vector<QStringList>& lines) {
    QStringList names = wanted.keys() + now.keys();
    names.removeDuplicates();
    for (const QString& name : names) {
        const QString inner = key + '.' + name;
        const auto wordIn = [&](const QJsonObject& object) {
            return object.contains(name) ? compact(object[name]) : usual(inner);
        };
        if (wordIn(now) == wordIn(wanted)) {
            continue;
        }
        const QJsonObject value = wanted[name].toObject();
        if (!value.isEmpty() && value.keys() == now[name].toObject().keys()) {
            addLines(inner, now[name].toObject(), value, lines);
        } else {
            lines.push_back({"design.set", inner, wordIn(wanted)});
        }
    }
}

QJsonObject objectOf(const Design& design) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(toText(design))).object();
}

} // namespace

std::vector<QStringList> settingLines(const Design& now, const Design& wanted) {
    std::vector<QStringList> lines;
    if (now.data == wanted.data && now.training == wanted.training) {
        return lines;
    }
    const QJsonObject before = objectOf(now);
    const QJsonObject after = objectOf(wanted);
    for (const char* section : {"training", "data"}) {
        addLines(QLatin1String(section), before[QLatin1String(section)].toObject(),
                 after[QLatin1String(section)].toObject(), lines);
    }
    return lines;
}

} // namespace weft::ui
