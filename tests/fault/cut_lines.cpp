// SPDX-License-Identifier: Apache-2.0
#include "cut_lines.h"

#include "../cli/weft_process.h"
#include "cutting_line.h"
#include "support/own_user.h"
#include <weft/hosts.h>

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QtGlobal>

namespace weft::test {

namespace {

/// Files of a run that its copy has, from the folder on.
QStringList copiedFiles(const QString& folder) {
    QStringList files;
    QDirIterator all(folder, QDir::Files, QDirIterator::Subdirectories);
    while (all.hasNext()) {
        const QString file = all.next().mid(folder.size() + 1);
        const bool isCopied = file.startsWith("events.") || file.startsWith("spans.") ||
                              file.endsWith(".json") || file == "design.weft" ||
                              file == "metrics.jsonl" || file == "log.txt";
        if (isCopied && file != "mirror.json") {
            files.append(file);
        }
    }
    return files;
}

/// The first file that is not the same in both.
QString differenceOf(const QString& run, const QString& copy) {
    const QStringList files = copiedFiles(run);
    for (const QString& file : files + copiedFiles(copy)) {
        if (!files.contains(file) || bytesOf(run + '/' + file) != bytesOf(copy + '/' + file)) {
            return file;
        }
    }
    return {};
}

qint64 sizeOf(const QString& run) {
    qint64 size = 0;
    for (const QString& file : copiedFiles(run)) {
        size += QFileInfo(run + '/' + file).size();
    }
    return size;
}

/// Every line of a program's words that is about the host begins with its name.
QString wrongWords(const QString& said, int lines) {
    const auto lost = said.count("the connection is lost");
    const auto back = said.count("the connection is back");
    if (said.count("weft: far: the line is lost") != lost ||
        said.count("weft: far: the connection is back") != back) {
        return "a message that does not begin with the host: " + said;
    }
    // A machine under load may have let it stand for a while.
    const bool areFew = lines == 1 ? lost == 0 : lost >= 1 && 4 * lost <= lines + 4;
    return areFew && back <= lost ? "" : QString("%1 lines: %2").arg(lines).arg(said);
}

} // namespace

QString followOverCuts(int bytes, int steps) {
    const OwnUser user;
    writeDesign(user.filePath("small.weft"), {.steps = steps, .checkpointEvery = steps});
    const QString run = user.filePath("there/run");
    const Ended made = weft({"run", "small.weft", "--devices", "cpu:0", "--run", run}, user.path());
    if (made.code != 0) {
        return made.error;
    }
    const CuttingLine line(user.path(), bytes);
    const Ended added = addedHost("far", line.via(), user.filePath("there"));
    if (added.code != 0) {
        return added.error;
    }
    const Ended attached = weft({"attach", "far:run"}, user.path());
    const QString copy = QString::fromStdString(mirrorFolder({"far", "run"}).string());
    const qint64 size = sizeOf(run);
    qInfo("%lld bytes in %d lines of %d", size, line.lines(), bytes);
    if (attached.code != 0) {
        return QString("%1 lines, then %2").arg(line.lines()).arg(attached.error);
    }
    if (const QString other = differenceOf(run, copy); !other.isEmpty()) {
        return "the copy differs in " + other;
    }
    // Every line brings some: at the least what is left of a packet twice as long as the last.
    if (line.lines() > 2 + 6 * size / bytes) {
        return QString("%1 lines for %2 bytes").arg(line.lines()).arg(size);
    }
    return wrongWords(attached.error, line.lines());
}

} // namespace weft::test
