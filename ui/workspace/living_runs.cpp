// SPDX-License-Identifier: Apache-2.0
#include "workspace/living_runs.h"

#include "workspace/aside.h"
#include <weft/runs.h>

#include <QFileInfo>
#include <QRegularExpression>

namespace weft::ui {

namespace {

constexpr int fewSeconds = 5000;

/// Matches folder names such as "2024-05-01_120000_lenet": date, time and name.
const QRegularExpression& dated() {
    static const QRegularExpression date(
        QStringLiteral("^\\d{4}-\\d\\d-\\d\\d_(\\d\\d)(\\d\\d)\\d\\d_"));
    return date;
}

QStringList livingIn(const QStringList& places) {
    std::vector<std::pair<QString, QString>> living;
    for (const QString& place : places) {
        for (const std::filesystem::path& run : livingRuns(place.toStdString())) {
            const QString folder = QString::fromStdString(run.string());
            living.emplace_back(QFileInfo(folder).fileName(), folder);
        }
    }
    std::ranges::sort(living, std::greater<>());
    QStringList folders;
    for (const auto& [name, folder] : living) {
        folders << folder;
    }
    folders.removeDuplicates();
    return folders;
}

} // namespace

LivingRuns::LivingRuns(QObject* parent) : QObject(parent) {
    repeatTimer_.setInterval(fewSeconds);
    repeatTimer_.setSingleShot(true);
    connect(&repeatTimer_, &QTimer::timeout, this, &LivingRuns::startSearch);
}

void LivingRuns::searchFolders(const QStringList& foldersOfRuns) {
    parentFolders_ = foldersOfRuns;
    startSearch();
}

void LivingRuns::startSearch() {
    runInBackground(
        this, [places = parentFolders_] { return livingIn(places); },
        [this, number = ++newestSearch_](const QStringList& found) {
            if (number != newestSearch_) {
                return;
            }
            if (!found.isEmpty()) {
                repeatTimer_.start();
            }
            if (found != liveFolders_) {
                liveFolders_ = found;
                emit changed();
            }
        });
}

QString nameOfRun(const QString& folder) { return QFileInfo(folder).fileName().remove(dated()); }

QString titleOfRun(const QString& folder) {
    const QRegularExpressionMatch date = dated().match(QFileInfo(folder).fileName());
    const auto copy = copyOf(folder.toStdString());
    const QString name =
        copy ? LivingRuns::tr("%1 on %2").arg(nameOfRun(folder), QString::fromStdString(copy->host))
             : nameOfRun(folder);
    return date.hasMatch()
               ? LivingRuns::tr("%1, %2:%3").arg(name, date.captured(1), date.captured(2))
               : name;
}

} // namespace weft::ui
