// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_files.h"

#include <weft/error.h>
#include <weft/output_file.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace weft::ui {

namespace {

const QString ending = QStringLiteral(".txt");

QString tr(const char* text) { return QCoreApplication::translate("macros", text); }

[[noreturn]] void fail(const QString& file, const QString& why) {
    throw Error(ErrorCode::file, Where{.file = file.toStdString()}, why.toStdString(),
                tr("check whether it can be read and written").toStdString());
}

} // namespace

MacroFiles::MacroFiles()
    : folder_(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
              QStringLiteral("/macros")) {}

QString MacroFiles::fileOf(const QString& name) const { return folder_ + '/' + name + ending; }

QStringList MacroFiles::names() const {
    QStringList names;
    for (const QString& file :
         QDir(folder_).entryList({'*' + ending}, QDir::Files, QDir::Name | QDir::IgnoreCase)) {
        names << file.chopped(ending.size());
    }
    return names;
}

QString MacroFiles::text(const QString& name) const { return readScript(fileOf(name)); }

void MacroFiles::write(const QString& name, const QString& text) const {
    QDir().mkpath(folder_);
    writeOutput(fileOf(name).toStdString(), text.toStdString());
}

void MacroFiles::rename(const QString& name, const QString& newName) const {
    QFile file(fileOf(name));
    if (!file.rename(fileOf(newName))) {
        fail(file.fileName(), file.errorString());
    }
}

void MacroFiles::remove(const QString& name) const {
    QFile file(fileOf(name));
    if (!file.remove()) {
        fail(file.fileName(), file.errorString());
    }
}

QString MacroFiles::freeName() const {
    const QStringList taken = names();
    for (int number = 1;; ++number) {
        QString name = tr("Macro %1").arg(number);
        if (!taken.contains(name, Qt::CaseInsensitive)) {
            return name;
        }
    }
}

QString MacroFiles::refusal(const QString& name) const {
    if (name.trimmed().isEmpty()) {
        return tr("A macro needs a name");
    }
    if (name != name.trimmed() || name.startsWith('.') || name.contains('/') ||
        name.contains('\\') || name.contains('"')) {
        return tr("A name cannot contain / \\ \" or begin with a dot or a blank");
    }
    return names().contains(name, Qt::CaseInsensitive) ? tr("A macro %1 already exists").arg(name)
                                                       : QString();
}

QString readScript(const QString& file) {
    QFile open(file);
    if (!open.open(QIODevice::ReadOnly)) {
        fail(file, open.errorString());
    }
    return QString::fromUtf8(open.readAll());
}

} // namespace weft::ui
