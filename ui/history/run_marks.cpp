// SPDX-License-Identifier: Apache-2.0
#include "history/run_marks.h"

#include <weft/output_file.h>

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace weft::ui {

namespace {

QString fileOf(const QString& run) { return run + QStringLiteral("/marks.json"); }

} // namespace

RunMarks readMarks(const QString& run) {
    QFile file(fileOf(run));
    // Opening a pipe of that name would block until another process writes to it.
    if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QJsonObject said = QJsonDocument::fromJson(file.readAll()).object();
    return {said.value(QStringLiteral("note")).toString(),
            said.value(QStringLiteral("starred")).toBool()};
}

void writeMarks(const QString& run, const RunMarks& marks) {
    const QByteArray text = QJsonDocument(QJsonObject{{QStringLiteral("note"), marks.note},
                                                      {QStringLiteral("starred"), marks.isStarred}})
                                .toJson();
    writeOutput(fileOf(run).toStdString(), text.toStdString());
}

} // namespace weft::ui
