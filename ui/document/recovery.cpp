// SPDX-License-Identifier: Apache-2.0
#include "document/recovery.h"

#include <weft/design_file.h>
#include <weft/error.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QTimer>
#include <QUuid>

namespace weft::ui {

namespace {

/// Milliseconds from a change to the write, which combines further changes.
constexpr int pause = 2000;

QJsonObject readEntry(const QString& entry) {
    QFile file(entry);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

} // namespace

QString Recovery::standardFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
           QStringLiteral("/recover");
}

Recovery::Recovery(QString folder, QObject* parent)
    : QObject(parent),
      folder_(std::move(folder)),
      processId_(QUuid::createUuid().toString(QUuid::Id128)) {
    pool_.setMaxThreadCount(1);
    QDir().mkpath(folder_);
    // The lock is held as long as this process lives; another process that can take it knows that
    // this one has died.
    lock_ = std::make_unique<QLockFile>(folder_ + "/" + processId_ + ".lock");
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);
}

Recovery::~Recovery() { finish(); }

void Recovery::finish() { pool_.waitForDone(); }

QString Recovery::recoveryFileOf(const DesignDocument& document) const {
    return folder_ + "/" + processId_ + "-" + QString::number(numbers_.at(&document)) + ".json";
}

void Recovery::watch(DesignDocument& document) {
    numbers_[&document] = nextNumber_++;
    auto* timer = new QTimer(&document);
    timer->setSingleShot(true);
    timer->setInterval(pause);
    connect(timer, &QTimer::timeout, this, [this, &document] { write(document); });
    connect(&document, &DesignDocument::changed, timer, [timer] {
        if (!timer->isActive()) {
            timer->start();
        }
    });
    connect(&document, &DesignDocument::fileChanged, this, [this, &document] {
        if (!document.isModified()) {
            QFile::remove(recoveryFileOf(document));
        }
    });
    connect(&document, &QObject::destroyed, this, [this, &document] {
        finish();
        QFile::remove(recoveryFileOf(document));
        numbers_.erase(&document);
    });
    if (document.isModified()) {
        write(document);
    }
}

void Recovery::write(DesignDocument& document) {
    if (!document.isModified()) {
        return;
    }
    const QString entry = recoveryFileOf(document);
    pool_.start(
        [entry, design = document.design(), title = document.title(), file = document.file()] {
            QJsonObject object;
            object.insert("title", title);
            object.insert("file", file);
            object.insert("when", QDateTime::currentDateTime().toString(Qt::ISODate));
            object.insert("design", QString::fromStdString(toText(design)));
            QSaveFile out(entry);
            if (out.open(QIODevice::WriteOnly)) {
                out.write(QJsonDocument(object).toJson(QJsonDocument::Compact));
                out.commit();
            }
        });
}

std::vector<LostDesign> Recovery::lost() const {
    std::vector<LostDesign> found;
    const QDir folder(folder_);
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
        const QString session = name.section('-', 0, 0);
        if (session == processId_) {
            continue;
        }
        QLockFile lock(folder.filePath(session + ".lock"));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) {
            continue; // that process is alive
        }
        lock.unlock();
        const QString entry = folder.filePath(name);
        const QJsonObject object = readEntry(entry);
        if (object.contains("design")) {
            found.push_back({entry, object["title"].toString(), object["file"].toString(),
                             QDateTime::fromString(object["when"].toString(), Qt::ISODate)});
        }
    }
    return found;
}

void Recovery::restore(const LostDesign& lost, DesignDocument& into) {
    const std::string text = readEntry(lost.entry)["design"].toString().toStdString();
    into.recover(parseDesign(text, *into.kinds(), lost.title.toStdString()).design, lost.file);
}

void Recovery::forget(const LostDesign& lost) { QFile::remove(lost.entry); }

} // namespace weft::ui
