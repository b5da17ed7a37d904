// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_marks.h"

#include <weft/error.h>

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace weft::ui {

namespace {

QString fileOf(const QString& run) { return run + QStringLiteral("/marks.json"); }

} // namespace

RunMarks readMarks(const QString& run) {
    QFile file(fileOf(run));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QJsonObject said = QJsonDocument::fromJson(file.readAll()).object();
    return {said.value(QStringLiteral("note")).toString(),
            said.value(QStringLiteral("starred")).toBool()};
}

void writeMarks(const QString& run, const RunMarks& marks) {
    QSaveFile file(fileOf(run));
    const QByteArray text = QJsonDocument(QJsonObject{{QStringLiteral("note"), marks.note},
                                                      {QStringLiteral("starred"), marks.isStarred}})
                                .toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        throw Error(ErrorCode::file, Where{.file = fileOf(run).toStdString()},
                    "cannot be written: " + file.errorString().toStdString(),
                    "check who owns the run's folder and whether the disk is full");
    }
}

} // namespace weft::ui
