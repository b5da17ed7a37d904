// SPDX-License-Identifier: Apache-2.0
#include "runs/program_words.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr qint64 longestMessage = 4000;
constexpr qsizetype mostLines = 6;
const QString programPrefix = QStringLiteral("weft: ");

/// Runs in several folders may have the same name, so a part of the path's hash is added.
QString stemOf(const QString& run) {
    constexpr qsizetype digits = 12;
    const QString path = QFileInfo(run).absoluteFilePath();
    const QByteArray hash =
        QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex().left(digits);
    return QFileInfo(path).fileName() + '-' + QString::fromLatin1(hash);
}

QStringList lastLinesIn(const QString& output) {
    QFile file(output);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    file.seek(std::max<qint64>(0, file.size() - longestMessage));
    return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
}

} // namespace

QString workFolder() {
    QString folder =
        QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/runs");
    QDir().mkpath(folder);
    return folder;
}

QString workFileOf(const QString& run, int number) {
    return QStringLiteral("%1/%2-%3-%4")
        .arg(workFolder(), stemOf(run))
        .arg(QCoreApplication::applicationPid())
        .arg(number);
}

QString lastOutputLines(const QString& output) {
    QStringList said;
    for (QString line : lastLinesIn(output)) {
        if (line.startsWith(programPrefix)) {
            line.remove(0, programPrefix.size());
        }
        if (!said.contains(line)) {
            said << line;
        }
    }
    return said.mid(std::max<qsizetype>(0, said.size() - mostLines)).join('\n');
}

QString errorOfProgram(const QString& run, qint64 since) {
    const QFileInfoList outputs =
        QDir(workFolder())
            .entryInfoList({stemOf(run) + QStringLiteral("-*.txt")}, QDir::Files, QDir::Time);
    if (outputs.isEmpty() || outputs.front().lastModified().toMSecsSinceEpoch() < since) {
        return {};
    }
    // Starts at the last error, because the lines before are progress.
    const QStringList lines = lastLinesIn(outputs.front().filePath());
    qsizetype first = -1;
    for (qsizetype line = 0; line < lines.size(); ++line) {
        first = lines[line].startsWith(programPrefix) ? line : first;
    }
    return first < 0 ? QString() : lines.mid(first, mostLines).join('\n').mid(programPrefix.size());
}

} // namespace weft::ui
