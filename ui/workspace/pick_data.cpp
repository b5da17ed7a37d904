// SPDX-License-Identifier: Apache-2.0
#include "workspace/pick_data.h"

#include "workspace/aside.h"
#include "workspace/mend.h"
#include <weft/data_edits.h>

#include <QDir>
#include <QFileDialog>
#include <QSettings>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr const char* placesKey = "data.source.with.";
constexpr const char* lastFolderKey = "data/folder";

const AttributeSpec* pathSpecNamed(const SettingKind& kind, const std::string& name) {
    const auto found = std::ranges::find(kind.attributes, name, &AttributeSpec::name);
    return found == kind.attributes.end() || !found->namesFiles() ? nullptr : &*found;
}

const AttributeSpec* folderSpecOf(const SettingKind& kind) {
    const auto found =
        std::ranges::find(kind.attributes, TextContent::folder, &AttributeSpec::content);
    return found == kind.attributes.end() ? nullptr : &*found;
}

QString valueTextOf(const Design& design, const AttributeSpec& spec) {
    const AttributeValue* given = design.data.attributes.find(spec.name);
    const auto* text = std::get_if<std::string>(given == nullptr ? &spec.defaultValue : given);
    return text == nullptr ? QString() : QString::fromStdString(*text);
}

/// New attributes of the source, or the reason of a refusal.
struct Taken {
    Attributes attributes;
    QString refusal;
};

/// Returns the folder and those of its files that the source recognises.
Attributes fromFolder(const std::string& source, const std::string& attribute,
                      const QString& folder, const QString& written) {
    Attributes taken;
    try {
        const DataSettings known = recogniseData({std::filesystem::path(folder.toStdString())});
        if (known.source == source) {
            taken = known.attributes;
        }
    } catch (const std::exception&) {
        // An unreadable folder is reported when the data is read.
    }
    taken.set(attribute, written.toStdString());
    return taken;
}

QString joinedNames(const QString& base, const QStringList& paths) {
    QStringList names;
    for (const QString& path : paths) {
        names << storedPathOf(base, path);
    }
    return names.join(QStringLiteral(", "));
}

Taken taken(const std::string& source, const AttributeSpec& spec, const QString& base,
            const QStringList& paths) {
    const QString& first = paths.front();
    const bool isFolder = QFileInfo(first).isDir();
    if (spec.content == TextContent::folder) {
        const QString chosen = isFolder ? first : QFileInfo(first).absolutePath();
        return {fromFolder(source, spec.name, chosen, storedPathOf(base, chosen)), {}};
    }
    if (isFolder) {
        return {{},
                WindowContext::tr("%1 is a folder, and %2 names files")
                    .arg(first, QString::fromStdString(spec.name))};
    }
    const bool isList = spec.content == TextContent::files;
    const QString names = joinedNames(base, isList ? paths : QStringList{first});
    if (isList && names.count(',') >= paths.size()) {
        return {{},
                WindowContext::tr("%1: a list cannot contain a name with a comma; rename the file")
                    .arg(names)};
    }
    return {{{spec.name, names.toStdString()}}, {}};
}

void give(OpenDesign& design, const SettingKind& kind, const AttributeSpec& spec,
          const Attributes& attributes) {
    design.document().edit(
        WindowContext::tr("Choose %1").arg(QString::fromStdString(spec.name).replace('_', ' ')),
        [&](Design& target) {
            for (const auto& [name, value] : attributes.entries()) {
                const auto declared =
                    std::ranges::find(kind.attributes, name, &AttributeSpec::name);
                const bool isUsual = declared != kind.attributes.end() && !declared->required &&
                                     declared->defaultValue == value;
                Edited edited = isUsual ? resetSourceAttribute(target, name)
                                        : setSourceAttribute(target, name, value);
                if (!edited.isDone()) {
                    return edited;
                }
            }
            return Edited{};
        });
}

QString titleOf(const AttributeSpec& spec) {
    switch (spec.content) {
    case TextContent::folder: return WindowContext::tr("Choose the folder of the data");
    case TextContent::files: return WindowContext::tr("Choose files of data");
    default: return WindowContext::tr("Choose a file of data");
    }
}

/// Returns the start folder of the picker: the existing part of the present value, else the folder
/// for relative names.
QString startOf(const DesignDocument& document, const AttributeSpec& spec) {
    const QString base = baseFolderOf(document, spec);
    const QString text = valueTextOf(document.design(), spec).section(',', 0, 0);
    QString last = QSettings().value(lastFolderKey).toString();
    if (text.isEmpty() && base.isEmpty() && QFileInfo::exists(last)) {
        return last;
    }
    QString at = QDir::cleanPath(QDir(base).absoluteFilePath(text.trimmed()));
    while (!at.isEmpty() && !QFileInfo::exists(at) && !QDir(at).isRoot()) {
        at = QFileInfo(at).absolutePath();
    }
    return at;
}

} // namespace

const std::vector<SettingKind>& dataSources() {
    static const std::vector<SettingKind> kinds = findSetting(settings(), "data.source")->kinds;
    return kinds;
}

const SettingKind* sourceOf(const Design& design) {
    const auto found = std::ranges::find(dataSources(), design.data.source, &SettingKind::name);
    return found == dataSources().end() ? nullptr : &*found;
}

QString storedPathOf(const QString& folder, const QString& path) {
    if (folder.isEmpty()) {
        return path;
    }
    const QString seen = QDir(folder).relativeFilePath(path);
    const bool isBelow = seen != QLatin1String("..") && !seen.startsWith(QLatin1String("../")) &&
                         !QDir::isAbsolutePath(seen);
    return isBelow ? seen : path;
}

QString baseFolderOf(const DesignDocument& document, const AttributeSpec& spec) {
    QString own = dataFolderOf(document);
    const SettingKind* kind = sourceOf(document.design());
    const AttributeSpec* folder = kind == nullptr ? nullptr : folderSpecOf(*kind);
    if (folder == nullptr || spec.content == TextContent::folder) {
        return own;
    }
    const QString text = valueTextOf(document.design(), *folder);
    if (own.isEmpty()) {
        return QDir::isAbsolutePath(text) ? text : QString();
    }
    return QDir::cleanPath(QDir(own).absoluteFilePath(text));
}

void takePaths(WindowContext& context, OpenDesign& design, const std::string& attribute,
               const QStringList& paths) {
    const SettingKind* kind = sourceOf(design.document().design());
    const AttributeSpec* spec = kind == nullptr ? nullptr : pathSpecNamed(*kind, attribute);
    if (spec == nullptr || paths.isEmpty()) {
        return;
    }
    runInBackground(
        &design,
        [source = kind->name, spec, paths, base = baseFolderOf(design.document(), *spec)] {
            return taken(source, *spec, base, paths);
        },
        [&context, &design, kind, spec](const Taken& found) {
            if (!found.refusal.isEmpty()) {
                Q_EMIT context.notice(found.refusal, true);
            } else if (sourceOf(design.document().design()) == kind) {
                give(design, *kind, *spec, found.attributes);
            }
        });
}

QFileDialog* pickPaths(WindowContext& context, OpenDesign& design, const std::string& attribute,
                       QWidget& parent) {
    const SettingKind* kind = sourceOf(design.document().design());
    const AttributeSpec* spec = kind == nullptr ? nullptr : pathSpecNamed(*kind, attribute);
    if (spec == nullptr) {
        return nullptr;
    }
    const QString start = startOf(design.document(), *spec);
    auto* dialog =
        new QFileDialog(parent.window(), titleOf(*spec),
                        QFileInfo(start).isDir() ? start : QFileInfo(start).absolutePath());
    dialog->setObjectName(QStringLiteral("pickData"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(spec->content == TextContent::folder  ? QFileDialog::Directory
                        : spec->content == TextContent::files ? QFileDialog::ExistingFiles
                                                              : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, spec->content == TextContent::folder);
    QObject::connect(dialog, &QFileDialog::filesSelected, &design,
                     [&context, &design, attribute](const QStringList& paths) {
                         QSettings().setValue(lastFolderKey,
                                              QFileInfo(paths.value(0)).absolutePath());
                         takePaths(context, design, attribute, paths);
                     });
    dialog->open();
    return dialog;
}

bool mendOrAsk(WindowContext& context, OpenDesign& design, const Diagnostic& problem,
               QWidget& parent) {
    const QString asks = QString::fromStdString(problem.fix.asks);
    if (asks.startsWith(QLatin1String(placesKey))) {
        return pickPaths(context, design, asks.mid(qstrlen(placesKey)).toStdString(), parent) !=
               nullptr;
    }
    return mend(design.document(), problem);
}

} // namespace weft::ui
